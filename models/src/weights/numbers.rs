//! The types of numbers that weights are stored in, and how each becomes f32.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

/// Numbers that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    F32,
    F16,
    Bf16,
    /// Whole numbers of 8 bits. They mean something only with scales (`rows8.rs`).
    Int8,
}

impl Number {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Int8 => 1,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::F32 => "F32",
            Self::F16 => "F16",
            Self::Bf16 => "BF16",
            Self::Int8 => "I8",
        }
    }

    /// Stored numbers as f32.
    pub(super) fn widen(self, raw: &[u8]) -> Vec<f32> {
        match self {
            Self::F32 => raw.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Self::F16 => widen(raw, f16::from_le_bytes),
            Self::Bf16 => widen(raw, bf16::from_le_bytes),
            Self::Int8 => raw.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        }
    }
}

/// 16-bit numbers as f32, a block at a time.
fn widen<H>(raw: &[u8], number: fn([u8; 2]) -> H) -> Vec<f32>
where
    [H]: HalfFloatSliceExt,
{
    const BLOCK: usize = 4096;
    let all = raw.as_chunks::<2>().0;
    let mut wide = vec![0.0; all.len()];
    let mut narrow = Vec::with_capacity(BLOCK);
    for (block, wide) in all.chunks(BLOCK).zip(wide.chunks_mut(BLOCK)) {
        narrow.clear();
        narrow.extend(block.iter().map(|bytes| number(*bytes)));
        narrow.convert_to_f32_slice(wide);
    }
    wide
}
