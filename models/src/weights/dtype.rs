//! The dtypes of stored weights, and their conversion to f32.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

/// A dtype that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredDtype {
    F32,
    F16,
    Bf16,
    /// 8-bit integers; they have a meaning only with scales (`rows8.rs`).
    Int8,
}

impl StoredDtype {
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

    /// Stored values as f32.
    pub(super) fn to_f32(self, raw: &[u8]) -> Vec<f32> {
        match self {
            Self::F32 => raw.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Self::F16 => halves_to_f32(raw, f16::from_le_bytes),
            Self::Bf16 => halves_to_f32(raw, bf16::from_le_bytes),
            Self::Int8 => raw.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        }
    }
}

/// 16-bit values as f32, a block at a time.
fn halves_to_f32<H>(raw: &[u8], half: fn([u8; 2]) -> H) -> Vec<f32>
where
    [H]: HalfFloatSliceExt,
{
    const BLOCK: usize = 4096;
    let all = raw.as_chunks::<2>().0;
    let mut values = vec![0.0; all.len()];
    let mut halves = Vec::with_capacity(BLOCK);
    for (block, values) in all.chunks(BLOCK).zip(values.chunks_mut(BLOCK)) {
        halves.clear();
        halves.extend(block.iter().map(|bytes| half(*bytes)));
        halves.convert_to_f32_slice(values);
    }
    values
}
