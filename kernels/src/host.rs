//! Access to the numbers of a contiguous f32 tensor in host memory; refuses every other tensor.

use candle_core::{DType, Error, Result, Storage, Tensor};

/// Calls `job` with the tensor's values in row-major order.
///
/// # Errors
/// When the tensor is not f32, not contiguous or not in host memory.
pub(crate) fn with_values<R>(tensor: &Tensor, job: impl FnOnce(&[f32]) -> R) -> Result<R> {
    let (storage, layout) = tensor.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else {
        return Err(Error::Msg("a host kernel was given a device tensor".into()));
    };
    let Some((start, end)) = layout.contiguous_offsets() else {
        return Err(Error::Msg(format!(
            "a host kernel was given a tensor that is not contiguous: {:?}",
            layout.shape()
        )));
    };
    if tensor.dtype() != DType::F32 {
        return Err(Error::Msg(format!("a host kernel was given {:?}, it takes F32", tensor.dtype())));
    }
    Ok(job(&storage.as_slice::<f32>()?[start..end]))
}
