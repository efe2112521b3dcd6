//! The networks' operations on NVIDIA GPUs, on packed batches: own kernels (`source/`), and cuBLASLt for products with
//! weights. This module manages the device memory; candle's tensors stay on the host.
//!
//! Work is queued on one stream. Calls return once it is queued; only [`Download::wait`] waits for the GPU. CUDA's
//! libraries are loaded when a device is opened, so that programs start without them.
//!
//! With feature `cuda-emulation`, the same kernels run on the host, and products are plain loops. This is slow, but tests
//! the logic and layouts of kernels, and the code around them, without a GPU.
//!
//! A row's result is meant to depend only on that row (in attention, on its sequence). The kernels compute each row
//! separately and in the same order at any position. A product uses the algorithm chosen when its weights are loaded, for
//! any number of rows and without splitting sums. cuBLASLt computes a row in the same order at any position, but NVIDIA
//! does not guarantee this.

mod arguments;
mod attention;
mod device;
mod driver;
mod dtype;
mod error;
mod key_value_cache;
mod layout;
mod linear;
mod rotary;
mod rows;
mod sequences;

pub use attention::{
    Attention, AttentionInputs, Distances, RelativePositions, StepAttention, StepBias, StepKeys, StepLists,
};
pub use device::{Columns, Cuda, Download, IndexLists, Indices, Matrix, Vector};
pub use dtype::Dtype;
pub use error::{CudaError, Result};
pub use key_value_cache::KeyValueCache;
pub use layout::Layout;
pub use linear::{Linear, WideLinear};
pub use rotary::Rotary;
pub use rows::{Norm, ScoreHead, Table, activate, gated, gather, gather_wide};
pub use sequences::{means, unfold};

#[cfg(test)]
mod tests;
