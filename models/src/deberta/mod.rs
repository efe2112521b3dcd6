//! DeBERTa-v2/v3 for sequence classification (He et al. 2021; He, Gao, Chen 2023), on packed
//! batches: embeddings, layers of disentangled attention, a pooler on the first token, a head.
//!
//! Tensor names and behaviour follow `DebertaV2ForSequenceClassification` of Python's
//! `transformers`, which is the reference for every number.

mod arithmetic;
mod config;
mod conv;
mod embeddings;
mod positions;
mod slots;

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, LayerNorm, Linear, Precision, Queries};

pub use config::DebertaConfig;
pub use slots::DistanceSlots;

use self::conv::Conv;
use self::embeddings::Embeddings;
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::transformer::{self, Layer, LayerPlan, Projection, first_tokens, linear, load_layers};
use crate::weights::Weights;

/// A DeBERTa sequence classifier with its weights.
pub struct DebertaClassifier {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    conv: Option<Conv>,
    slots: Option<DistanceSlots>,
    pooler: Linear,
    pooler_activation: Activation,
    classifier: Linear,
    token_limit: usize,
}

impl DebertaClassifier {
    /// Builds the network and computes what depends on the weights alone. `precision` is that of the
    /// layers' products; position projections, attention, pooler and head are computed in f32.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &DebertaConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let positions = positions::embeddings(config, weights)?;
        let hidden = config.hidden_size;
        Ok(Self {
            embeddings: Embeddings::load(config, weights)?,
            layers: layers(config, weights, positions.as_ref(), precision)?,
            conv: config.conv.as_ref().map(|conv| Conv::load(config, conv, weights)).transpose()?,
            slots: config.relative.as_ref().map(DistanceSlots::of),
            pooler: linear(weights, "pooler.dense", hidden, hidden, Precision::F32)?,
            pooler_activation: config.pooler_activation,
            classifier: linear(weights, "classifier", hidden, config.labels.len(), Precision::F32)?,
            token_limit: config.token_limit(),
        })
    }

    /// Logits of every sequence, `(sequences, labels)`. Each row depends on its own sequence alone.
    ///
    /// # Errors
    /// A sequence that is empty or longer than a position table, or a token id outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        if let Some(sequence) = batch.offsets().windows(2).position(|o| o[0] == o[1]) {
            return Err(ModelError::Empty { sequence });
        }
        if self.embeddings.has_position_table() && batch.longest() > self.token_limit {
            return Err(ModelError::TooLong { tokens: batch.longest(), limit: self.token_limit });
        }
        let distances = match &self.slots {
            Some(slots) => DistanceTable::new(slots.table(batch.longest()))?,
            None => DistanceTable::default(),
        };
        let embedded = self.embeddings.forward(batch)?; // (tokens, hidden)
        let mut states = embedded.clone();
        for (index, layer) in self.layers.iter().enumerate() {
            states = layer.forward(&states, batch.offsets(), &distances)?;
            if let (0, Some(conv)) = (index, &self.conv) {
                states = conv.forward(&embedded, &states, batch.offsets())?;
            }
        }
        let first = match self.layers.last().is_some_and(Layer::gives_first_tokens) {
            true => states,
            false => first_tokens(&states, batch.offsets())?,
        }; // (sequences, hidden)
        let pooled = self.pooler.forward_activated(&first, self.pooler_activation)?;
        Ok(self.classifier.forward(&pooled)?)
    }
}

fn layers(
    config: &DebertaConfig,
    weights: &Weights,
    positions: Option<&Tensor>,
    precision: Precision,
) -> Result<Vec<Layer>> {
    load_layers(config.layers, |index| {
        let plan = LayerPlan {
            name: format!("deberta.encoder.layer.{index}"),
            projections: ["query_proj", "key_proj", "value_proj"],
            hidden: config.hidden_size,
            inner: config.intermediate_size,
            heads: config.heads,
            scale: (1.0 / ((config.heads.size * config.score_terms) as f64).sqrt()) as f32,
            activation: config.activation,
            norm_epsilon: config.layer_norm_epsilon,
            queries: wanted_states(config, index),
            precision,
        };
        Layer::load(weights, &plan, |query, key| match (&config.relative, positions) {
            (Some(relative), Some(embeddings)) => {
                let own = |part: &str| {
                    let name = format!("{}.attention.self.{part}", plan.name);
                    Projection::load(weights, &name, config.hidden_size)
                };
                positions::project(config, relative, embeddings, (query, key), own).map(Some)
            }
            _ => Ok(None),
        })
    })
}

/// The tokens whose states a layer must give: of the last one, only the first of each sequence,
/// unless the convolution comes after it.
fn wanted_states(config: &DebertaConfig, layer: usize) -> Queries {
    let is_last = layer + 1 == config.layers;
    if is_last && !(layer == 0 && config.conv.is_some()) { Queries::First } else { Queries::All }
}

/// The layer norm `name.weight`, `name.bias` over the hidden states.
fn layer_norm(weights: &Weights, name: &str, config: &DebertaConfig) -> Result<LayerNorm> {
    transformer::layer_norm(weights, name, config.hidden_size, config.layer_norm_epsilon)
}
