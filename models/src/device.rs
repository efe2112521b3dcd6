//! Where networks are computed: on the host, on an NVIDIA GPU, or by candle's own operations on a device of its.

use veridic_kernels::Precision;
#[cfg(feature = "cuda")]
use veridic_kernels::cuda::{Cuda, Dtype};

use crate::error::{ModelError, Result};
use crate::weights::Weights;

/// Tokens of a batch on the host, unless the caller sets them: what is between two layers stays in the cache.
const HOST_BATCH_TOKENS: usize = 2048;

/// The same on a GPU: enough for all of a large one's processors.
#[cfg(feature = "cuda")]
const CUDA_BATCH_TOKENS: usize = 32_768;

/// Where a network is computed. Clones share the device.
#[derive(Clone, Default)]
pub enum Device {
    /// This machine's processor.
    #[default]
    Host,
    /// A device of candle's, such as the GPU of a Mac: NLI models are computed there by candle's operations in f32, other
    /// networks on the host.
    Candle(candle_core::Device),
    /// An NVIDIA GPU.
    #[cfg(feature = "cuda")]
    Cuda(Cuda),
}

impl Device {
    /// The GPU of that number.
    ///
    /// # Errors
    /// [`ModelError::Device`] when there is none that can be used, or this build has no CUDA.
    #[cfg(feature = "cuda")]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        Ok(Self::Cuda(Cuda::open(ordinal, Dtype::default())?))
    }

    /// The GPU of that number.
    ///
    /// # Errors
    /// [`ModelError::Device`]: this build has no CUDA.
    #[cfg(not(feature = "cuda"))]
    pub fn cuda(ordinal: usize) -> Result<Self> {
        let reason =
            "this build has no CUDA; build it with `--features cuda` (docs/how-to/gpu.md says how)".into();
        Err(ModelError::Device { device: format!("cuda:{ordinal}"), reason })
    }

    /// The GPU of a Mac.
    ///
    /// # Errors
    /// [`ModelError::Device`] when there is none that can be used.
    #[cfg(feature = "metal")]
    pub fn metal() -> Result<Self> {
        let told = |error: candle_core::Error| ModelError::Device {
            device: "metal".to_owned(),
            reason: error.to_string(),
        };
        candle_core::Device::new_metal(0).map(Self::Candle).map_err(told)
    }

    /// The GPU of a Mac.
    ///
    /// # Errors
    /// [`ModelError::Device`]: this build has no Metal.
    #[cfg(not(feature = "metal"))]
    pub fn metal() -> Result<Self> {
        let reason = "this build has no Metal; build it on a Mac with `--features metal`".into();
        Err(ModelError::Device { device: "metal".to_owned(), reason })
    }

    /// Where networks are computed that candle's devices are not taken for.
    pub(crate) fn for_other_networks(&self) -> Self {
        match self {
            Self::Candle(_) => Self::Host,
            other => other.clone(),
        }
    }

    /// Its short name, as results have it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Host => "cpu",
            Self::Candle(device) if device.is_metal() => "metal",
            Self::Candle(_) => "candle",
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => "cuda",
        }
    }

    /// The numbers that it computes in unless told otherwise.
    #[must_use]
    pub fn usual_precision(&self) -> Precision {
        match self {
            Self::Host | Self::Candle(_) => Precision::F32,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => Precision::F16,
        }
    }

    /// The numbers that a classifier with these weights is computed in, unless told otherwise: on the host the very 8-bit integers
    /// of layers that are stored so, else bf16 where the processor multiplies it, else f32.
    pub(crate) fn precision_for(&self, weights: &Weights) -> Precision {
        match self {
            Self::Host if weights.are_in_rows8() => Precision::Int8,
            Self::Host if Precision::Bf16.is_supported() => Precision::Bf16,
            _ => self.usual_precision(),
        }
    }

    /// What results depend on beside model and input.
    #[must_use]
    pub fn arithmetic(&self) -> String {
        match self {
            Self::Host => "cpu 3".to_owned(),
            Self::Candle(_) => format!("candle 1 {}", self.name()),
            #[cfg(feature = "cuda")]
            Self::Cuda(cuda) => format!("cuda 1 {}", cuda.arithmetic()),
        }
    }

    /// Tokens of a batch, unless the caller sets them.
    #[must_use]
    pub fn batch_tokens(&self) -> usize {
        match self {
            Self::Host | Self::Candle(_) => HOST_BATCH_TOKENS,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => CUDA_BATCH_TOKENS,
        }
    }

    /// Batches that are on their way at once: a GPU's next one is made ready and queued while it computes.
    #[must_use]
    pub fn batches_underway(&self) -> usize {
        match self {
            Self::Host | Self::Candle(_) => 1,
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => 2,
        }
    }

    /// Refuses numbers that it does not compute in.
    pub(crate) fn check(&self, precision: Precision) -> Result<()> {
        let computes: &[Precision] = match self {
            Self::Host if Precision::Bf16.is_supported() => {
                &[Precision::F32, Precision::Bf16, Precision::Int8]
            }
            Self::Host => &[Precision::F32, Precision::Int8],
            Self::Candle(_) => &[Precision::F32],
            #[cfg(feature = "cuda")]
            Self::Cuda(_) => &[Precision::F16, Precision::Bf16],
        };
        if computes.contains(&precision) {
            return Ok(());
        }
        let names: Vec<&str> = computes.iter().map(|precision| precision.name()).collect();
        let (last, others) = names.split_last().expect("every device computes in something");
        let names = match others {
            [] => (*last).to_owned(),
            others => format!("{} and {last}", others.join(", ")),
        };
        let why = match (self, precision) {
            (Self::Host, Precision::Bf16) => {
                ": its processor has no instructions for that (AMX, AVX-512 BF16 or Arm's BF16)"
            }
            _ => "",
        };
        let reason = format!("it computes in {names}, not in {}{why}", precision.name());
        Err(ModelError::Device { device: self.name().to_owned(), reason })
    }
}

/// A GPU in numbers that it computes in.
#[cfg(feature = "cuda")]
pub(crate) fn in_numbers(cuda: &Cuda, precision: Precision) -> Cuda {
    cuda.with_dtype(if precision == Precision::Bf16 { Dtype::Bf16 } else { Dtype::F16 })
}
