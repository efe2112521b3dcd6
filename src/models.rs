//! Finds models by name: those that come with the program, pulled models and folders. Decides which models are compiled
//! in.

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use veridic_models::{EmbeddedModel, ModelSource, Result, ShippedModels};

/// SHA-256 of the weights of `mini`, by which the model is recognised under any name.
pub(crate) const MINI_SHA256: &str = "1dc0e8839ae3879737f764622e7a1f8f4b95a44c1a8381c040d1baed30a52e54";

/// Folders that callers added.
static ADDED: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Adds a folder of models that the whole process searches first. For interfaces whose models are not beside the
/// running program, such as the Python package.
pub fn add_models_folder(folder: PathBuf) {
    ADDED.write().unwrap_or_else(PoisonError::into_inner).push(folder);
}

/// The models that come with the program.
#[must_use]
pub fn shipped_models() -> ShippedModels {
    let folders = ADDED.read().unwrap_or_else(PoisonError::into_inner).clone();
    ShippedModels { embedded: embedded_models(), folders }
}

/// Finds the model with this name: one that comes with the program, a known name, a folder or a hub id, in this order.
///
/// # Errors
/// When there is no such model on this machine.
pub fn find_model(name: &str) -> Result<ModelSource> {
    ModelSource::find(name, &shipped_models())
}

#[cfg(feature = "bundled")]
fn embedded_models() -> Vec<EmbeddedModel> {
    let veridic_weights::ModelFiles { name, config, tokenizer, weights, sha256, card, rules } =
        veridic_weights::MINI;
    vec![EmbeddedModel { name, config, tokenizer, weights, sha256, card, rules: Some(rules) }]
}

#[cfg(not(feature = "bundled"))]
fn embedded_models() -> Vec<EmbeddedModel> {
    Vec::new()
}

#[cfg(all(test, feature = "bundled"))]
mod tests {
    #[test]
    fn the_digest_of_mini_is_that_of_its_weights() {
        assert_eq!(veridic_weights::MINI.sha256, super::MINI_SHA256);
    }
}
