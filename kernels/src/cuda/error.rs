//! What can go wrong with a GPU, with the way out where there is one.

/// The result of functions on a GPU.
pub type Result<T> = std::result::Result<T, CudaError>;

/// A GPU could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CudaError {
    /// A library of NVIDIA's is not on this machine.
    #[error("{library} was not found on this machine: {remedy}")]
    NoLibrary {
        /// The library.
        library: &'static str,
        /// What brings it.
        remedy: &'static str,
    },
    /// There is no GPU of that number.
    #[error("there is no CUDA device {ordinal}: {found} were found (numbers start at 0)")]
    NoDevice {
        /// The number that was asked for.
        ordinal: usize,
        /// GPUs on this machine.
        found: usize,
    },
    /// The GPU lacks instructions that the kernels use.
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
        /// What it was asked to do.
        doing: &'static str,
        /// What it said.
        error: String,
    },
    /// A call into cuBLASLt failed.
    #[error("cuBLASLt failed {doing}: {error}")]
    Product {
        /// What it was asked to do.
        doing: &'static str,
        /// What it said.
        error: String,
    },
    /// What is asked for lies in another GPU's memory, or belongs to the same GPU opened anew.
    #[error("a matrix or list of another device was given to this one")]
    OtherDevice,
    /// Sizes do not fit together, or are none that the kernels take.
    #[error("{0}")]
    Shape(String),
    /// A tensor on the host could not be read.
    #[error(transparent)]
    Host(#[from] candle_core::Error),
}
