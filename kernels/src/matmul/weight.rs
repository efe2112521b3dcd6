//! The right side of a layer's products, in the numbers that the layer computes in, and left sides
//! made ready for it.

use candle_core::{Error, Result};

use super::bf16::{Bf16Matrix, Bf16Rows};
use super::bf16_tile::Bf16Isa;
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
    /// The same with 8 significant bits and the range of f32: GPUs, and processors with instructions for it.
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

    /// What attention's products are computed in, in a layer of this precision; none for f32. Beside 8-bit products it is bf16
    /// where tiles leave f32 far behind.
    pub(crate) fn of_attention(self) -> Result<Option<Bf16Isa>> {
        match self {
            Self::F32 => Ok(None),
            Self::Int8 => Ok(Bf16Isa::best().filter(|isa| isa.leaves_f32_far_behind())),
            Self::Bf16 => bf16().map(Some),
            Self::F16 => Err(not_on_the_host(self)),
        }
    }

    /// The unit of the processor that results in these numbers depend on in their last digits; none where every processor
    /// computes the same, or where it computes no such numbers.
    #[must_use]
    pub fn unit(self) -> Option<&'static str> {
        self.of_attention().ok().flatten().map(Bf16Isa::name)
    }

    /// Whether this processor multiplies such numbers.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Self::F32 | Self::Int8 => true,
            Self::Bf16 => Bf16Isa::best().is_some(),
            Self::F16 => false,
        }
    }
}

fn not_on_the_host(precision: Precision) -> Error {
    Error::Msg(format!("this processor does not compute in {}", precision.name()))
}

/// The instructions for bf16 products.
fn bf16() -> Result<Bf16Isa> {
    Bf16Isa::best().ok_or_else(|| not_on_the_host(Precision::Bf16))
}

#[derive(Debug, Clone)]
pub(crate) enum Weight {
    F32(PackedMatrix),
    Bf16(Bf16Matrix),
    Int8(Int8Matrix),
}

/// A left side: of the three, the one that its weight multiplies.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeftSide {
    packed: PackedRows,
    short: Bf16Rows,
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
            Precision::Bf16 => Ok(Self::Bf16(Bf16Matrix::transposed(bf16()?, weight, columns, inner))),
            Precision::F16 => Err(not_on_the_host(precision)),
        }
    }

    /// The transpose of bf16 numbers, `(columns, inner)`, as they are.
    pub(crate) fn from_bf16(weight: &[half::bf16], columns: usize, inner: usize) -> Result<Self> {
        Ok(Self::Bf16(Bf16Matrix::from_bf16(bf16()?, weight, columns, inner)))
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale each.
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
            Precision::F16 => Err(not_on_the_host(precision)),
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
            Self::Int8(matrix) => matrix.columns(),
        }
    }

    pub(crate) fn inner(&self) -> usize {
        match self {
            Self::F32(matrix) => matrix.inner(),
            Self::Bf16(matrix) => matrix.inner(),
            Self::Int8(matrix) => matrix.inner(),
        }
    }

    fn tile(&self) -> TileShape {
        match self {
            Self::F32(matrix) => TileShape::of(matrix.isa()),
            Self::Bf16(matrix) => matrix.shape(),
            Self::Int8(matrix) => matrix.shape(),
        }
    }

    pub(crate) fn panel_width(&self) -> usize {
        self.tile().columns
    }

    pub(crate) fn panel_count(&self) -> usize {
        self.columns().div_ceil(self.panel_width())
    }

    /// Rows of which a block has a multiple, and the most that it has: a block's numbers stay in the cache, and the
    /// faster a product is, the more rows the time takes that its weights need to come.
    pub(crate) fn block_rows(&self) -> (usize, usize) {
        match self.tile().rows {
            16 => (32, 192),
            _ => (12, 96),
        }
    }

    /// Rows rounded up to whole tiles, for scratch.
    pub(crate) fn whole_tiles(&self, rows: usize) -> usize {
        rows.next_multiple_of(self.tile().rows)
    }

    /// Makes `rows` ready to be multiplied.
    pub(crate) fn prepare(&self, rows: Rows<'_>, left: &mut LeftSide) {
        match self {
            Self::F32(matrix) => left.packed.fill(matrix.isa(), rows, matrix.inner()),
            Self::Bf16(matrix) => left.short.fill(matrix.isa(), rows, matrix.inner()),
            Self::Int8(matrix) => left.integers.fill(matrix, rows),
        }
    }

    /// What `prepare` made ready times one panel: `(count, panel width)` into `out`, row stride
    /// `stride`. `out` has room for whole tiles; what lies beyond `count` rows is scratch.
    pub(crate) fn times_panel(&self, left: &LeftSide, panel: usize, out: &mut [f32], stride: usize) {
        match self {
            Self::F32(matrix) => matrix.packed_times_panel(&left.packed, panel, out, stride),
            Self::Bf16(matrix) => matrix.times_panel(&left.short, panel, out, stride),
            Self::Int8(matrix) => matrix.times_panel(&left.integers, panel, out, stride),
        }
    }

    /// Whether rows can be made ready piece by piece ([`Self::begin`], [`Self::prepare_columns`]): where a row's numbers
    /// do not depend on each other.
    pub(crate) fn takes_pieces(&self) -> bool {
        !matches!(self, Self::Int8(_))
    }

    /// Makes room for `count` rows, whose columns come piece by piece.
    pub(crate) fn begin(&self, count: usize, left: &mut LeftSide) {
        match self {
            Self::F32(matrix) => left.packed.reset(matrix.isa(), count, matrix.inner()),
            Self::Bf16(matrix) => left.short.reset(matrix.isa(), count, matrix.inner()),
            Self::Int8(_) => unreachable!("an 8-bit product takes whole rows"),
        }
    }

    /// Makes columns `first..` of all rows ready, from `values`, whole tiles of rows with stride `stride`.
    pub(crate) fn prepare_columns(
        &self,
        left: &mut LeftSide,
        first: usize,
        columns: usize,
        values: &[f32],
        stride: usize,
    ) {
        match self {
            Self::F32(_) => left.packed.set_columns(first, columns, values, stride),
            Self::Bf16(_) => left.short.set_columns(first, columns, values, stride),
            Self::Int8(_) => unreachable!("an 8-bit product takes whole rows"),
        }
    }
}
