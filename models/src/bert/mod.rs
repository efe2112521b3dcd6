//! BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), MPNet (Song et al. 2020) and ALBERT (Lan et al. 2020) on packed
//! batches: an encoder, alone or with a head on the first token.
//!
//! Tensor names and behaviour follow `BertModel`, `RobertaModel`, `MPNetModel` and `AlbertModel` of Python's `transformers`
//! and their sequence classifiers; all numbers are tested against these.

mod config;
mod embeddings;
mod family;
mod head;

use candle_core::Tensor;
use veridic_kernels::{Activation, Precision, Queries, RelativePositions};

pub use config::BertConfig;
#[cfg(feature = "candle")]
pub(crate) use embeddings::position_rows;
pub use family::Family;
pub(crate) use head::ALIGN_ENCODER;
pub use head::{AlignHead, UnknownAlignHead};

use self::embeddings::BertEmbeddings;
use crate::error::Result;
use crate::transformer::{Layer, LayerPlan, LayeredEncoder, SequenceClassifier, linear, load_layers};
use crate::weights::Weights;

/// The encoder; `queries`: the tokens whose last states are computed.
pub(crate) fn encoder(
    config: &BertConfig,
    weights: &Weights,
    queries: Queries,
    precision: Precision,
) -> Result<LayeredEncoder> {
    let bias = distance_bias(config, weights)?;
    let relative = bias.as_ref().map(RelativePositions::from_bias).transpose()?;
    let layers = load_layers(config.sets_of_weights(), |index| {
        let plan = layer_plan(config, index, queries, precision);
        Layer::load(weights, &plan, |_, _| Ok(relative.clone()))
    })?;
    Ok(LayeredEncoder {
        embeddings: Box::new(BertEmbeddings::load(config, weights)?),
        layers,
        order: config.computed_layers().to_vec(),
        slots: config.distance_buckets().map(|buckets| Box::new(move |longest| buckets.slots(longest)) as _),
        after_first: None,
        token_limit: Some(config.token_limit()),
    })
}

/// The bias by distance that all layers share, `(heads, slots)`. MPNet adds it after the scores are divided by the square
/// root of the head size, the kernel before; so it is multiplied by that root.
pub(crate) fn distance_bias(config: &BertConfig, weights: &Weights) -> Result<Option<Tensor>> {
    let Some(buckets) = config.distance_buckets() else { return Ok(None) };
    let name = format!("{}encoder.relative_attention_bias.weight", config.family.prefix());
    let bias = weights.tensor(&name, &[buckets.count, config.heads.count])?;
    Ok(Some((buckets.by_slot(&bias)? * (config.heads.size as f64).sqrt())?))
}

/// The plan of the layers that use this set of weights.
pub(crate) fn layer_plan(
    config: &BertConfig,
    index: usize,
    queries: Queries,
    precision: Precision,
) -> LayerPlan {
    let prefix = config.family.prefix();
    let (group, layer) = (index / config.group_size, index % config.group_size);
    LayerPlan {
        name: if config.shares_weights() {
            format!("{prefix}encoder.albert_layer_groups.{group}.albert_layers.{layer}")
        } else {
            format!("{prefix}encoder.layer.{index}")
        },
        names: config.family.layer_names(),
        hidden: config.hidden_size,
        inner: config.intermediate_size,
        heads: config.heads,
        scale: (1.0 / (config.heads.size as f64).sqrt()) as f32,
        activation: config.activation,
        norm_epsilon: config.layer_norm_epsilon,
        queries: if index + 1 == config.layers && !config.shares_weights() { queries } else { Queries::All },
        precision,
    }
}

impl SequenceClassifier {
    /// A classifier of BERT's family; `precision` is the dtype of the layers' products.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn bert(config: &BertConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let (hidden, (dense, output)) = (config.hidden_size, config.head.layers(config.family));
        Ok(Self {
            encoder: encoder(config, weights, Queries::First, precision)?,
            dense: linear(weights, dense, hidden, hidden, Precision::F32)?,
            activation: Activation::Tanh,
            output: linear(weights, output, hidden, config.labels.len(), Precision::F32)?,
        })
    }
}
