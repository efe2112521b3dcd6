//! The plan of the network: embeddings, layers of disentangled attention, and the convolution parallel to the first layer. A
//! configuration with fewer layers than the weights gives the states of an inner layer.

use super::config::{DebertaConfig, Version};
use super::positions::Positions;
use super::slots::DistanceSlots;
use crate::error::Result;
use crate::transformer::{
    ConvPlan, EmbeddingPlan, EncoderPlan, HeadPlan, LayerNames, LayerPlan, ProjectionNames, Widening,
};
use crate::weights::Weights;

/// The plan of the network with this configuration.
pub(crate) fn plan<'n>(config: &'n DebertaConfig, weights: &'n Weights) -> Result<EncoderPlan<'n>> {
    let positions = Positions::load(config, weights)?;
    let slots = config.relative.as_ref().map(DistanceSlots::of);
    let convolution = config.conv.as_ref().map(|conv| ConvPlan {
        name: "deberta.encoder.conv",
        hidden: config.hidden_size,
        kernel_size: conv.kernel_size,
        groups: conv.groups,
        activation: conv.activation,
        norm_epsilon: config.layer_norm_epsilon,
    });
    Ok(EncoderPlan {
        embeddings: embedding_plan(config),
        layers: (0..config.layers).map(|index| layer_plan(config, index)).collect(),
        order: (0..config.layers).collect(),
        slots: slots.map(|slots| Box::new(move |longest| slots.table(longest)) as _),
        relative: Box::new(move |layer, query, key| {
            positions.as_ref().map(|positions| positions.of_layer(&layer.name, query, key)).transpose()
        }),
        convolution,
        token_limit: config.position_table.map(|_| config.token_limit()),
        head: HeadPlan {
            dense: "pooler.dense",
            activation: config.pooler_activation,
            output: "classifier",
            labels: config.labels.len(),
        },
    })
}

fn embedding_plan(config: &DebertaConfig) -> EmbeddingPlan {
    let (width, hidden) = (config.embedding_size, config.hidden_size);
    EmbeddingPlan {
        name: "deberta.embeddings".to_owned(),
        words: config.vocab_size,
        positions: config.position_table,
        types: config.type_vocab_size,
        has_one_type: false,
        width,
        hidden,
        projection: if width == hidden {
            Widening::None
        } else {
            Widening::BeforeNorm("deberta.embeddings.embed_proj")
        },
        norm_epsilon: config.layer_norm_epsilon,
        padding_id: None,
    }
}

/// The plan of a layer. A layer that others or the convolution follow is not the last.
fn layer_plan(config: &DebertaConfig, index: usize) -> LayerPlan {
    LayerPlan {
        name: format!("deberta.encoder.layer.{index}"),
        names: names(config.version),
        hidden: config.hidden_size,
        inner: config.intermediate_size,
        heads: config.heads,
        scale: (1.0 / ((config.heads.size * config.score_terms) as f64).sqrt()) as f32,
        activation: config.activation,
        norm_epsilon: config.layer_norm_epsilon,
        is_last: index + 1 == config.layers && (index > 0 || config.conv.is_none()),
    }
}

/// The names of the parts of a layer.
fn names(version: Version) -> LayerNames {
    let projections = match version {
        Version::One => ProjectionNames::ByHead {
            joint: "attention.self.in_proj",
            query_bias: "attention.self.q_bias",
            value_bias: "attention.self.v_bias",
        },
        Version::Two => ProjectionNames::Separate([
            "attention.self.query_proj",
            "attention.self.key_proj",
            "attention.self.value_proj",
        ]),
    };
    LayerNames { projections, ..LayerNames::BERT }
}
