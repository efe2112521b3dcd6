//! The right side of a layer's products, in the numbers that the layer computes in, and left sides
//! made ready for it.

use candle_core::{Error, Result};

use super::int8::{Int8Matrix, Int8Rows};
use super::int8_tile::Int8Isa;
use super::{PackedMatrix, PackedRows, Rows, TileShape};
use crate::isa::Isa;

/// The numbers that the products of a layer are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 32-bit floating point.
    #[default]
    F32,
    /// 8-bit integers with scales: weights by column, values by row. Faster, not the same numbers.
    Int8,
    /// 16-bit floating point, sums in f32: GPUs only.
    F16,
    /// The same with 8 significant bits and the range of f32: GPUs only.
    Bf16,
}

impl Precision {
    /// Its short name, as flags and results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Int8 => "int8",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }
}

fn not_on_the_host(precision: Precision) -> Error {
    Error::Msg(format!("the host computes in f32 and int8, not in {}", precision.name()))
}

#[derive(Debug, Clone)]
pub(crate) enum Weight {
    F32(PackedMatrix),
    Int8(Int8Matrix),
}

/// A left side: of the two, the one that its weight multiplies.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeftSide {
    pub(crate) packed: PackedRows,
    integers: Int8Rows,
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
            Precision::F16 | Precision::Bf16 => Err(not_on_the_host(precision)),
        }
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale each.
    pub(crate) fn of_rows8(
        precision: Precision,
        integers: &[i8],
        scales: &[f32],
        inner: usize,
    ) -> Result<Self> {
        match precision {
            Precision::F32 => Ok(Self::F32(PackedMatrix::of_rows8(Isa::best(), integers, scales, inner))),
            Precision::Int8 => Ok(Self::Int8(Int8Matrix::of_rows8(Int8Isa::best(), integers, scales, inner))),
            Precision::F16 | Precision::Bf16 => Err(not_on_the_host(precision)),
        }
    }

    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.columns(),
            Self::Int8(matrix) => matrix.columns(),
        }
    }

    pub(crate) fn inner(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.inner(),
            Self::Int8(matrix) => matrix.inner(),
        }
    }

    fn tile(&self) -> TileShape {
        match self {
            Self::F32(matrix) => TileShape::of(matrix.isa()),
            Self::Int8(matrix) => matrix.shape(),
        }
    }

    pub(crate) fn panel_width(&self) -> usize {
        self.tile().columns
    }

    pub(crate) fn panel_count(&self) -> usize {
        self.columns().div_ceil(self.panel_width())
    }

    /// Rows rounded up to whole tiles, for scratch.
    pub(crate) fn whole_tiles(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.tile().rows)
    }

    /// Makes `rows` ready to be multiplied.
    pub(crate) fn prepare(&self, rows: Rows<'_>, left: &mut LeftSide) {
        match self {
            Self::F32(matrix) => left.packed.fill(matrix.isa(), rows, matrix.inner()),
            Self::Int8(matrix) => left.integers.fill(matrix, rows),
        }
    }

    /// What `prepare` made ready times one panel: `(count, panel width)` into `out`, row stride
    /// `stride`. `out` has room for whole tiles; what lies beyond `count` rows is scratch.
    pub(crate) fn times_panel(&self, left: &LeftSide, panel: usize, out: &mut [f32], stride: usize) {
        match self {
            Self::F32(matrix) => matrix.packed_times_panel(&left.packed, panel, out, stride),
            Self::Int8(matrix) => matrix.times_panel(&left.integers, panel, out, stride),
        }
    }
}
