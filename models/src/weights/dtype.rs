//! The dtypes of stored weights.

use candle_core::DType;

/// A dtype that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredDtype {
    /// F32, F16 or BF16.
    Float(DType),
    /// 8-bit integers; they have a meaning only with scales (`rows8.rs`).
    Int8,
}

impl StoredDtype {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Float(dtype) => dtype.size_in_bytes(),
            Self::Int8 => 1,
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Float(dtype) => dtype.as_str().to_uppercase(),
            Self::Int8 => "I8".to_owned(),
        }
    }
}
