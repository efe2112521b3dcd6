//! Which model made a result: its name and digests of all that it is made of.

use crate::device::Device;
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
    /// SHA-256 over its configurations, its tokenizer and what else decides its answers, in hexadecimal.
    pub settings_sha256: String,
    /// The numbers that its layers' products are computed in.
    pub dtype: &'static str,
    /// Where it is computed.
    pub device: &'static str,
}

impl ModelIdentity {
    /// Of a model from `source`; `adds` is what decides its answers beside its files.
    ///
    /// # Errors
    /// A file that cannot be read, or weights that changed since they were pulled.
    pub(crate) fn of(source: &ModelSource, weights: &Weights, device: &Device, adds: &str) -> Result<Self> {
        Ok(Self {
            id: source.id(),
            sha256: source.weights_sha256(weights)?,
            settings_sha256: source.settings_sha256(adds)?,
            dtype: device.usual_precision().name(),
            device: device.name(),
        })
    }
}
