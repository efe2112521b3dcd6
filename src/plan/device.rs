//! The dtype of an NLI model's products, and its device.

use veridic_models::{ComputeDevice, Precision};

use crate::named;

/// The dtype of an NLI model's products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dtype {
    /// The fastest accurate dtype on this processor.
    #[default]
    Auto,
    /// 32-bit floating point.
    F32,
    /// 8-bit integers with scales.
    Int8,
    /// bfloat16, sums in 32 bits, on processors with instructions for it.
    Bf16,
}

named!(Dtype, "dtype", { Auto = "auto", F32 = "f32", Int8 = "int8", Bf16 = "bf16" });

impl Dtype {
    /// The precision to load a model in; `None` for [`Dtype::Auto`].
    #[must_use]
    pub fn precision(self) -> Option<Precision> {
        match self {
            Self::Auto => None,
            Self::F32 => Some(Precision::F32),
            Self::Int8 => Some(Precision::Int8),
            Self::Bf16 => Some(Precision::Bf16),
        }
    }
}

/// Reads a device that this program was built for.
pub(super) fn device(text: &str) -> Result<ComputeDevice, String> {
    let device: ComputeDevice = text.parse()?;
    device.check()?;
    Ok(device)
}
