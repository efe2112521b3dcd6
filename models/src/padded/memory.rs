//! Errors of a device that has run out of memory.

use crate::device::ComputeDevice;
use crate::error::ModelError;

/// Whether a device has run out of memory, by the words of CUDA, cuBLAS and Metal.
pub(super) fn is_of_memory(error: &ModelError) -> bool {
    let ModelError::Tensor(error) = error else { return false };
    let words = error.to_string().to_lowercase();
    ["out of memory", "out_of_memory", "alloc_failed", "failed to allocate"]
        .iter()
        .any(|part| words.contains(part))
}

/// The same error, or one of the device's memory if it is one.
pub(super) fn as_memory(
    error: ModelError,
    device: ComputeDevice,
    what: impl FnOnce() -> String,
) -> ModelError {
    if is_of_memory(&error) {
        ModelError::Memory { device: device.to_string(), what: what(), reason: error.to_string() }
    } else {
        error
    }
}
