//! Access to the numbers of a contiguous f32 tensor in host memory; refuses every other tensor.

use std::ops::{Deref, Range};

use candle_core::{Error, Result, Storage, Tensor};

/// The values of a tensor in row-major order, for as long as the result is held.
///
/// # Errors
/// When the tensor is not f32, not contiguous or not in host memory.
pub(crate) fn host_values(tensor: &Tensor) -> Result<impl Deref<Target = [f32]> + '_> {
    let (storage, layout) = tensor.storage_and_layout();
    let refuse = |what: &str| {
        let shape = layout.shape();
        Error::Msg(format!("a host kernel was given a tensor {shape:?} that is {what}"))
    };
    let Some((start, end)) = layout.contiguous_offsets() else {
        return Err(refuse("not contiguous"));
    };
    match &*storage {
        Storage::Cpu(values) if values.as_slice::<f32>().is_ok() => Ok(Held { storage, range: start..end }),
        _ => Err(refuse("not f32 in host memory")),
    }
}

/// A lock on a tensor's storage that was checked to be f32 in host memory.
struct Held<S> {
    storage: S,
    range: Range<usize>,
}

impl<S: Deref<Target = Storage>> Deref for Held<S> {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match &*self.storage {
            Storage::Cpu(values) => {
                let values = values.as_slice::<f32>().expect("checked when it was made");
                &values[self.range.clone()]
            }
            _ => unreachable!("checked when it was made"),
        }
    }
}
