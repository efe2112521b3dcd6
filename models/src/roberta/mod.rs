//! RoBERTa (Liu et al. 2019) on packed batches: an encoder, alone or with a head on the first token.
//!
//! Tensor names and behaviour follow `RobertaModel` and `RobertaForSequenceClassification` of Python's
//! `transformers`, which is the reference for every number.

mod config;
mod embeddings;
mod on_candle;
#[cfg(feature = "cuda")]
mod on_cuda;

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, Linear, Precision, Queries};

pub use config::RobertaConfig;
pub(crate) use on_candle::RobertaOnCandle;
#[cfg(feature = "cuda")]
pub(crate) use on_cuda::{EncoderOnCuda as RobertaEncoderOnCuda, RobertaOnCuda};

use self::embeddings::Embeddings;
use crate::error::{ModelError, Result};
use crate::packed::PackedBatch;
use crate::transformer::{Layer, LayerPlan, first_tokens, linear, load_layers};
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct RobertaEncoder {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    token_limit: usize,
}

impl RobertaEncoder {
    /// `queries`: the tokens whose last states are wanted.
    pub(crate) fn load(
        config: &RobertaConfig,
        weights: &Weights,
        queries: Queries,
        precision: Precision,
    ) -> Result<Self> {
        let layers = load_layers(config.layers, |index| {
            Layer::load(weights, &layer_plan(config, index, queries, precision), |_, _| Ok(None))
        })?;
        let embeddings = Embeddings::load(config, weights)?;
        Ok(Self { embeddings, layers, token_limit: config.token_limit() })
    }

    /// The last layer's states, `(tokens, hidden)`, or `(sequences, hidden)` for first tokens. Each depends
    /// on its own sequence alone.
    ///
    /// # Errors
    /// A sequence that is empty or longer than the position table, or a token id outside the vocabulary.
    pub(crate) fn forward(&self, batch: &PackedBatch) -> Result<Tensor> {
        check(batch, self.token_limit)?;
        let distances = DistanceTable::default();
        let mut states = self.embeddings.forward(batch)?; // (tokens, hidden)
        for layer in &self.layers {
            states = layer.forward(&states, batch.offsets(), &distances)?;
        }
        Ok(states)
    }
}

/// Refuses a sequence that is empty or longer than the position table.
fn check(batch: &PackedBatch, limit: usize) -> Result<()> {
    if let Some(sequence) = batch.offsets().windows(2).position(|o| o[0] == o[1]) {
        return Err(ModelError::Empty { sequence });
    }
    match batch.longest() {
        tokens if tokens > limit => Err(ModelError::TooLong { tokens, limit }),
        _ => Ok(()),
    }
}

/// How a layer is computed.
fn layer_plan(config: &RobertaConfig, index: usize, queries: Queries, precision: Precision) -> LayerPlan {
    LayerPlan {
        name: format!("roberta.encoder.layer.{index}"),
        projections: ["query", "key", "value"],
        hidden: config.hidden_size,
        inner: config.intermediate_size,
        heads: config.heads,
        scale: (1.0 / (config.heads.size as f64).sqrt()) as f32,
        activation: config.activation,
        norm_epsilon: config.layer_norm_epsilon,
        queries: if index + 1 == config.layers { queries } else { Queries::All },
        precision,
    }
}

/// A RoBERTa sequence classifier with its weights.
pub struct RobertaClassifier {
    encoder: RobertaEncoder,
    dense: Linear,
    output: Linear,
}

impl RobertaClassifier {
    /// Builds the network; `precision` is that of the layers' products.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &RobertaConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let hidden = config.hidden_size;
        Ok(Self {
            encoder: RobertaEncoder::load(config, weights, Queries::First, precision)?,
            dense: linear(weights, "classifier.dense", hidden, hidden, Precision::F32)?,
            output: linear(weights, "classifier.out_proj", hidden, config.labels.len(), Precision::F32)?,
        })
    }

    /// Logits of every sequence, `(sequences, labels)`. Each row depends on its own sequence alone.
    ///
    /// # Errors
    /// A sequence that is empty or longer than the position table, or a token id outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        let mut first = self.encoder.forward(batch)?; // (sequences, hidden)
        if !self.encoder.layers.last().is_some_and(Layer::gives_first_tokens) {
            first = first_tokens(&first, batch.offsets())?;
        }
        let pooled = self.dense.forward_activated(&first, Activation::Tanh)?;
        Ok(self.output.forward(&pooled)?)
    }
}
