//! DeBERTa, version 1 (He et al. 2021), 2 and 3 (He, Gao, Chen 2023), on packed batches: an encoder, alone or with a
//! pooler on the first token and a head.
//!
//! Tensor names and behaviour follow `DebertaModel`, `DebertaV2Model` and their sequence classifiers of Python's
//! `transformers`; all numbers are tested against these.

mod arithmetic;
mod config;
mod plan;
mod positions;
mod slots;

use veridic_kernels::Precision;

pub use config::DebertaConfig;
pub(crate) use config::Version;
pub(crate) use plan::plan;
pub use slots::DistanceSlots;

use crate::error::Result;
use crate::transformer::SequenceClassifier;
use crate::weights::Weights;

impl SequenceClassifier {
    /// A DeBERTa; what depends on the weights only is computed here. `precision` is the dtype of the layers' products;
    /// position projections, attention, pooler and head are computed in f32.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn deberta(config: &DebertaConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        Self::load(plan(config, weights)?, weights, precision)
    }
}
