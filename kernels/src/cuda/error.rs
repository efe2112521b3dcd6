//! Errors of GPUs, with a remedy if there is one.

/// The result of GPU operations.
pub type Result<T> = std::result::Result<T, CudaError>;

/// Why a GPU could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CudaError {
    /// An NVIDIA library is missing.
    #[error("{library} was not found on this machine: {remedy}")]
    NoLibrary {
        /// The library.
        library: &'static str,
        /// How to install it.
        remedy: &'static str,
    },
    /// There is no GPU with this ordinal.
    #[error("there is no CUDA device {ordinal}: this machine has {found} (numbering starts at 0)")]
    NoDevice {
        /// The requested ordinal.
        ordinal: usize,
        /// GPUs on this machine.
        found: usize,
    },
    /// The GPU is too old for the kernels.
    #[error("{name} has compute capability {}.{}; the kernels need 8.0 (Ampere) or newer", capability.0, capability.1)]
    TooOld {
        /// The GPU.
        name: String,
        /// Its compute capability.
        capability: (i32, i32),
    },
    /// A call into the driver failed.
    #[error("CUDA failed {doing}: {error}")]
    Driver {
        /// The operation.
        doing: &'static str,
        /// The library's description.
        error: String,
    },
    /// A call into cuBLASLt failed.
    #[error("cuBLASLt failed {doing}: {error}")]
    Product {
        /// The operation.
        doing: &'static str,
        /// The library's description.
        error: String,
    },
    /// A matrix or list is in the memory of another device, or of another handle of the same device.
    #[error("a matrix or list is on another device")]
    OtherDevice,
    /// Sizes do not fit together, or are not supported by the kernels.
    #[error("{0}")]
    Shape(String),
    /// A tensor on the host could not be read.
    #[error(transparent)]
    Host(#[from] candle_core::Error),
}
