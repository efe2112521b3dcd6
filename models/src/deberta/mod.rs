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
mod positions;
mod slots;

use veridic_kernels::{Precision, Queries};

pub use config::DebertaConfig;
pub(crate) use config::Version;
pub(crate) use encoder::encoder;
#[cfg(feature = "candle")]
pub(crate) use encoder::layer_plan;
#[cfg(feature = "candle")]
pub(crate) use positions::Positions;
pub use slots::DistanceSlots;

use crate::error::Result;
use crate::transformer::{SequenceClassifier, linear};
use crate::weights::Weights;

impl SequenceClassifier {
    /// A DeBERTa; what depends on the weights only is computed here. `precision` is the dtype of the layers' products;
    /// position projections, attention, pooler and head are computed in f32.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn deberta(config: &DebertaConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let hidden = config.hidden_size;
        Ok(Self {
            encoder: encoder(config, weights, Queries::First, precision)?,
            dense: linear(weights, "pooler.dense", hidden, hidden, Precision::F32)?,
            activation: config.pooler_activation,
            output: linear(weights, "classifier", hidden, config.labels.len(), Precision::F32)?,
        })
    }
}
