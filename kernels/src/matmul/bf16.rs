//! Matrix products of bf16 numbers (8 significant bits, f32's range), sums in f32: both sides are rounded to the nearest,
//! ties to even, and multiplied by the processor's own instructions for them.
//!
//! Where weights are 8-bit integers with a scale a column, the panels hold the integers, which bf16 holds exactly, and
//! the scales come after the sums.

use std::ops::Range;

use half::bf16;

use super::bf16_tile::{self, Bf16Isa};
use super::{Rows, TileShape};
use crate::isa::{Isa, vectorised};

/// Inner indices of one step: a row of them fills 64 bytes.
pub(super) const STEP: usize = 32;
/// Columns of a panel.
pub(super) const WIDTH: usize = 32;
/// Columns that lie side by side in a panel.
const HALF: usize = WIDTH / 2;
/// Pairs of inner indices of a step.
const PAIRS: usize = STEP / 2;

/// A matrix `(inner, columns)` in panels of bf16 numbers.
#[derive(Debug, Clone)]
pub(crate) struct Bf16Matrix {
    isa: Bf16Isa,
    inner: usize,
    columns: usize,
    /// (panels, steps, 2 halves of the columns, 16 pairs of inner indices, 16 columns): two inner indices a word, the
    /// first in its low half; zeros beyond `inner`.
    panels: Vec<u32>,
    /// Factors on the columns; none for ones.
    scales: Option<Vec<f32>>,
}

/// Where a pair of inner indices lies in a panel.
pub(super) fn place(pair: usize, column: usize) -> usize {
    ((pair / PAIRS * 2 + column / HALF) * PAIRS + pair % PAIRS) * HALF + column % HALF
}

impl Bf16Matrix {
    /// An empty matrix, to be filled.
    pub(crate) fn empty(isa: Bf16Isa) -> Self {
        Self { isa, inner: 0, columns: 0, panels: Vec::new(), scales: None }
    }

    /// The transpose of `weight`, `(columns, inner)` as checkpoints store it.
    pub(crate) fn transposed(isa: Bf16Isa, weight: &[f32], columns: usize, inner: usize) -> Self {
        let mut matrix = Self::empty(isa);
        matrix.fill_transposed(Rows { values: weight, stride: inner, count: columns }, inner);
        matrix
    }

    /// The transpose of numbers that are in bf16 already, `(columns, inner)`.
    pub(crate) fn from_bf16(isa: Bf16Isa, weight: &[bf16], columns: usize, inner: usize) -> Self {
        let mut matrix = Self::empty(isa);
        matrix.resize(inner, columns);
        let size = matrix.panel_size();
        for (column, row) in weight.chunks_exact(inner).enumerate() {
            let panel = &mut matrix.panels[column / WIDTH * size..][..size];
            for (pair, numbers) in row.chunks(2).enumerate() {
                let second = numbers.get(1).copied().unwrap_or(bf16::ZERO);
                panel[place(pair, column % WIDTH)] =
                    u32::from(numbers[0].to_bits()) | u32::from(second.to_bits()) << 16;
            }
        }
        matrix
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale each.
    pub(crate) fn from_rows8(isa: Bf16Isa, integers: &[i8], scales: &[f32], inner: usize) -> Self {
        let wide: Vec<f32> = integers.iter().map(|integer| f32::from(*integer)).collect();
        let mut matrix = Self::transposed(isa, &wide, scales.len(), inner);
        let mut scales = scales.to_vec();
        scales.resize(scales.len().next_multiple_of(WIDTH), 0.0);
        matrix.scales = Some(scales);
        matrix
    }

    /// Becomes the transpose of `rows`, of which the first `inner` values of each count.
    pub(crate) fn fill_transposed(&mut self, rows: Rows<'_>, inner: usize) {
        vectorised!(Isa::best(), transpose(self, rows, inner));
    }

    /// Becomes `rows` itself, of which the first `columns` values of each count.
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
                let mut to = target[place(0, column)..].chunks_mut(PAIRS * WIDTH);
                for (values, to) in steps.iter().zip(&mut to) {
                    let words: [u32; PAIRS] =
                        std::array::from_fn(|pair| joined(values[2 * pair], values[2 * pair + 1]));
                    to.iter_mut().step_by(HALF).zip(words).for_each(|(to, word)| *to = word);
                }
                if let Some(to) = to.next() {
                    for (to, values) in to.iter_mut().step_by(HALF).zip(rest.chunks(2)) {
                        *to = joined(values[0], values.get(1).copied().unwrap_or(0.0));
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
                let target = panel[place(pair, first % WIDTH)..].iter_mut();
                target.zip(upper.iter().zip(lower)).for_each(|(word, (a, b))| *word = joined(*a, *b));
            }
            if rows.count % 2 == 1 {
                let last = &rows.values[(rows.count - 1) * rows.stride + first..][..count];
                let target = panel[place(rows.count / 2, first % WIDTH)..].iter_mut();
                target.zip(last).for_each(|(word, value)| *word = joined(*value, 0.0));
            }
        }
    }

