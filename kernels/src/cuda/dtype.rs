//! The dtype of states and weights on a GPU. Sums are always in f32.

use half::{bf16, f16};

/// A 16-bit floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dtype {
    /// IEEE half precision: 11 significant bits, up to 65,504.
    #[default]
    F16,
    /// bfloat16: 8 significant bits, the range of f32.
    Bf16,
}

impl Dtype {
    /// Its name in kernels, settings and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// The bits of the nearest value.
    pub(crate) fn round_to_bits(self, x: f32) -> u16 {
        match self {
            Self::F16 => f16::from_f32(x).to_bits(),
            Self::Bf16 => bf16::from_f32(x).to_bits(),
        }
    }

    /// The value with these bits.
    pub(crate) fn to_f32(self, bits: u16) -> f32 {
        match self {
            Self::F16 => f16::from_bits(bits).to_f32(),
            Self::Bf16 => bf16::from_bits(bits).to_f32(),
        }
    }
}
