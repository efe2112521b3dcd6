//! Reads config.json, and refuses sizes that no published model has and functions that are not computed.

use serde::de::DeserializeOwned;
use veridic_kernels::{Activation, Heads};
use veridic_store::quoting::{short_id, without_values};

use crate::error::{Result, refuse};

/// Far above any size of a published model; products of two sizes fit into 64 bits.
pub(crate) const LARGEST_SIZE: usize = 1 << 24;

/// The fields of config.json; `file` is named in errors.
pub(crate) fn config_fields<F: DeserializeOwned>(json: &[u8], file: &str) -> Result<F> {
    serde_json::from_slice(json)
        .map_err(|e| refuse(file, format!("is not a model configuration: {}", without_values(&e))))
}

/// The default of a size, for serde.
pub(crate) fn size<const SIZE: usize>() -> usize {
    SIZE
}

/// Refuses a size of 0 or beyond [`LARGEST_SIZE`]; each comes with its field's name.
pub(crate) fn check_sizes(sizes: &[(&str, usize)]) -> std::result::Result<(), String> {
    match sizes.iter().find(|(_, size)| *size == 0 || *size > LARGEST_SIZE) {
        Some((name, size)) => Err(format!("has {name} {size}")),
        None => Ok(()),
    }
}

/// Heads that share the hidden columns; their size must be a multiple of `unit`.
pub(crate) fn heads_of(hidden: usize, count: usize, unit: usize) -> std::result::Result<Heads, String> {
    if hidden.is_multiple_of(unit * count) {
        return Ok(Heads { count, size: hidden / count });
    }
    let times = if unit == 2 { "twice " } else { "" };
    Err(format!("hidden_size {hidden} is not a multiple of {times}num_attention_heads {count}"))
}

/// The function that a field names, or its default.
pub(crate) fn activation(
    field: &str,
    given: Option<&str>,
    default: &str,
) -> std::result::Result<Activation, String> {
    let name = given.unwrap_or(default);
    Activation::from_name(name)
        .ok_or(format!("{field} is `{}`; gelu, relu, silu and tanh are supported", short_id(name)))
}
