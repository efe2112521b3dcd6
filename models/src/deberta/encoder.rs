//! The network below a head: embeddings, layers of disentangled attention, and the convolution parallel to the first
//! layer. A configuration with fewer layers than the weights gives the states of an inner layer.

use candle_core::Tensor;
use veridic_kernels::{Precision, Queries, RelativePositions};

use super::config::{DebertaConfig, Version};
use super::conv::Conv;
use super::embeddings::DebertaEmbeddings;
use super::positions::Positions;
use super::slots::DistanceSlots;
use crate::error::Result;
use crate::transformer::{Layer, LayerNames, LayerPlan, LayeredEncoder, ProjectionNames, load_layers};
use crate::weights::Weights;

/// The encoder; `queries`: the tokens whose last states are computed.
pub(crate) fn encoder(
    config: &DebertaConfig,
    weights: &Weights,
    queries: Queries,
    precision: Precision,
) -> Result<LayeredEncoder> {
    let conv = config.conv.as_ref().map(|conv| Conv::load(config, conv, weights)).transpose()?;
    let slots = config.relative.as_ref().map(DistanceSlots::of);
    Ok(LayeredEncoder {
        embeddings: Box::new(DebertaEmbeddings::load(config, weights)?),
        layers: layers(config, weights, queries, precision)?,
        order: (0..config.layers).collect(),
        slots: slots.map(|slots| Box::new(move |longest| slots.table(longest)) as _),
        after_first: conv.map(|conv| {
            Box::new(move |embedded: &Tensor, states: &Tensor, offsets: &[usize]| {
                conv.forward(embedded, states, offsets)
            }) as _
        }),
        token_limit: config.position_table.map(|_| config.token_limit()),
    })
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

/// The plan of a layer.
pub(crate) fn layer_plan(
    config: &DebertaConfig,
    index: usize,
    queries: Queries,
    precision: Precision,
) -> LayerPlan {
    LayerPlan {
        name: format!("deberta.encoder.layer.{index}"),
        names: names(config.version),
        hidden: config.hidden_size,
        inner: config.intermediate_size,
        heads: config.heads,
        scale: (1.0 / ((config.heads.size * config.score_terms) as f64).sqrt()) as f32,
        activation: config.activation,
        norm_epsilon: config.layer_norm_epsilon,
        queries: if needs_all_states(config, index) { Queries::All } else { queries },
        precision,
    }
}

fn layers(
    config: &DebertaConfig,
    weights: &Weights,
    queries: Queries,
    precision: Precision,
) -> Result<Vec<Layer>> {
    let positions = Positions::load(config, weights)?;
    load_layers(config.layers, |index| {
        let plan = layer_plan(config, index, queries, precision);
        Layer::load(weights, &plan, |query, key| {
            let Some(positions) = &positions else { return Ok(None) };
            let terms = positions.of_layer(&plan.name, query, key)?;
            let (key, query) = (terms.content_to_position.as_ref(), terms.position_to_content.as_ref());
            Ok(Some(RelativePositions::new(key, query)?))
        })
    })
}

/// Whether a layer must compute the states of all tokens: every layer except the last, and the last if the convolution
/// follows it.
fn needs_all_states(config: &DebertaConfig, layer: usize) -> bool {
    layer + 1 < config.layers || (layer == 0 && config.conv.is_some())
}
