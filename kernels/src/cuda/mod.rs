//! The operations of the networks on NVIDIA GPUs, on packed batches as everywhere: kernels of our own
//! (`source/`), and cuBLASLt for products with weights. Memory is ours; candle's tensors stay on the host.
//!
//! Work is queued on one stream: calls return when it is queued, and only [`Download::wait`] waits for the GPU.
//! CUDA's libraries are looked for when a device is opened, so a program starts without them.
//!
//! With feature `cuda-emulation` the same kernels run on the host, and products are plain loops: slow, but
//! everything around a GPU, and every kernel's logic and layouts, can be tested where there is none.
//!
//! A row's numbers depend on that row (in attention, on its sequence) alone as far as is in our hands: our kernels
//! compute every row by itself, in the same order wherever it stands; a product uses the one algorithm that was chosen
//! at load for its weights, without splitting sums, whatever the number of rows. That cuBLASLt computes a row in the
//! same order wherever it stands is what NVIDIA's libraries do, not what they promise.

mod arguments;
mod attention;
mod device;
mod driver;
mod dtype;
mod error;
mod key_value_cache;
mod layout;
mod linear;
mod rows;

pub use attention::{
    Attention, AttentionInputs, Distances, RelativePositions, StepAttention, StepBias, StepKeys, StepLists,
};
pub use device::{Columns, Cuda, Download, Indices, Matrix, Uploaded, Vector};
pub use dtype::Dtype;
pub use error::{CudaError, Result};
pub use key_value_cache::KeyValueCache;
pub use layout::Layout;
pub use linear::{Linear, WideLinear};
pub use rows::{Norm, ScoreHead, Table, activate, gated, gather, unfold};

#[cfg(test)]
mod tests;
