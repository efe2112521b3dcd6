//! Matrices as rows of 8-bit whole numbers: `NAME.int8`, (rows, columns) of I8, and `NAME.scale`, one number of F32, F16
//! or BF16 a row, stand for the matrix `NAME` with `value = int8 * scale`. The two may lie in different parts of the
//! weights. What is no such pair is refused when the files are opened, since nothing else may be made of it.
//!
//! They are kept as they are stored where that is what is computed with (8-bit products, look-ups of rows), and are made
//! wide where not.

use std::borrow::Cow;

use candle_core::{DType, Device, Tensor};

use super::Stored;
use super::numbers::Number;
use crate::error::Result;

/// What the name of a packed matrix ends in.
const INTEGERS: &str = ".int8";

/// What the name of its scales ends in.
const SCALES: &str = ".scale";

/// The number of a part, and what lies there.
pub(super) type Place = (usize, Stored);

/// The scales that belong to the packed matrix `integers`, or what is wrong with either.
pub(super) struct Pair {
    /// The matrix' own name.
    pub(super) name: String,
    /// The name of its scales.
    pub(super) scales: String,
}

impl Pair {
    /// The names of both, and of their matrix, if this is a packed matrix' name.
    pub(super) fn of(integers: &str) -> Option<Self> {
        let name = integers.strip_suffix(INTEGERS).filter(|name| !name.is_empty())?.to_owned();
        Some(Self { scales: format!("{name}{SCALES}"), name })
    }

    /// Checks that scales fit integers. Errors say what is wrong with which tensor.
    pub(super) fn check(
        &self,
        integers: &Stored,
        scales: Option<&Stored>,
        is_stored_twice: bool,
    ) -> std::result::Result<(), String> {
        let Self { name, scales: scales_name } = self;
        if integers.numbers != Ok(Number::Int8) {
            let given = integers.type_name();
            return Err(format!("tensor `{name}{INTEGERS}` is of {given}, rows of 8-bit numbers are of I8"));
        }
        let [rows, _] = integers.shape[..] else {
            return Err(format!(
                "tensor `{name}{INTEGERS}` has shape {:?}, a matrix is needed",
                integers.shape
            ));
        };
        let Some(scales) = scales else {
            return Err(format!(
                "tensor `{name}{INTEGERS}` has no scales: `{scales_name}` with one number for each of its {rows} rows is missing"
            ));
        };
        if scales.shape != [rows] {
            return Err(format!(
                "tensor `{scales_name}` has shape {:?}, `{name}{INTEGERS}` has {rows} rows: one number a row is needed",
                scales.shape
            ));
        }
        if !matches!(scales.numbers, Ok(Number::F32 | Number::F16 | Number::Bf16)) {
            let given = scales.type_name();
            return Err(format!(
                "tensor `{scales_name}` is of {given}; scales of F32, F16 and BF16 are read"
            ));
        }
        match is_stored_twice {
            true => Err(format!("matrix `{name}` is stored twice, as it is and as `{name}{INTEGERS}`")),
            false => Ok(()),
        }
    }
}

/// A matrix as it is stored, (rows, columns).
pub(crate) enum Matrix {
    /// Floating-point numbers of 16 or 32 bits.
    Floats(Tensor),
    /// 8-bit rows.
    Rows8(Rows8),
}

/// Rows of 8-bit numbers, each with a scale.
pub(crate) struct Rows8 {
    /// (rows, columns), two's complement; those of the program are not copied.
    bytes: Cow<'static, [u8]>,
    /// (rows)
    scales: Vec<f32>,
}

impl Matrix {
    /// In f32; a copy only where it is stored in fewer bits.
    pub(crate) fn wide(&self) -> Result<Tensor> {
        match self {
            Self::Floats(tensor) => Ok(tensor.to_dtype(DType::F32)?),
            Self::Rows8(rows) => {
                let shape = (rows.count(), rows.columns());
                Ok(Tensor::from_vec(rows.wide(0..rows.count()), shape, &Device::Cpu)?)
            }
        }
    }

    /// Rows of several, one matrix after the other; as they are stored if all are stored alike.
    pub(crate) fn stacked(parts: &[&Self]) -> Result<Self> {
        let packed: Option<Vec<&Rows8>> = parts.iter().map(|part| part.rows8()).collect();
        if let Some(parts) = packed {
            let bytes: Vec<&[u8]> = parts.iter().map(|part| &part.bytes[..]).collect();
            let scales: Vec<&[f32]> = parts.iter().map(|part| &part.scales[..]).collect();
            return Ok(Self::Rows8(Rows8::new(bytes.concat().into(), scales.concat())));
        }
        let same = parts.windows(2).all(|pair| pair[0].float_type() == pair[1].float_type());
        let floats = |part: &&Self| match part {
            Self::Floats(tensor) if same => Ok(tensor.clone()),
            other => other.wide(),
        };
        let floats = parts.iter().map(floats).collect::<Result<Vec<_>>>()?;
        Ok(Self::Floats(Tensor::cat(&floats, 0)?))
    }

    /// The type of its numbers; none for 8-bit rows.
    fn float_type(&self) -> Option<DType> {
        match self {
            Self::Floats(tensor) => Some(tensor.dtype()),
            Self::Rows8(_) => None,
        }
    }

    /// The 8-bit rows, if that is what is stored.
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

    /// Numbers of a row.
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

    /// Some rows in f32, one after the other.
    pub(crate) fn wide(&self, rows: impl Iterator<Item = usize>) -> Vec<f32> {
        let columns = self.columns();
        let mut wide = Vec::with_capacity(rows.size_hint().0 * columns);
        for row in rows {
            let (bytes, scale) = (&self.bytes[row * columns..][..columns], self.scales[row]);
            wide.extend(bytes.iter().map(|byte| f32::from(byte.cast_signed()) * scale));
        }
        wide
    }
}
