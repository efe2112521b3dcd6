//! DeBERTa, version 1 (He et al. 2021), 2 and 3 (He, Gao, Chen 2023), on packed batches: an encoder, alone or with a
//! pooler on the first token and a head.
//!
//! Tensor names and behaviour follow `DebertaModel`, `DebertaV2Model` and their sequence classifiers of Python's
//! `transformers`; all numbers are tested against these.

mod arithmetic;
mod config;
mod conv;
mod embeddings;
mod encoder;
mod network;
mod positions;
mod slots;

use candle_core::Tensor;
use veridic_kernels::{Activation, LayerNorm, Linear, Precision, Queries};

pub use config::DebertaConfig;
pub(crate) use config::Version;
pub(crate) use encoder::DebertaEncoder;
pub use slots::DistanceSlots;

use crate::classifier::Classifier;
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::transformer::{self, first_tokens, linear};
use crate::weights::Weights;

/// A DeBERTa sequence classifier with its weights.
pub struct DebertaClassifier {
    encoder: DebertaEncoder,
    pooler: Linear,
    pooler_activation: Activation,
    classifier: Linear,
}

impl DebertaClassifier {
    /// Builds the network and computes what depends on the weights only. `precision` is the dtype of the layers' products;
    /// position projections, attention, pooler and head are computed in f32.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &DebertaConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let hidden = config.hidden_size;
        Ok(Self {
            encoder: DebertaEncoder::load(config, weights, Queries::First, precision)?,
            pooler: linear(weights, "pooler.dense", hidden, hidden, Precision::F32)?,
            pooler_activation: config.pooler_activation,
            classifier: linear(weights, "classifier", hidden, config.labels.len(), Precision::F32)?,
        })
    }

    /// Logits of every sequence, `(sequences, labels)`. Each row depends on its own sequence only.
    ///
    /// # Errors
    /// A sequence that is empty or longer than a position table, or a token id outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.0)
    }
}

impl Classifier for DebertaClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (before, mut first) = self.encoder.run_all(batch)?; // (sequences, hidden)
        if !self.encoder.returns_first_tokens() {
            first = first_tokens(&first, batch.offsets())?;
        }
        let pooled = self.pooler.forward_activated(&first, self.pooler_activation)?;
        Ok((self.classifier.forward(&pooled)?, before))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        self.encoder.before_last(batch)
    }
}

/// The layer norm `name.weight`, `name.bias` over the hidden states.
fn layer_norm(weights: &Weights, name: &str, config: &DebertaConfig) -> Result<LayerNorm> {
    transformer::layer_norm(weights, name, config.hidden_size, config.layer_norm_epsilon)
}