    /// Makes room; what is beyond the inner dimension and the columns is zero, and stays so while the shape does.
    fn resize(&mut self, inner: usize, columns: usize) {
        if (inner, columns) == (self.inner, self.columns) {
            return;
        }
        self.inner = inner;
        self.columns = columns;
        self.panels.clear();
        self.panels.resize(columns.div_ceil(WIDTH) * self.panel_size(), 0);
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

    /// `rows` times some panels, side by side in `out`.
    pub(crate) fn times_panels(&self, panels: Range<usize>, rows: &Bf16Rows, out: &mut [f32], stride: usize) {
        for (index, panel) in panels.enumerate() {
            self.times_panel(rows, panel, &mut out[index * WIDTH..], stride);
        }
    }

    /// `rows` times one panel: `(count, panel width)` into `out`, row stride `stride`; `out` has room for whole tiles.
    pub(crate) fn times_panel(&self, rows: &Bf16Rows, panel: usize, out: &mut [f32], stride: usize) {
        self.times_panel_of(rows, 0..rows.count, panel, out, stride);
    }

    /// The same for some of the rows, the first of which begins a tile.
    pub(crate) fn times_panel_of(
        &self,
        rows: &Bf16Rows,
        part: Range<usize>,
        panel: usize,
        out: &mut [f32],
        stride: usize,
    ) {
        let size = self.panel_size();
        let numbers = &rows.numbers[part.start * rows.depth..];
        let left = bf16_tile::Left { numbers, depth: rows.depth, count: part.len() };
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

/// Rows of a left side as bf16 numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bf16Rows {
    /// (whole tiles of rows, depth); what stands in rows beyond `count` means nothing.
    numbers: Vec<u16>,
    count: usize,
    /// The inner dimension rounded up to whole steps; zeros beyond it.
    depth: usize,
}

impl Bf16Rows {
    /// Becomes `rows`, of which the first `inner` values of each count.
    pub(crate) fn fill(&mut self, isa: Bf16Isa, rows: Rows<'_>, inner: usize) {
        self.reset(isa, rows.count, inner);
        for (row, target) in self.numbers.chunks_exact_mut(self.depth.max(1)).take(rows.count).enumerate() {
            narrow(&rows.values[row * rows.stride..][..inner], target);
        }
    }

    /// Makes room for `count` rows.
    pub(crate) fn reset(&mut self, isa: Bf16Isa, count: usize, inner: usize) {
        self.count = count;
        let depth = inner.next_multiple_of(STEP);
        if depth != self.depth || inner != depth {
            // What lies beyond the inner dimension of a row must be zero, not a number of another shape.
            self.numbers.clear();
        }
        self.depth = depth;
        self.numbers.resize(count.next_multiple_of(isa.shape().rows) * depth, 0);
    }

    /// Writes one of its rows. What is beyond the inner dimension must be multiplied by zeros then.
    pub(crate) fn set_row(&mut self, row: usize, values: &[f32]) {
        narrow(values, &mut self.numbers[row * self.depth..][..self.depth]);
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Writes columns `first_column..` of all rows from `values`, row stride `stride`.
    pub(crate) fn set_columns(&mut self, first_column: usize, columns: usize, values: &[f32], stride: usize) {
        let rows = self.numbers.chunks_exact_mut(self.depth).take(self.count);
        for (target, values) in rows.zip(values.chunks(stride)) {
            narrow(&values[..columns], &mut target[first_column..]);
        }
    }
}

/// The nearest bf16 number, of two the even one; what is no number stays none. `half` has the same with a branch, which
/// is not made of vector instructions.
#[inline(always)]
fn narrowed(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
    let kept = if value.is_nan() { bits | 0x0040_0000 } else { rounded };
    (kept >> 16) as u16
}

/// Two numbers in a word, the first in its low half.
#[inline(always)]
fn joined(first: f32, second: f32) -> u32 {
    u32::from(narrowed(first)) | u32::from(narrowed(second)) << 16
}

/// Numbers as bf16, as many as there are values.
pub(crate) fn narrow(values: &[f32], out: &mut [u16]) {
    vectorised!(Isa::best(), narrow_all(values, out));
}

#[inline(always)]
fn narrow_all<const FMA: bool>(values: &[f32], out: &mut [u16]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out = narrowed(*value);
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
    fn numbers_are_rounded_to_the_nearest_and_what_is_none_stays_none() {
        let step = 2_f32.powi(-7);
        assert_eq!(wide(narrowed(1.0 + 0.49 * step)), 1.0);
        assert_eq!(wide(narrowed(1.0 + 0.51 * step)), 1.0 + step);
        assert_eq!(wide(narrowed(1.0 + 0.5 * step)), 1.0, "a tie goes to the even one");
        assert_eq!(wide(narrowed(1.0 + 1.5 * step)), 1.0 + 2.0 * step);
        assert_eq!(wide(narrowed(f32::NEG_INFINITY)), f32::NEG_INFINITY);
        assert_eq!(wide(narrowed(f32::MAX)), f32::INFINITY);
        for bits in [0x7fff_ffff, 0x7f80_0001, 0xffff_ffff] {
            assert!(wide(narrowed(f32::from_bits(bits))).is_nan());
        }
        for bits in (0..u32::MAX - 65_537).step_by(65_537) {
            let value = f32::from_bits(bits);
            assert_eq!(narrowed(value), bf16::from_f32(value).to_bits(), "{bits:x}");
        }
    }

    /// (count, columns), by the instructions.
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
    fn the_definition_is_that_of_rounded_numbers() {
        let (count, inner, columns) = (3, 37, 34);
        let (left, weight) = (test_numbers(count * inner, 1), test_numbers(columns * inner, 2));
        let got = product(&Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner), &left, count);
        let rounded = |values: &[f32]| values.iter().map(|value| wide(narrowed(*value))).collect::<Vec<_>>();
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
    fn numbers_that_are_in_bf16_already_are_the_same_matrix() {
        for (inner, columns) in [(1, 1), (33, 40), (64, 64)] {
            let weight = test_numbers(inner * columns, 3);
            let short: Vec<bf16> = weight.iter().map(|value| bf16::from_f32(*value)).collect();
            let expected = Bf16Matrix::transposed(Bf16Isa::Plain, &weight, columns, inner);
            let found = Bf16Matrix::from_bf16(Bf16Isa::Plain, &short, columns, inner);
            assert_eq!(found.panels, expected.panels, "{inner}x{columns}");
        }
    }

    #[test]
    fn a_matrix_and_the_transpose_of_its_transpose_are_the_same() {
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
    fn integers_are_exact_and_their_scales_come_after() {
        let (inner, columns, count) = (70, 35, 5);
        let integers: Vec<i8> = (0..inner * columns).map(|index| (index * 37 % 255) as i8).collect();
        let scales: Vec<f32> = (0..columns).map(|column| 0.013 + column as f32 / 7.0).collect();
        // Whole numbers that bf16 holds: the sums are exact too.
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
    fn a_row_does_not_depend_on_the_rows_beside_it() {
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
    fn what_is_not_a_number_is_never_hidden() {
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
    fn rows_of_another_shape_leave_nothing_behind() {
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
                    rows.numbers
                        .chunks(rows.depth)
                        .take(count)
                        .all(|row| row[inner..].iter().all(|n| *n == 0))
                );
            }
        }
    }
}
