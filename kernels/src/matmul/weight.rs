//! A layer's packed weights in the precision of its products, and the preparation of left sides for them.

use candle_core::Result;

use super::bf16::{Bf16Matrix, Bf16Rows};
use super::int8::{Int8Isa, Int8Matrix, Int8Rows};
use super::packed::{PackedMatrix, PackedRows};
use super::precision::{Precision, bf16};
use super::shapes::{Rows, TileShape};
use crate::isa::Isa;

#[derive(Debug, Clone)]
pub(crate) enum Weight {
    F32(PackedMatrix),
    Bf16(Bf16Matrix),
    /// Groups of inputs, whose products are added.
    Int8(Vec<Int8Matrix>),
}

/// The left side of a product; only the form that the weights' precision needs is filled.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeftSide {
    f32: PackedRows,
    bf16: Bf16Rows,
    int8: Vec<Int8Rows>,
}

impl Weight {
    /// The transpose of `weight`, `(columns, inner)` as checkpoints store it.
    pub(crate) fn transposed(
        precision: Precision,
        weight: &[f32],
        columns: usize,
        inner: usize,
    ) -> Result<Self> {
        match precision {
            Precision::F32 => Ok(Self::F32(PackedMatrix::transposed(Isa::best(), weight, columns, inner))),
            Precision::Int8 => {
                Ok(Self::Int8(Int8Matrix::transposed(Int8Isa::best(), weight, columns, inner)))
            }
            Precision::Bf16 => Ok(Self::Bf16(Bf16Matrix::transposed(bf16()?, weight, columns, inner))),
        }
    }

    /// The transpose of bf16 weights, `(columns, inner)`.
    pub(crate) fn from_bf16(weight: &[half::bf16], columns: usize, inner: usize) -> Result<Self> {
        Ok(Self::Bf16(Bf16Matrix::from_bf16(bf16()?, weight, columns, inner)))
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale for each row.
    pub(crate) fn from_rows8(
        precision: Precision,
        integers: &[i8],
        scales: &[f32],
        inner: usize,
    ) -> Result<Self> {
        match precision {
            Precision::F32 => Ok(Self::F32(PackedMatrix::from_rows8(Isa::best(), integers, scales, inner))),
            Precision::Int8 => {
                Ok(Self::Int8(Int8Matrix::from_rows8(Int8Isa::best(), integers, scales, inner)))
            }
            Precision::Bf16 => Ok(Self::Bf16(Bf16Matrix::from_rows8(bf16()?, integers, scales, inner))),
        }
    }

    pub(crate) fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::Bf16(_) => Precision::Bf16,
            Self::Int8(_) => Precision::Int8,
        }
    }

    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.columns(),
            Self::Bf16(matrix) => matrix.columns(),
            Self::Int8(groups) => groups[0].columns(),
        }
    }

    pub(crate) fn inner(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.inner(),
            Self::Bf16(matrix) => matrix.inner(),
            Self::Int8(groups) => groups.iter().map(Int8Matrix::inner).sum(),
        }
    }

    fn tile(&self) -> TileShape {
        match self {
            Self::F32(matrix) => TileShape::of(matrix.isa()),
            Self::Bf16(matrix) => matrix.shape(),
            Self::Int8(groups) => groups[0].shape(),
        }
    }

    pub(crate) fn panel_width(&self) -> usize {
        self.tile().columns
    }

    /// The unit and the maximum of a block's rows. A block's values fit in the cache; faster products need more rows to
    /// hide the time in which weights are loaded.
    pub(crate) fn block_rows(&self) -> (usize, usize) {
        match self.tile().rows {
            16 => (32, 128),
            _ => (12, 96),
        }
    }

    /// The number of rows rounded up to whole tiles.
    pub(crate) fn whole_tiles(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.tile().rows)
    }

    /// Prepares `rows` for multiplication.
    pub(crate) fn prepare(&self, rows: Rows<'_>, left: &mut LeftSide) {
        match self {
            Self::F32(matrix) => left.f32.fill(matrix.isa(), rows, matrix.inner()),
            Self::Bf16(matrix) => left.bf16.fill(matrix.isa(), rows, matrix.inner()),
            Self::Int8(groups) => {
                left.int8.resize_with(groups.len(), Int8Rows::default);
                let mut first = 0;
                for (matrix, left) in groups.iter().zip(&mut left.int8) {
                    left.fill(matrix, Rows { values: &rows.values[first..], ..rows });
                    first += matrix.inner();
                }
            }
        }
    }

    /// Multiplies prepared rows by one panel: `(count, panel width)` into `out`, row stride `stride`. `out` holds whole
    /// tiles; rows beyond `count` are scratch.
    pub(crate) fn times_panel(&self, left: &LeftSide, panel: usize, out: &mut [f32], stride: usize) {
        match self {
            Self::F32(matrix) => matrix.packed_times_panel(&left.f32, panel, out, stride),
            Self::Bf16(matrix) => matrix.times_panel(&left.bf16, panel, out, stride),
            Self::Int8(groups) => {
                for (index, (matrix, left)) in groups.iter().zip(&left.int8).enumerate() {
                    matrix.times_panel(left, panel, out, stride, index > 0);
                }
            }
        }
    }

    /// Starts `count` rows, whose columns [`Self::prepare_columns`] adds.
    pub(crate) fn begin(&self, count: usize, left: &mut LeftSide) {
        match self {
            Self::F32(matrix) => left.f32.reset(matrix.isa(), count, matrix.inner()),
            Self::Bf16(matrix) => left.bf16.reset(matrix.isa(), count, matrix.inner()),
            Self::Int8(_) => unreachable!("8-bit products need whole rows"),
        }
    }

    /// Prepares columns `first..` of all rows from `values`: whole tiles of rows with stride `stride`.
    pub(crate) fn prepare_columns(
        &self,
        left: &mut LeftSide,
        first: usize,
        columns: usize,
        values: &[f32],
        stride: usize,
    ) {
        match self {
            Self::F32(_) => left.f32.set_columns(first, columns, values, stride),
            Self::Bf16(_) => left.bf16.set_columns(first, columns, values, stride),
            Self::Int8(_) => unreachable!("8-bit products need whole rows"),
        }
    }
}
