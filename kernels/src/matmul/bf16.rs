//! Matrix products in bf16 (8 significant bits, f32's range) with sums in f32. Both sides are rounded to nearest, ties to
//! even, and multiplied by the processor's bf16 instructions.
//!
//! For weights stored as 8-bit integers with a scale per column, the panels hold the integers, which bf16 represents
//! exactly, and the scales are applied to the sums.

use std::ops::Range;

use half::bf16;

use super::bf16_tile::{self, Bf16Isa};
use super::{Rows, TileShape};
use crate::aligned::Aligned;
use crate::isa::{Isa, vectorised};

/// Inner indices of one step; they fill 64 bytes of a row.
pub(super) const STEP: usize = 32;
/// Columns of a panel.
pub(super) const WIDTH: usize = 32;
/// Columns side by side in a panel.
const HALF: usize = WIDTH / 2;
/// Pairs of inner indices of a step.
const PAIRS: usize = STEP / 2;

/// A matrix `(inner, columns)` in panels of bf16 values.
#[derive(Debug, Clone)]
pub(crate) struct Bf16Matrix {
    isa: Bf16Isa,
    inner: usize,
    columns: usize,
    /// (panels, steps, 2 halves of the columns, 16 pairs of inner indices, 16 columns). A word holds two inner indices,
    /// the first in its low half; zeros beyond `inner`.
    panels: Aligned<u32>,
    /// Factors on the columns, if any.
    scales: Option<Vec<f32>>,
}

