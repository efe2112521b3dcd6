//! Matrix products in bf16 (8 significant bits, f32's range) with sums in f32. Both sides are rounded to nearest, ties to
//! even, and multiplied by the processor's bf16 instructions.
//!
//! For weights stored as 8-bit integers with a scale per column, the panels hold the integers, which bf16 represents
//! exactly, and the scales are applied to the sums.

use std::ops::Range;

use half::bf16;

use super::isa::Bf16Isa;
use super::panel::{HALF, PAIRS, STEP, WIDTH, word_index};
use super::tile;
use crate::aligned::Aligned;
use crate::isa::{Isa, vectorised};
use crate::matmul::shapes::{Rows, TileShape};

/// A matrix `(inner, columns)` in panels of bf16 values.
#[derive(Debug, Clone)]
pub(crate) struct Bf16Matrix {
    isa: Bf16Isa,
    inner: usize,
    columns: usize,
    /// (panels, steps, 2 halves of the columns, 16 pairs of inner indices, 16 columns). A word holds two inner indices,
    /// the first in its low half; zeros beyond `inner`.
    pub(super) panels: Aligned<u32>,
    /// Factors on the columns, if any.
    scales: Option<Vec<f32>>,
}

impl Bf16Matrix {
    /// An empty matrix, to fill later.
    pub(crate) fn empty(isa: Bf16Isa) -> Self {
        Self { isa, inner: 0, columns: 0, panels: Aligned::default(), scales: None }
    }

    /// The transpose of `weight`, `(columns, inner)` as checkpoints store it.
    pub(crate) fn transposed(isa: Bf16Isa, weight: &[f32], columns: usize, inner: usize) -> Self {
        let mut matrix = Self::empty(isa);
        matrix.fill_transposed(Rows { values: weight, stride: inner, count: columns }, inner);
        matrix
    }

    /// The transpose of bf16 weights, `(columns, inner)`.
    pub(crate) fn from_bf16(isa: Bf16Isa, weight: &[bf16], columns: usize, inner: usize) -> Self {
        let mut matrix = Self::empty(isa);
        matrix.resize(inner, columns);
        let size = matrix.panel_size();
        for (column, row) in weight.chunks_exact(inner).enumerate() {
            let panel = &mut matrix.panels[column / WIDTH * size..][..size];
            for (pair, values) in row.chunks(2).enumerate() {
                let second = values.get(1).copied().unwrap_or(bf16::ZERO);
                panel[word_index(pair, column % WIDTH)] =
                    u32::from(values[0].to_bits()) | u32::from(second.to_bits()) << 16;
            }
        }
        matrix
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale for each row.
    pub(crate) fn from_rows8(isa: Bf16Isa, integers: &[i8], scales: &[f32], inner: usize) -> Self {
        let wide: Vec<f32> = integers.iter().map(|integer| f32::from(*integer)).collect();
        let mut matrix = Self::transposed(isa, &wide, scales.len(), inner);
        let mut scales = scales.to_vec();
        scales.resize(scales.len().next_multiple_of(WIDTH), 0.0);
        matrix.scales = Some(scales);
        matrix
    }

    /// Packs the transpose of `rows`, of which the first `inner` values are used.
    pub(crate) fn fill_transposed(&mut self, rows: Rows<'_>, inner: usize) {
        vectorised!(Isa::best(), transpose(self, rows, inner));
    }

    /// Packs `rows`, of which the first `columns` values are used.
    pub(crate) fn fill(&mut self, rows: Rows<'_>, columns: usize) {
        vectorised!(Isa::best(), interleave(self, rows, columns));
    }

    /// Resizes the panels. Values beyond the inner dimension and the columns are zero and remain zero until the shape
    /// changes.
    fn resize(&mut self, inner: usize, columns: usize) {
        if (inner, columns) == (self.inner, self.columns) {
            return;
        }
        self.inner = inner;
        self.columns = columns;
        self.panels.clear();
        self.panels.resize(columns.div_ceil(WIDTH) * self.panel_size());
    }

    fn panel_size(&self) -> usize {
        self.inner.div_ceil(STEP) * PAIRS * WIDTH
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    pub(crate) fn isa(&self) -> Bf16Isa {
        self.isa
    }

    pub(crate) fn shape(&self) -> TileShape {
        self.isa.shape()
    }

    pub(crate) fn panel_count(&self) -> usize {
        self.columns.div_ceil(WIDTH)
    }

    /// Multiplies `rows` by a range of panels, side by side in `out`.
    pub(crate) fn times_panels(&self, panels: Range<usize>, rows: &Bf16Rows, out: &mut [f32], stride: usize) {
        for (index, panel) in panels.enumerate() {
            self.times_panel(rows, panel, &mut out[index * WIDTH..], stride);
        }
    }

    /// Multiplies `rows` by one panel: `(count, panel width)` into `out`, row stride `stride`. `out` holds whole tiles.
    pub(crate) fn times_panel(&self, rows: &Bf16Rows, panel: usize, out: &mut [f32], stride: usize) {
        self.times_panel_of(rows, 0..rows.count, panel, out, stride);
    }

    /// As [`Self::times_panel`], for a range of rows that starts at a tile.
    pub(crate) fn times_panel_of(
        &self,
        rows: &Bf16Rows,
        part: Range<usize>,
        panel: usize,
        out: &mut [f32],
        stride: usize,
    ) {
        let size = self.panel_size();
        let values = &rows.values[part.start * rows.depth..];
        let left = tile::Left { values, depth: rows.depth, count: part.len() };
        tile::multiply(self.isa, &left, &self.panels[panel * size..][..size], out, stride);
        let Some(scales) = &self.scales else { return };
        let scales = &scales[panel * WIDTH..][..WIDTH];
        for row in out.chunks_mut(stride).take(part.len()) {
            row.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
        }
    }
}

#[inline(always)]
fn transpose<const FMA: bool>(matrix: &mut Bf16Matrix, rows: Rows<'_>, inner: usize) {
    matrix.resize(inner, rows.count);
    let size = matrix.panel_size();
    for (panel, target) in matrix.panels.chunks_exact_mut(size.max(1)).enumerate() {
        for column in 0..WIDTH.min(rows.count - panel * WIDTH) {
            let row = &rows.values[(panel * WIDTH + column) * rows.stride..][..inner];
            let (steps, rest) = row.as_chunks::<STEP>();
            let mut to = target[word_index(0, column)..].chunks_mut(PAIRS * WIDTH);
            for (values, to) in steps.iter().zip(&mut to) {
                let words: [u32; PAIRS] =
                    std::array::from_fn(|pair| pack_pair(values[2 * pair], values[2 * pair + 1]));
                to.iter_mut().step_by(HALF).zip(words).for_each(|(to, word)| *to = word);
            }
            if let Some(to) = to.next() {
                for (to, values) in to.iter_mut().step_by(HALF).zip(rest.chunks(2)) {
                    *to = pack_pair(values[0], values.get(1).copied().unwrap_or(0.0));
                }
            }
        }
    }
}

#[inline(always)]
fn interleave<const FMA: bool>(matrix: &mut Bf16Matrix, rows: Rows<'_>, columns: usize) {
    matrix.resize(rows.count, columns);
    let size = matrix.panel_size();
    for first in (0..columns).step_by(HALF) {
        let count = HALF.min(columns - first);
        let panel = &mut matrix.panels[first / WIDTH * size..][..size];
        for pair in 0..rows.count / 2 {
            let upper = &rows.values[2 * pair * rows.stride + first..][..count];
            let lower = &rows.values[(2 * pair + 1) * rows.stride + first..][..count];
            let target = panel[word_index(pair, first % WIDTH)..].iter_mut();
            target.zip(upper.iter().zip(lower)).for_each(|(word, (a, b))| *word = pack_pair(*a, *b));
        }
        if rows.count % 2 == 1 {
            let last = &rows.values[(rows.count - 1) * rows.stride + first..][..count];
            let target = panel[word_index(rows.count / 2, first % WIDTH)..].iter_mut();
            target.zip(last).for_each(|(word, value)| *word = pack_pair(*value, 0.0));
        }
    }
}

/// Rows of a left side in bf16.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bf16Rows {
    /// (whole tiles of rows, depth); rows beyond `count` are unspecified.
    pub(super) values: Aligned<u16>,
    count: usize,
    /// The inner dimension rounded up to whole steps; values beyond it are zero.
    pub(super) depth: usize,
}

impl Bf16Rows {
    /// Converts `rows`, of which the first `inner` values are used.
    pub(crate) fn fill(&mut self, isa: Bf16Isa, rows: Rows<'_>, inner: usize) {
        self.reset(isa, rows.count, inner);
        for (row, target) in self.values.chunks_exact_mut(self.depth.max(1)).take(rows.count).enumerate() {
            round_to_bf16(&rows.values[row * rows.stride..][..inner], target);
        }
    }

