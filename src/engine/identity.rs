//! The identity of a model, as recorded in results.

use serde::Serialize;
use veridic_models::{ModelIdentity, NliModel};

/// A model, its digests and its arithmetic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelId {
    /// Its name or folder, as given.
    pub id: String,
    /// SHA-256 of the weights.
    pub sha256: String,
    /// SHA-256 of its configuration, tokenizer and label order.
    pub settings_sha256: String,
    /// The dtype of its products.
    pub dtype: &'static str,
    /// The processor unit on which the last digits of its outputs depend; omitted if all processors compute the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

/// The identity of an NLI model.
pub(crate) fn nli_id(model: &NliModel) -> ModelId {
    let info = model.info();
    ModelId {
        id: info.id.clone(),
        sha256: info.sha256.clone(),
        settings_sha256: model.settings_sha256().to_owned(),
        dtype: model.precision().name(),
        unit: model.unit(),
    }
}

/// The identity of another model.
pub(crate) fn model_id(model: &ModelIdentity) -> ModelId {
    let ModelIdentity { id, sha256, settings_sha256, dtype } = model.clone();
    ModelId { id, sha256, settings_sha256, dtype, unit: None }
}
