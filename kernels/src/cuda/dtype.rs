//! The 16-bit numbers of states and weights on a GPU. Sums are in f32 throughout.

use half::{bf16, f16};

/// A 16-bit floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dtype {
    /// IEEE's: 11 significant bits, up to 65,504.
    #[default]
    F16,
    /// 8 significant bits, the range of f32.
    Bf16,
}

impl Dtype {
    /// Its short name, as kernels, flags and results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// The nearest number's bits.
    pub(crate) fn round_to_bits(self, x: f32) -> u16 {
        match self {
            Self::F16 => f16::from_f32(x).to_bits(),
            Self::Bf16 => bf16::from_f32(x).to_bits(),
        }
    }

    /// The number of these bits.
    pub(crate) fn to_f32(self, bits: u16) -> f32 {
        match self {
            Self::F16 => f16::from_bits(bits).to_f32(),
            Self::Bf16 => bf16::from_bits(bits).to_f32(),
        }
    }
}
