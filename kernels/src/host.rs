//! Access to the values of contiguous tensors in host memory. Refuses all other tensors.

use std::marker::PhantomData;
use std::ops::{Deref, Range};

use candle_core::{Error, Result, Storage, Tensor, WithDType};

/// Borrows the values of an f32 tensor, in row-major order.
///
/// # Errors
/// When the tensor is not f32, not contiguous or not in host memory.
pub(crate) fn host_values(tensor: &Tensor) -> Result<impl Deref<Target = [f32]> + '_> {
    host_values_of::<f32>(tensor)
}

/// Borrows the values of a tensor of another dtype.
///
/// # Errors
/// When the tensor is not of that dtype, not contiguous or not in host memory.
pub(crate) fn host_values_of<T: WithDType>(tensor: &Tensor) -> Result<impl Deref<Target = [T]> + '_> {
    let (storage, layout) = tensor.storage_and_layout();
    let refuse = |what: &str| {
        let shape = layout.shape();
        Error::Msg(format!("a host kernel was given a tensor of shape {shape:?} that is {what}"))
    };
    let Some((start, end)) = layout.contiguous_offsets() else {
        return Err(refuse("not contiguous"));
    };
    match &*storage {
        Storage::Cpu(values) if values.as_slice::<T>().is_ok() => {
            Ok(Values { storage, range: start..end, dtype: PhantomData })
        }
        _ => Err(refuse(&format!("not {} in host memory", T::DTYPE.as_str()))),
    }
}

/// A read lock on a tensor's storage, which is known to be in host memory with dtype `T`.
struct Values<S, T> {
    storage: S,
    range: Range<usize>,
    dtype: PhantomData<T>,
}

impl<S: Deref<Target = Storage>, T: WithDType> Deref for Values<S, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &*self.storage {
            Storage::Cpu(values) => {
                let values = values.as_slice::<T>().expect("the dtype is checked at construction");
                &values[self.range.clone()]
            }
            _ => unreachable!("the device is checked at construction"),
        }
    }
}
