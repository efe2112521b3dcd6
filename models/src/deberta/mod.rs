//! DeBERTa-v2/v3 for sequence classification (He et al. 2021; He, Gao, Chen 2023), on packed
//! batches: embeddings, layers of disentangled attention, a pooler on the first token, a head.
//!
//! Tensor names and behaviour follow `DebertaV2ForSequenceClassification` of Python's
//! `transformers`, which is the reference for every number.

mod arithmetic;
mod config;
mod conv;
mod embeddings;
mod layer;
mod slots;

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, LayerNorm, Linear, Precision, Queries};

pub use config::DebertaConfig;
pub use slots::DistanceSlots;

use self::conv::Conv;
use self::embeddings::Embeddings;
use self::layer::{Layer, LayerPlan};
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
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
        let positions = relative_embeddings(config, weights)?;
        let hidden = config.hidden_size;
        Ok(Self {
            embeddings: Embeddings::load(config, weights)?,
            layers: load_layers(config, weights, positions.as_ref(), precision)?,
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

/// All layers, two at a time: more would hold more tensors that are not packed yet.
fn load_layers(
    config: &DebertaConfig,
    weights: &Weights,
    positions: Option<&Tensor>,
    precision: Precision,
) -> Result<Vec<Layer>> {
    let load = |index| {
        let plan = LayerPlan { index, queries: wanted_states(config, index), precision };
        Layer::load(config, weights, positions, plan)
    };
    let mut layers = Vec::with_capacity(config.layers);
    for index in (0..config.layers).step_by(2) {
        let has_next = index + 1 < config.layers;
        let (layer, next) = rayon::join(|| load(index), || has_next.then(|| load(index + 1)).transpose());
        layers.push(layer?);
        layers.extend(next?);
    }
    Ok(layers)
}

/// The tokens whose states a layer must give: of the last one, only the first of each sequence,
/// unless the convolution comes after it.
fn wanted_states(config: &DebertaConfig, layer: usize) -> Queries {
    let is_last = layer + 1 == config.layers;
    if is_last && !(layer == 0 && config.conv.is_some()) { Queries::First } else { Queries::All }
}

/// The state of each sequence's first token: `(tokens, hidden) -> (sequences, hidden)`.
fn first_tokens(states: &Tensor, offsets: &[usize]) -> Result<Tensor> {
    let starts: Vec<u32> = offsets[..offsets.len() - 1].iter().map(|&start| start as u32).collect();
    Ok(states.index_select(&Tensor::new(starts, states.device())?, 0)?)
}

/// The relative position embeddings, normed if the model norms them: `(2 * span, hidden)`.
fn relative_embeddings(config: &DebertaConfig, weights: &Weights) -> Result<Option<Tensor>> {
    let Some(relative) = &config.relative else {
        return Ok(None);
    };
    let shape = [2 * relative.span, config.hidden_size];
    let embeddings = weights.tensor("deberta.encoder.rel_embeddings.weight", &shape)?;
    if !relative.normed {
        return Ok(Some(embeddings));
    }
    let norm = layer_norm(weights, "deberta.encoder.LayerNorm", config)?;
    Ok(Some(norm.forward(&embeddings)?))
}

/// The layer `name.weight`, `name.bias`.
fn linear(
    weights: &Weights,
    name: &str,
    inputs: usize,
    outputs: usize,
    precision: Precision,
) -> Result<Linear> {
    let weight = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
    let bias = weights.tensor(&format!("{name}.bias"), &[outputs])?;
    Ok(Linear::in_precision(&weight, Some(&bias), precision)?)
}

/// The layer norm `name.weight`, `name.bias` over the hidden states.
fn layer_norm(weights: &Weights, name: &str, config: &DebertaConfig) -> Result<LayerNorm> {
    let vector = |part: &str| weights.tensor(&format!("{name}.{part}"), &[config.hidden_size]);
    Ok(LayerNorm::new(&vector("weight")?, &vector("bias")?, config.layer_norm_epsilon)?)
}
