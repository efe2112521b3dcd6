//! BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), MPNet (Song et al. 2020) and ALBERT (Lan et al. 2020) on packed
//! batches: an encoder, alone or with a head on the first token.
//!
//! Tensor names and behaviour follow `BertModel`, `RobertaModel`, `MPNetModel` and `AlbertModel` of Python's `transformers`
//! and their sequence classifiers; all numbers are tested against these.

mod config;
mod family;
mod head;

use veridic_kernels::Activation;

pub use config::BertConfig;
pub use family::Family;
pub(crate) use head::ALIGN_ENCODER;
pub use head::AlignHead;

use crate::error::Result;
use crate::transformer::{EmbeddingPlan, EncoderPlan, HeadPlan, LayerPlan, Relative, Widening};
use crate::weights::Weights;

/// The plan of the network with this configuration.
pub(crate) fn plan<'n>(config: &'n BertConfig, weights: &Weights) -> Result<EncoderPlan<'n>> {
    let relative = distance_bias(config, weights)?;
    let (dense, output) = config.head.layers(config.family);
    Ok(EncoderPlan {
        embeddings: embedding_plan(config),
        layers: (0..config.sets_of_weights()).map(|index| layer_plan(config, index)).collect(),
        order: config.computed_layers().to_vec(),
        slots: config.distance_buckets().map(|buckets| Box::new(move |longest| buckets.slots(longest)) as _),
        relative: Box::new(move |_, _, _| Ok(relative.clone())),
        convolution: None,
        token_limit: Some(config.token_limit()),
        head: HeadPlan { dense, activation: Activation::Tanh, output, labels: config.labels.len() },
    })
}

/// BERT and ALBERT count positions from 0; the others count the tokens that are not padding, from the row after the padding
/// id.
fn embedding_plan(config: &BertConfig) -> EmbeddingPlan {
    EmbeddingPlan {
        name: format!("{}embeddings", config.family.prefix()),
        words: config.vocab_size,
        positions: Some(config.position_table),
        types: config.type_vocab_size,
        has_one_type: config.family == Family::Roberta,
        width: config.embedding_size,
        hidden: config.hidden_size,
        projection: match config.family {
            Family::Albert => Widening::AfterNorm("albert.encoder.embedding_hidden_mapping_in"),
            _ => Widening::None,
        },
        norm_epsilon: config.layer_norm_epsilon,
        padding_id: config.padding_id,
    }
}

/// The bias by distance that all layers share, `(heads, slots)`. MPNet adds it after the scores are divided by the square
/// root of the head size, the kernel before; so it is multiplied by that root.
fn distance_bias(config: &BertConfig, weights: &Weights) -> Result<Option<Relative>> {
    let Some(buckets) = config.distance_buckets() else { return Ok(None) };
    let name = format!("{}encoder.relative_attention_bias.weight", config.family.prefix());
    let bias = weights.tensor(&name, &[buckets.count, config.heads.count])?;
    Ok(Some(Relative::Bias((buckets.by_slot(&bias)? * (config.heads.size as f64).sqrt())?)))
}

/// The plan of the layers that use this set of weights.
fn layer_plan(config: &BertConfig, index: usize) -> LayerPlan {
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
        is_last: index + 1 == config.layers && !config.shares_weights(),
    }
}
