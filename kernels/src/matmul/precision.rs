//! The dtype of a layer's products, and what this processor supports of it.

use candle_core::{Error, Result};

use super::bf16::Bf16Isa;

/// The dtype in which a layer's products are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 32-bit floating point.
    #[default]
    F32,
    /// 8-bit integers with scales: weights per column, values per row. Faster than f32 and less exact.
    Int8,
    /// bfloat16 (8 significant bits, the range of f32), sums in f32, on processors with instructions for it.
    Bf16,
}

impl Precision {
    /// Its name in settings and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Int8 => "int8",
            Self::Bf16 => "bf16",
        }
    }

    /// The instruction set of attention's products in a layer of this precision; none for f32. With 8-bit layers, attention
    /// is in bf16 if that is much faster than f32.
    pub(crate) fn of_attention(self) -> Result<Option<Bf16Isa>> {
        match self {
            Self::F32 => Ok(None),
            Self::Int8 => Ok(Bf16Isa::best().filter(|isa| isa.is_much_faster_than_f32())),
            Self::Bf16 => bf16().map(Some),
        }
    }

    /// The processor unit on which the last digits of results in this precision depend; none if all processors compute the
    /// same, or if this processor does not support the precision.
    #[must_use]
    pub fn unit(self) -> Option<&'static str> {
        self.of_attention().ok().flatten().map(Bf16Isa::name)
    }

    /// Whether this processor supports the precision.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Self::F32 | Self::Int8 => true,
            Self::Bf16 => Bf16Isa::best().is_some(),
        }
    }
}

/// The instruction set for bf16 products.
pub(super) fn bf16() -> Result<Bf16Isa> {
    Bf16Isa::best().ok_or_else(|| Error::Msg("this processor does not support bf16".to_owned()))
}