/// The position of a pair of inner indices in a panel.
pub(super) fn word_index(pair: usize, column: usize) -> usize {
    ((pair / PAIRS * 2 + column / HALF) * PAIRS + pair % PAIRS) * HALF + column % HALF
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

    #[inline(always)]
    fn fill_with_transposed(&mut self, rows: Rows<'_>, inner: usize) {
        self.resize(inner, rows.count);
        let size = self.panel_size();
        for (panel, target) in self.panels.chunks_exact_mut(size.max(1)).enumerate() {
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
    fn fill_with(&mut self, rows: Rows<'_>, columns: usize) {
        self.resize(rows.count, columns);
        let size = self.panel_size();
        for first in (0..columns).step_by(HALF) {
            let count = HALF.min(columns - first);
            let panel = &mut self.panels[first / WIDTH * size..][..size];
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
        let left = bf16_tile::Left { values, depth: rows.depth, count: part.len() };
        bf16_tile::multiply(self.isa, &left, &self.panels[panel * size..][..size], out, stride);
        let Some(scales) = &self.scales else { return };
        let scales = &scales[panel * WIDTH..][..WIDTH];
        for row in out.chunks_mut(stride).take(part.len()) {
            row.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
        }
    }
}

#[inline(always)]
fn transpose<const FMA: bool>(matrix: &mut Bf16Matrix, rows: Rows<'_>, inner: usize) {
    matrix.fill_with_transposed(rows, inner);
}

#[inline(always)]
fn interleave<const FMA: bool>(matrix: &mut Bf16Matrix, rows: Rows<'_>, columns: usize) {
    matrix.fill_with(rows, columns);
}

/// Rows of a left side in bf16.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bf16Rows {
    /// (whole tiles of rows, depth); rows beyond `count` are unspecified.
    values: Aligned<u16>,
    count: usize,
    /// The inner dimension rounded up to whole steps; values beyond it are zero.
    depth: usize,
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
fn to_bf16(value: f32) -> u16 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_numbers;

    fn wide(number: u16) -> f32 {
        f32::from_bits(u32::from(number) << 16)
    }

    #[test]
    fn rounding_is_to_nearest_even_and_keeps_nan() {
        let step = 2_f32.powi(-7);
        assert_eq!(wide(to_bf16(1.0 + 0.49 * step)), 1.0);
        assert_eq!(wide(to_bf16(1.0 + 0.51 * step)), 1.0 + step);
        assert_eq!(wide(to_bf16(1.0 + 0.5 * step)), 1.0, "ties go to even");
        assert_eq!(wide(to_bf16(1.0 + 1.5 * step)), 1.0 + 2.0 * step);
        assert_eq!(wide(to_bf16(f32::NEG_INFINITY)), f32::NEG_INFINITY);
        assert_eq!(wide(to_bf16(f32::MAX)), f32::INFINITY);
        for bits in [0x7fff_ffff, 0x7f80_0001, 0xffff_ffff] {
            assert!(wide(to_bf16(f32::from_bits(bits))).is_nan());
        }
        for bits in (0..u32::MAX - 65_537).step_by(65_537) {
            let value = f32::from_bits(bits);
            assert_eq!(to_bf16(value), bf16::from_f32(value).to_bits(), "{bits:x}");
        }
    }

    /// The product, (count, columns).
    fn product(matrix: &Bf16Matrix, left: &[f32], count: usize) -> Vec<f32> {
        let (inner, shape) = (matrix.inner(), matrix.shape());
        let mut rows = Bf16Rows::default();
        rows.fill(matrix.isa(), Rows { values: left, stride: inner, count }, inner);
        let stride = matrix.panel_count() * WIDTH;
        let mut out = vec![0.0; count.next_multiple_of(shape.rows) * stride];
        matrix.times_panels(0..matrix.panel_count(), &rows, &mut out, stride);
        out.chunks(stride).take(count).flat_map(|row| row[..matrix.columns()].to_vec()).collect()
    }

    fn near(got: &[f32], expected: &[f32], inner: usize, what: &str) {
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6 * inner as f32 + 1e-6, "{what}: {got}, not {expected}");
        }
    }

    #[test]
    fn products_agree_with_the_definition_on_awkward_sizes() {
        let shapes = [
            (1, 1, 1),
            (2, 7, 3),
            (16, 64, 32),
            (13, 33, 65),
            (33, 5, 17),
            (49, 100, 40),
            (31, 600, 33),
            (32, 1040, 64),
        ];
        for (count, inner, columns) in shapes {
            let (left, weight) = (test_numbers(count * inner, 1), test_numbers(columns * inner, 2));
            let expected =
                product(&Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner), &left, count);
            for isa in Bf16Isa::available() {
                let matrix = Bf16Matrix::transposed(isa, &weight, columns, inner);
                near(
                    &product(&matrix, &left, count),
                    &expected,
                    inner,
                    &format!("{isa:?}, {count}x{inner}x{columns}"),
                );
            }
        }
    }

    #[test]
    fn reference_is_the_product_of_rounded_values() {
        let (count, inner, columns) = (3, 37, 34);
        let (left, weight) = (test_numbers(count * inner, 1), test_numbers(columns * inner, 2));
        let got = product(&Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner), &left, count);
        let rounded = |values: &[f32]| values.iter().map(|value| wide(to_bf16(*value))).collect::<Vec<_>>();
        let (left, weight) = (rounded(&left), rounded(&weight));
        for row in 0..count {
            for column in 0..columns {
                let (left, weight) = (&left[row * inner..][..inner], &weight[column * inner..][..inner]);
                let expected: f32 = left.iter().zip(weight).map(|(a, b)| a * b).sum();
                assert!((got[row * columns + column] - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn bf16_weights_pack_to_the_same_matrix() {
        for (inner, columns) in [(1, 1), (33, 40), (64, 64)] {
            let weight = test_numbers(inner * columns, 3);
            let short: Vec<bf16> = weight.iter().map(|value| bf16::from_f32(*value)).collect();
            let expected = Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner);
            let found = Bf16Matrix::from_bf16(Bf16Isa::Plain, &short, columns, inner);
            assert_eq!(found.panels, expected.panels, "{inner}x{columns}");
        }
    }

    #[test]
    fn fill_agrees_with_the_transposed_transpose() {
        for (inner, columns) in [(1, 1), (2, 40), (33, 20), (64, 64), (47, 33)] {
            let rows = test_numbers(inner * columns, 3);
            let transposed: Vec<f32> = (0..columns)
                .flat_map(|column| (0..inner).map(move |k| (k, column)))
                .map(|(k, column)| rows[k * columns + column])
                .collect();
            let mut filled = Bf16Matrix::empty(Bf16Isa::Plain);
            filled.fill(Rows { values: &rows, stride: columns, count: inner }, columns);
            let expected = Bf16Matrix::transposed(Bf16Isa::Plain, &transposed, columns, inner);
            assert_eq!(filled.panels, expected.panels, "{inner}x{columns}");
        }
    }

    #[test]
    fn integer_weights_are_exact_and_scales_are_applied_to_sums() {
        let (inner, columns, count) = (70, 35, 5);
        let integers: Vec<i8> = (0..inner * columns).map(|index| (index * 37 % 255) as i8).collect();
        let scales: Vec<f32> = (0..columns).map(|column| 0.013 + column as f32 / 7.0).collect();
        // Integers that bf16 represents exactly, so that the sums are exact too.
        let left: Vec<f32> = (0..count * inner).map(|index| (index * 11 % 64) as f32 - 32.0).collect();
        for isa in Bf16Isa::available() {
            let got = product(&Bf16Matrix::from_rows8(isa, &integers, &scales, inner), &left, count);
            for row in 0..count {
                for column in 0..columns {
                    let weights = &integers[column * inner..][..inner];
                    let sum: f32 = left[row * inner..][..inner]
                        .iter()
                        .zip(weights)
                        .map(|(x, w)| x * f32::from(*w))
                        .sum();
                    assert_eq!(got[row * columns + column], sum * scales[column], "{isa:?}");
                }
            }
        }
    }

    #[test]
    fn rows_are_independent() {
        let (inner, columns) = (37, 40);
        let (left, weight) = (test_numbers(50 * inner, 3), test_numbers(columns * inner, 4));
        for isa in Bf16Isa::available() {
            let matrix = Bf16Matrix::transposed(isa, &weight, columns, inner);
            let all = product(&matrix, &left, 50);
            for (first, count) in [(0, 1), (7, 1), (49, 1), (3, 13), (11, 25), (2, 33)] {
                let part = product(&matrix, &left[first * inner..], count);
                assert_eq!(part, all[first * columns..(first + count) * columns], "{isa:?}");
            }
        }
    }

    #[test]
    fn non_finite_values_propagate() {
        for isa in Bf16Isa::available() {
            for bad in [f32::NAN, f32::INFINITY] {
                let matrix = Bf16Matrix::transposed(isa, &test_numbers(4 * 8, 4), 4, 8);
                let mut left = test_numbers(8, 3);
                left[5] = bad;
                assert!(product(&matrix, &left, 1).iter().all(|value| !value.is_finite()), "{isa:?}, {bad}");
            }
        }
    }

    #[test]
    fn rows_can_be_refilled_with_another_shape() {
        for isa in Bf16Isa::available() {
            let mut rows = Bf16Rows::default();
            let ones = vec![1.0; 40 * 64];
            rows.fill(isa, Rows { values: &ones, stride: 64, count: 40 }, 64);
            for (count, inner) in [(3, 33), (20, 40), (5, 64), (2, 50)] {
                rows.fill(isa, Rows { values: &ones, stride: inner, count }, inner);
                let weight = vec![1.0; inner.next_multiple_of(STEP)];
                let matrix = Bf16Matrix::transposed(isa, &weight, 1, inner);
                let mut out = vec![0.0; count.next_multiple_of(isa.shape().rows) * WIDTH];
                matrix.times_panel(&rows, 0, &mut out, WIDTH);
                assert_eq!(out[0], inner as f32, "{isa:?}");
                assert!(
                    rows.values
                        .chunks(rows.depth)
                        .take(count)
                        .all(|row| row[inner..].iter().all(|n| *n == 0))
                );
            }
        }
    }
}
