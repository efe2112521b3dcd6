//! The identity of the model that computed a result: its name, the digests of its files, and its dtype.

use veridic_kernels::Precision;

use crate::error::Result;
use crate::source::ModelSource;
use crate::weights::Weights;

/// A loaded model's name and digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelIdentity {
    /// Its name, or its folder as given.
    pub id: String,
    /// SHA-256 of the weights, in hexadecimal.
    pub sha256: String,
    /// SHA-256 over its configuration, its tokenizer and the other settings of its outputs, in hexadecimal.
    pub settings_sha256: String,
    /// The dtype of its layers' products.
    pub dtype: &'static str,
}

impl ModelIdentity {
    /// The identity of a model from `source`; `adds` holds the settings of its outputs that are in no file.
    ///
    /// # Errors
    /// A file that cannot be read, or weights that changed since they were pulled.
    pub(crate) fn of(source: &ModelSource, weights: &Weights, adds: &str) -> Result<Self> {
        Ok(Self {
            id: source.id(),
            sha256: source.weights_sha256(weights)?,
            settings_sha256: source.settings_sha256(adds)?,
            dtype: Precision::F32.name(),
        })
    }
}
