//! The driver interface: memory, copies, kernels by name, products with weights. It is implemented by NVIDIA's driver and
//! by the emulation on the host.

#[cfg(feature = "cuda-emulation")]
mod emulated;
#[cfg(not(feature = "cuda-emulation"))]
mod nvidia;
#[cfg(not(feature = "cuda-emulation"))]
mod pinned;
#[cfg(any(test, not(feature = "cuda-emulation")))]
mod pool;
#[cfg(not(feature = "cuda-emulation"))]
mod products;

#[cfg(feature = "cuda-emulation")]
pub(super) use emulated::{Driver, Memory, Plan, Reading};
#[cfg(not(feature = "cuda-emulation"))]
pub(super) use {nvidia::Driver, nvidia::Memory, nvidia::Reading, products::Plan};

use super::Dtype;

/// A kernel launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch<'n> {
    pub(super) kernel: &'n str,
    /// Numbers of blocks in x and y.
    pub(super) blocks: (usize, usize),
    /// Threads per block.
    pub(super) threads: usize,
    /// Dynamic shared memory per block.
    pub(super) shared_bytes: usize,
}

/// The shape of a product `x W^T + b` with any number of rows of x. The output is rounded to `dtype` unless it `is_wide`,
/// when it stays in f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProductShape {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) has_bias: bool,
    pub(super) dtype: Dtype,
    pub(super) is_wide: bool,
}

/// Addresses of a product's operands: W `(outputs, inputs)`, b `(outputs)`, x `(rows, inputs)`, out `(rows, outputs)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands {
    pub(super) weight: u64,
    pub(super) bias: u64,
    pub(super) x: u64,
    pub(super) out: u64,
    pub(super) rows: usize,
}