    /// Resizes to `count` rows.
    pub(crate) fn reset(&mut self, isa: Bf16Isa, count: usize, inner: usize) {
        self.count = count;
        let depth = inner.next_multiple_of(STEP);
        if depth != self.depth || inner != depth {
            // Values beyond the inner dimension must be zero, not left over from another shape.
            self.values.clear();
        }
        self.depth = depth;
        self.values.resize(count.next_multiple_of(isa.shape().rows) * depth);
    }

    /// Writes one row. Values beyond the inner dimension must then be multiplied by zeros.
    pub(crate) fn set_row(&mut self, row: usize, values: &[f32]) {
        round_to_bf16(values, &mut self.values[row * self.depth..][..self.depth]);
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Writes columns `first_column..` of all rows from `values`, row stride `stride`.
    pub(crate) fn set_columns(&mut self, first_column: usize, columns: usize, values: &[f32], stride: usize) {
        let rows = self.values.chunks_exact_mut(self.depth).take(self.count);
        for (target, values) in rows.zip(values.chunks(stride)) {
            round_to_bf16(&values[..columns], &mut target[first_column..]);
        }
    }
}

/// Rounds to the nearest bf16, ties to even; NaN stays NaN. Unlike `half`'s conversion, this has no branch and is
/// vectorised.
#[inline(always)]
pub(super) fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
    let kept = if value.is_nan() { bits | 0x0040_0000 } else { rounded };
    (kept >> 16) as u16
}

/// Two bf16 values in a word, the first in its low half.
#[inline(always)]
fn pack_pair(first: f32, second: f32) -> u32 {
    u32::from(to_bf16(first)) | u32::from(to_bf16(second)) << 16
}

/// Rounds values to bf16.
pub(crate) fn round_to_bf16(values: &[f32], out: &mut [u16]) {
    vectorised!(Isa::best(), round_all(values, out));
}

#[inline(always)]
fn round_all<const FMA: bool>(values: &[f32], out: &mut [u16]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out = to_bf16(*value);
    }
}
