//! Matrices as rows of 8-bit integers: `NAME.int8`, (rows, columns) of I8, and `NAME.scale`, one F32, F16 or BF16 value
//! per row, represent the matrix `NAME` with `value = int8 * scale`. The two may lie in different parts of the weights.
//! Incomplete or inconsistent pairs are refused when the files are opened.
//!
//! 8-bit products and look-ups of rows use the integers as they are stored; everything else converts them to f32.

use std::borrow::Cow;

use candle_core::{DType, Device, Tensor};

use super::dtype::StoredDtype;
use super::stored::Stored;
use crate::error::Result;

/// The suffix of the integers' name.
const INTEGERS: &str = ".int8";

/// The suffix of the scales' name.
const SCALES: &str = ".scale";

/// The names of a matrix in 8-bit rows and of its scales.
pub(super) struct Rows8Names {
    pub(super) matrix: String,
    pub(super) scales: String,
}

impl Rows8Names {
    /// The names that belong to a tensor of integers; `None` for any other tensor.
    pub(super) fn of(integers: &str) -> Option<Self> {
        let matrix = integers.strip_suffix(INTEGERS).filter(|name| !name.is_empty())?.to_owned();
        Some(Self { scales: format!("{matrix}{SCALES}"), matrix })
    }

    /// Checks that the scales fit the integers. The error names the tensor.
    pub(super) fn check(
        &self,
        integers: &Stored,
        scales: Option<&Stored>,
        is_stored_twice: bool,
    ) -> std::result::Result<(), String> {
        let Self { matrix: name, scales: scales_name } = self;
        if integers.dtype != Ok(StoredDtype::Int8) {
            let given = integers.dtype_name();
            return Err(format!("tensor `{name}{INTEGERS}` has dtype {given}, 8-bit rows need I8"));
        }
        let [rows, _] = integers.shape[..] else {
            return Err(format!(
                "tensor `{name}{INTEGERS}` has shape {:?}, a matrix is needed",
                integers.shape
            ));
        };
        let Some(scales) = scales else {
            return Err(format!(
                "tensor `{name}{INTEGERS}` has no scales: `{scales_name}` with one value for each of its {rows} rows is missing"
            ));
        };
        if scales.shape != [rows] {
            return Err(format!(
                "tensor `{scales_name}` has shape {:?}, `{name}{INTEGERS}` has {rows} rows: one value per row is needed",
                scales.shape
            ));
        }
        if !matches!(scales.dtype, Ok(StoredDtype::Float(_))) {
            let given = scales.dtype_name();
            return Err(format!(
                "tensor `{scales_name}` has dtype {given}; scales of F32, F16 and BF16 are read"
            ));
        }
        if is_stored_twice {
            Err(format!("matrix `{name}` is stored twice, also as `{name}{INTEGERS}`"))
        } else {
            Ok(())
        }
    }
}

/// A matrix in its stored dtype, (rows, columns).
pub(crate) enum Matrix {
    /// Floating-point values of 16 or 32 bits.
    Floats(Tensor),
    /// 8-bit rows.
    Rows8(Rows8),
}

/// Rows of 8-bit integers, each with a scale.
pub(crate) struct Rows8 {
    /// (rows, columns), two's complement; not copied when they are compiled into the program.
    bytes: Cow<'static, [u8]>,
    /// (rows)
    scales: Vec<f32>,
}

impl Matrix {
    /// The matrix in f32; copied only if it is stored in fewer bits.
    pub(crate) fn to_f32(&self) -> Result<Tensor> {
        match self {
            Self::Floats(tensor) => Ok(tensor.to_dtype(DType::F32)?),
            Self::Rows8(rows) => {
                let shape = (rows.count(), rows.columns());
                Ok(Tensor::from_vec(rows.to_f32(0..rows.count()), shape, &Device::Cpu)?)
            }
        }
    }

    /// Some of its rows, in that order.
    pub(crate) fn picked(&self, rows: &[usize]) -> Result<Self> {
        match self {
            Self::Floats(tensor) => {
                let rows: Vec<u32> = rows.iter().map(|row| *row as u32).collect();
                Ok(Self::Floats(tensor.index_select(&Tensor::new(rows, &Device::Cpu)?, 0)?))
            }
            Self::Rows8(all) => {
                let columns = all.columns();
                let row = |row: &usize| &all.bytes[row * columns..(row + 1) * columns];
                let bytes: Vec<&[u8]> = rows.iter().map(row).collect();
                let scales = rows.iter().map(|row| all.scales[*row]).collect();
                Ok(Self::Rows8(Rows8::new(bytes.concat().into(), scales)))
            }
        }
    }

    /// The rows of several matrices, one after the other; in their stored dtype if all have the same.
    pub(crate) fn stacked(parts: &[&Self]) -> Result<Self> {
        let packed: Option<Vec<&Rows8>> = parts.iter().map(|part| part.rows8()).collect();
        if let Some(parts) = packed {
            let bytes: Vec<&[u8]> = parts.iter().map(|part| &part.bytes[..]).collect();
            let scales: Vec<&[f32]> = parts.iter().map(|part| &part.scales[..]).collect();
            return Ok(Self::Rows8(Rows8::new(bytes.concat().into(), scales.concat())));
        }
        let same = parts.windows(2).all(|pair| pair[0].float_dtype() == pair[1].float_dtype());
        let floats = |part: &&Self| match part {
            Self::Floats(tensor) if same => Ok(tensor.clone()),
            other => other.to_f32(),
        };
        let floats = parts.iter().map(floats).collect::<Result<Vec<_>>>()?;
        Ok(Self::Floats(Tensor::cat(&floats, 0)?))
    }

    /// Its dtype; `None` for 8-bit rows.
    fn float_dtype(&self) -> Option<DType> {
        match self {
            Self::Floats(tensor) => Some(tensor.dtype()),
            Self::Rows8(_) => None,
        }
    }

    /// The 8-bit rows, if it is stored in these.
    pub(crate) fn rows8(&self) -> Option<&Rows8> {
        match self {
            Self::Floats(_) => None,
            Self::Rows8(rows) => Some(rows),
        }
    }
}

impl Rows8 {
    /// `bytes`: (rows, columns), `scales`: (rows).
    pub(super) fn new(bytes: Cow<'static, [u8]>, scales: Vec<f32>) -> Self {
        Self { bytes, scales }
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.scales.len()
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.bytes.len() / self.scales.len().max(1)
    }

    /// (rows, columns)
    pub(crate) fn integers(&self) -> Vec<i8> {
        self.bytes.iter().map(|byte| byte.cast_signed()).collect()
    }

    /// (rows)
    pub(crate) fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// The selected rows in f32, one after the other.
    pub(crate) fn to_f32(&self, rows: impl Iterator<Item = usize>) -> Vec<f32> {
        let columns = self.columns();
        let mut values = Vec::with_capacity(rows.size_hint().0 * columns);
        for row in rows {
            let (bytes, scale) = (&self.bytes[row * columns..][..columns], self.scales[row]);
            values.extend(bytes.iter().map(|byte| f32::from(byte.cast_signed()) * scale));
        }
        values
    }
}
