//! Reads config.json, and refuses sizes that no published model has.

use serde::de::DeserializeOwned;
use veridic_store::quoting::without_values;

use crate::error::{ModelError, Result};

/// Far above any size of a published model; products of two sizes fit into 64 bits.
pub(crate) const LARGEST_SIZE: usize = 1 << 24;

/// The fields of config.json; `file` is named in errors.
pub(crate) fn config_fields<F: DeserializeOwned>(json: &[u8], file: &str) -> Result<F> {
    serde_json::from_slice(json).map_err(|e| ModelError::Config {
        file: file.to_owned(),
        reason: format!("is not a model configuration: {}", without_values(&e)),
    })
}

/// Refuses a size of 0 or beyond [`LARGEST_SIZE`]; each comes with its field's name.
pub(crate) fn check_sizes(sizes: &[(&str, usize)]) -> std::result::Result<(), String> {
    match sizes.iter().find(|(_, size)| *size == 0 || *size > LARGEST_SIZE) {
        Some((name, size)) => Err(format!("has {name} {size}")),
        None => Ok(()),
    }
}
