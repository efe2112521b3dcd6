//! Where networks are computed: on the host or on an NVIDIA GPU.

use veridic_kernels::Precision;
#[cfg(feature = "cuda")]
use veridic_kernels::cuda::{Cuda, Dtype};

use crate::error::{ModelError, Result};
use crate::weights::Weights;

/// Tokens of a batch on the host, unless the caller sets them: the states between two layers stay in the cache.
const HOST_BATCH_TOKENS: usize = 2048;

/// The same of a thread where many clients wait for each other: enough rows for its products.
const HOST_QUEUE_TOKENS: usize = 64;

/// The same on a GPU: enough for all processors of a large one.
#[cfg(feature = "cuda")]
const CUDA_BATCH_TOKENS: usize = 32_768;

/// Where a network is computed. Clones share the device.
#[derive(Clone, Default)]
pub enum Device {
    /// This machine's processor.
    #[default]
    Host,
    /// An NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda(Cuda),
}

impl Device {
    /// The GPU of that number.
    ///
    /// # Errors
    /// [`ModelError::Cuda`] when it cannot be used; [`ModelError::Setting`] when this build has no CUDA.
    #[cfg(feature = "cuda")]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::Cuda(Cuda::open(ordinal, Dtype::default())?))
    }

    /// The GPU of that number.
    ///
    /// # Errors
    /// [`ModelError::Setting`]: this build has no CUDA.
    #[cfg(not(feature = "cuda"))]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Err(ModelError::Setting {
            setting: "device",
            value: format!("cuda:{ordinal}"),
            expected: "this build has no CUDA; build it with the Cargo feature `cuda` (docs/how-to/gpu.md)"
                .into(),
        })
    }

    /// Its short name, as in results.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Host => "cpu",
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => "cuda",
        }
    }

    /// The dtype that it computes in unless another is set.
    #[must_use]
    pub fn usual_precision(&self) -> Precision {
        match self {
            Self::Host => Precision::F32,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => Precision::F16,
        }
    }

    /// The dtype that a classifier with these weights is computed in unless another is set: on the host 8-bit integers
    /// for weights that are stored so, else bf16 where the processor multiplies it, else f32.
    pub(crate) fn precision_for(&self, weights: &Weights) -> Precision {
        match self {
            Self::Host if weights.are_in_rows8() => Precision::Int8,
            Self::Host if Precision::Bf16.is_supported() => Precision::Bf16,
            _ => self.usual_precision(),
        }
    }

    /// What results depend on besides model and input.
    #[must_use]
    pub fn arithmetic(&self) -> String {
        match self {
            Self::Host => "cpu 3".to_owned(),
            #[cfg(feature = "cuda")]
            Self::Cuda(cuda) => format!("cuda 1 {}", cuda.arithmetic()),
        }
    }

    /// Tokens of a batch, unless the caller sets them.
    #[must_use]
    pub fn batch_tokens(&self) -> usize {
        match self {
            Self::Host => HOST_BATCH_TOKENS,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => CUDA_BATCH_TOKENS,
        }
    }

    /// The same where many clients wait for each other on so many threads: on the host as few as cost nothing, so that the
    /// wait does not depend on the number of threads.
    #[must_use]
    pub fn queue_tokens(&self, threads: usize) -> usize {
        match self {
            Self::Host => HOST_BATCH_TOKENS.min(HOST_QUEUE_TOKENS * threads),
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => CUDA_BATCH_TOKENS,
        }
    }

    /// Batches in flight at once: a GPU's next batch is prepared and queued while it computes.
    #[must_use]
    pub fn batches_in_flight(&self) -> usize {
        match self {
            Self::Host => 1,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => 2,
        }
    }

    /// Refuses a dtype that it does not compute in.
    pub(crate) fn check(&self, precision: Precision) -> Result<()> {
        let supported: &[Precision] = match self {
            Self::Host if Precision::Bf16.is_supported() => {
                &[Precision::F32, Precision::Bf16, Precision::Int8]
            }
            Self::Host => &[Precision::F32, Precision::Int8],
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => &[Precision::F16, Precision::Bf16],
        };
        if supported.contains(&precision) {
            return Ok(());
        }
        let names: Vec<&str> = supported.iter().map(|precision| precision.name()).collect();
        let (last, others) = names.split_last().expect("every device computes in some dtype");
        let why = match (self, precision) {
            (Self::Host, Precision::Bf16) => {
                "; the processor has no instructions for bf16 (AMX, AVX-512 BF16 or Arm's BF16)"
            }
            _ => "",
        };
        Err(ModelError::Setting {
            setting: "dtype",
            value: precision.name().to_owned(),
            expected: format!("the device {} computes in {} and {last}{why}", self.name(), others.join(", ")),
        })
    }
}

/// A handle of the GPU that computes in a 16-bit dtype.
#[cfg(feature = "cuda")]
pub(crate) fn in_dtype(cuda: &Cuda, precision: Precision) -> Cuda {
    cuda.with_dtype(if precision == Precision::Bf16 { Dtype::Bf16 } else { Dtype::F16 })
}
