//! Access to the numbers of a contiguous tensor in host memory; refuses every other tensor.

use std::marker::PhantomData;
use std::ops::{Deref, Range};

use candle_core::{Error, Result, Storage, Tensor, WithDType};

/// The values of an f32 tensor in row-major order, for as long as the result is held.
///
/// # Errors
/// When the tensor is not f32, not contiguous or not in host memory.
pub(crate) fn host_values(tensor: &Tensor) -> Result<impl Deref<Target = [f32]> + '_> {
    host_numbers::<f32>(tensor)
}

/// The same of a tensor of another type.
///
/// # Errors
/// When the tensor is not of that type, not contiguous or not in host memory.
pub(crate) fn host_numbers<T: WithDType>(tensor: &Tensor) -> Result<impl Deref<Target = [T]> + '_> {
    let (storage, layout) = tensor.storage_and_layout();
    let refuse = |what: &str| {
        let shape = layout.shape();
        Error::Msg(format!("a host kernel was given a tensor {shape:?} that is {what}"))
    };
    let Some((start, end)) = layout.contiguous_offsets() else {
        return Err(refuse("not contiguous"));
    };
    match &*storage {
        Storage::Cpu(values) if values.as_slice::<T>().is_ok() => {
            Ok(Held { storage, range: start..end, numbers: PhantomData })
        }
        _ => Err(refuse(&format!("not {} in host memory", T::DTYPE.as_str()))),
    }
}

/// A lock on a tensor's storage that was checked to be of its type in host memory.
struct Held<S, T> {
    storage: S,
    range: Range<usize>,
    numbers: PhantomData<T>,
}

impl<S: Deref<Target = Storage>, T: WithDType> Deref for Held<S, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &*self.storage {
            Storage::Cpu(values) => {
                let values = values.as_slice::<T>().expect("checked when it was made");
                &values[self.range.clone()]
            }
            _ => unreachable!("checked when it was made"),
        }
    }
}
