//! The network below a head: embeddings, layers of disentangled attention, and the convolution parallel to the first
//! layer. A configuration with fewer layers than the weights gives the states of an inner layer.

use candle_core::Tensor;
use veridic_kernels::{DistanceTable, Precision, Queries, RelativePositions};

use super::config::Version;
use super::conv::Conv;
use super::embeddings::Embeddings;
use super::{DebertaConfig, DistanceSlots, positions};
use crate::classifier::Encoder;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{Layer, LayerNames, LayerPlan, ProjectionNames, all_but_last, load_layers};
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct DebertaEncoder {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    conv: Option<Conv>,
    slots: Option<DistanceSlots>,
    token_limit: usize,
}

impl DebertaEncoder {
    /// `queries`: the tokens whose last states are computed.
    pub(crate) fn load(
        config: &DebertaConfig,
        weights: &Weights,
        queries: Queries,
        precision: Precision,
    ) -> Result<Self> {
        let positions = positions::embeddings(config, weights)?;
        Ok(Self {
            embeddings: Embeddings::load(config, weights)?,
            layers: layers(config, weights, positions.as_ref(), queries, precision)?,
            conv: config.conv.as_ref().map(|conv| Conv::load(config, conv, weights)).transpose()?,
            slots: config.relative.as_ref().map(DistanceSlots::of),
            token_limit: config.token_limit(),
        })
    }

    /// Whether it returns the states of first tokens only.
    pub(crate) fn returns_first_tokens(&self) -> bool {
        self.layers.last().is_some_and(Layer::returns_first_tokens)
    }

    /// The last layer's states, `(tokens, hidden)`, or `(sequences, hidden)` for first tokens. Each depends on its own
    /// sequence only.
    ///
    /// # Errors
    /// A sequence that is empty or longer than a position table, or a token id outside the vocabulary.
    pub(crate) fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.run_all(batch)?.1)
    }

    /// The states of all tokens before the last layer, `(tokens, hidden)`, and after it.
    pub(super) fn run_all(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        self.run(&self.layers, batch)
    }

    /// The states of all tokens before the last layer, `(tokens, hidden)`.
    pub(super) fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.run(all_but_last(&self.layers), batch)?.1)
    }

    fn run(&self, layers: &[Layer], batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(self.embeddings.has_position_table().then_some(self.token_limit))?;
        let distances = match &self.slots {
            Some(slots) => DistanceTable::new(slots.table(batch.longest()))?,
            None => DistanceTable::default(),
        };
        let embedded = self.embeddings.forward(batch)?; // (tokens, hidden)
        let (mut before, mut states) = (embedded.clone(), embedded.clone());
        for (index, layer) in layers.iter().enumerate() {
            before = states;
            states = layer.forward(&before, batch.offsets(), &distances)?;
            if let (0, Some(conv)) = (index, &self.conv) {
                states = conv.forward(&embedded, &states, batch.offsets())?;
            }
        }
        Ok((before, states))
    }
}

impl Encoder for DebertaEncoder {
    fn states(&self, batch: &PackedBatch) -> Result<Tensor> {
        self.forward(batch)
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

/// How a layer is computed.
pub(super) fn layer_plan(
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
    positions: Option<&Tensor>,
    queries: Queries,
    precision: Precision,
) -> Result<Vec<Layer>> {
    load_layers(config.layers, |index| {
        let plan = layer_plan(config, index, queries, precision);
        Layer::load(weights, &plan, |query, key| match (&config.relative, positions) {
            (Some(relative), Some(embeddings)) => {
                let own = (weights, &plan.name[..]);
                let (key, query) = positions::project(config, relative, embeddings, (query, key), own)?;
                Ok(Some(RelativePositions::new(key.as_ref(), query.as_ref())?))
            }
            _ => Ok(None),
        })
    })
}

/// Whether the states of all tokens are needed: of every layer but the last, and of the last if the convolution follows
/// it.
fn needs_all_states(config: &DebertaConfig, layer: usize) -> bool {
    layer + 1 < config.layers || (layer == 0 && config.conv.is_some())
}
