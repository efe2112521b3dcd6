//! What is asked of a GPU: memory, copies, kernels by name, products with weights. Two drivers can answer: NVIDIA's,
//! or the emulation on the host.

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

/// How a kernel is started.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch<'n> {
    pub(super) kernel: &'n str,
    /// Blocks in x and y.
    pub(super) blocks: (usize, usize),
    /// Threads of a block.
    pub(super) threads: usize,
    /// Dynamic shared memory of a block.
    pub(super) shared_bytes: usize,
}

/// A product `x W^T + b` for any number of rows of x, rounded to `numbers` or, where it `is_wide`, left in f32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProductShape {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) has_bias: bool,
    pub(super) dtype: Dtype,
    pub(super) is_wide: bool,
}

/// Addresses of a product's parts: W `(outputs, inputs)`, b `(outputs)`, x `(rows, inputs)`, out `(rows, outputs)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands {
    pub(super) weight: u64,
    pub(super) bias: u64,
    pub(super) x: u64,
    pub(super) out: u64,
    pub(super) rows: usize,
}
