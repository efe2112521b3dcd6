//! BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), MPNet (Song et al. 2020) and ALBERT (Lan et al. 2020) on packed
//! batches: an encoder, alone or with a head on the first token.
//!
//! Tensor names and behaviour follow `BertModel`, `RobertaModel`, `MPNetModel` and `AlbertModel` of Python's `transformers`
//! and their sequence classifiers; all numbers are tested against these.

mod config;
mod embeddings;
mod family;
mod head;
mod network;

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, Linear, Precision, Queries, RelativePositions};

pub use config::BertConfig;
pub use family::Family;
pub(crate) use head::ALIGN_ENCODER;
pub use head::{AlignHead, UnknownAlignHead};

use self::embeddings::Embeddings;
use crate::classifier::{Classifier, Encoder};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{
    DistanceBuckets, Layer, LayerPlan, all_but_last, first_tokens, linear, load_layers,
};
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct BertEncoder {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// The layers that are computed, in their order: several times the same one where they share weights.
    order: Vec<usize>,
    buckets: Option<DistanceBuckets>,
    token_limit: usize,
}

impl BertEncoder {
    /// `queries`: the tokens whose last states are computed.
    pub(crate) fn load(
        config: &BertConfig,
        weights: &Weights,
        queries: Queries,
        precision: Precision,
    ) -> Result<Self> {
        let bias = distance_bias(config, weights)?;
        let relative = bias.as_ref().map(RelativePositions::from_bias).transpose()?;
        let layers = load_layers(config.sets_of_weights(), |index| {
            let plan = layer_plan(config, index, queries, precision);
            Layer::load(weights, &plan, |_, _| Ok(relative.clone()))
        })?;
        Ok(Self {
            embeddings: Embeddings::load(config, weights)?,
            layers,
            order: config.computed_layers().to_vec(),
            buckets: config.distance_buckets(),
            token_limit: config.token_limit(),
        })
    }

    /// The last layer's states, `(tokens, hidden)`, or `(sequences, hidden)` for first tokens. Each depends on its own
    /// sequence only.
    ///
    /// # Errors
    /// A sequence that is empty or longer than the position table, or a token id outside the vocabulary.
    pub(crate) fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.run(&self.order, batch)?.1)
    }

    /// Whether the last layer returns the states of first tokens only.
    fn returns_first_tokens(&self) -> bool {
        self.order.last().is_some_and(|last| self.layers[*last].returns_first_tokens())
    }

    /// The states of all tokens before the last of these layers, `(tokens, hidden)`, and after it.
    fn run(&self, order: &[usize], batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(Some(self.token_limit))?;
        let distances = match self.buckets {
            Some(buckets) => DistanceTable::new(buckets.slots(batch.longest()))?,
            None => DistanceTable::default(),
        };
        let mut states = self.embeddings.forward(batch)?; // (tokens, hidden)
        let mut before = states.clone();
        for index in order {
            before = states;
            states = self.layers[*index].forward(&before, batch.offsets(), &distances)?;
        }
        Ok((before, states))
    }
}

impl Encoder for BertEncoder {
    fn states(&self, batch: &PackedBatch) -> Result<Tensor> {
        self.forward(batch)
    }
}

/// The bias by distance that all layers share, `(heads, slots)`. MPNet adds it after the scores are divided by the square
/// root of the head size, the kernel before; so it is multiplied by that root.
fn distance_bias(config: &BertConfig, weights: &Weights) -> Result<Option<Tensor>> {
    let Some(buckets) = config.distance_buckets() else { return Ok(None) };
    let name = format!("{}encoder.relative_attention_bias.weight", config.family.prefix());
    let bias = weights.tensor(&name, &[buckets.count, config.heads.count])?;
    Ok(Some((buckets.by_slot(&bias)? * (config.heads.size as f64).sqrt())?))
}

/// How the layers with the weights of this number are computed.
fn layer_plan(config: &BertConfig, index: usize, queries: Queries, precision: Precision) -> LayerPlan {
    let prefix = config.family.prefix();
    let (group, layer) = (index / config.group_size, index % config.group_size);
    LayerPlan {
        name: match config.shares_weights() {
            true => format!("{prefix}encoder.albert_layer_groups.{group}.albert_layers.{layer}"),
            false => format!("{prefix}encoder.layer.{index}"),
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

/// A sequence classifier of BERT's family with its weights.
pub struct BertClassifier {
    encoder: BertEncoder,
    dense: Linear,
    output: Linear,
}

impl BertClassifier {
    /// Builds the network; `precision` is the dtype of the layers' products.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &BertConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let (hidden, (dense, output)) = (config.hidden_size, config.head.layers(config.family));
        Ok(Self {
            encoder: BertEncoder::load(config, weights, Queries::First, precision)?,
            dense: linear(weights, dense, hidden, hidden, Precision::F32)?,
            output: linear(weights, output, hidden, config.labels.len(), Precision::F32)?,
        })
    }

    /// Builds the network of an AlignScore checkpoint under one of its heads.
    ///
    /// # Errors
    /// As [`BertClassifier::load`].
    pub fn load_align_score(config: &BertConfig, weights: Weights, head: AlignHead) -> Result<Self> {
        let weights = weights.with_prefix_replaced(ALIGN_ENCODER, config.family.prefix());
        Self::load(&config.clone().with_align_head(head), &weights, Precision::F32)
    }

    /// Logits of every sequence, `(sequences, labels)`. Each row depends on its own sequence only.
    ///
    /// # Errors
    /// A sequence that is empty or longer than the position table, or a token id outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.0)
    }
}

impl Classifier for BertClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (before, mut first) = self.encoder.run(&self.encoder.order, batch)?; // (sequences, hidden)
        if !self.encoder.returns_first_tokens() {
            first = first_tokens(&first, batch.offsets())?;
        }
        let pooled = self.dense.forward_activated(&first, Activation::Tanh)?;
        Ok((self.output.forward(&pooled)?, before))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.encoder.run(all_but_last(&self.encoder.order), batch)?.1)
    }
}
