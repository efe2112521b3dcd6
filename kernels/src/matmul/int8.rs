//! Matrix products in 8-bit integers. Weights are quantised once, with one scale per column; rows of the left side are
//! quantised at run time, with one scale and one offset per row and group of up to 768 inputs. The products of groups are
//! added in f32; within a group, sums are exact, in 32-bit integers.
//!
//! With `w = weight_scale * v`, v in -127..=127, and `x = scale * q + offset`, q in 0..=254:
//! `sum x w = weight_scale * (scale * sum q v + offset * sum v)`. In a row with outliers the quantisation steps are so wide
//! that the other values are lost (Bondarenko, Nagel, Blankevoort 2021); the residuals of such a row are quantised in 255
//! steps too, and its product is the sum of both products. There are 255 steps rather than 256 so that `q - 127` is
//! symmetric around zero, which AVX2 needs (`int8_tile.rs`). All machines compute the same integers. A row with a
//! non-finite value gives NaN.

use std::ops::Range;

use super::int8_tile::{self, Int8Isa};
use super::{Rows, TileShape};
use crate::aligned::Aligned;
use crate::functions::{ROUND, Statistics, add_scaled, rounded_bits, statistics};
use crate::isa::{Isa, multiply_add, vectorised};

/// Inputs of each row that one instruction multiplies: a quad.
pub(super) const QUAD: usize = 4;
/// Largest quantised weight.
const LARGEST_WEIGHT: f32 = 127.0;
/// Largest quantised value of the left side.
const LARGEST_VALUE: f32 = 254.0;

/// The most inputs of a group. With fewer, an outlier makes the steps of fewer values wide, and fewer rows have outliers
/// (docs/measurements/performance.md, "AMX"); each group adds a pass over the sums.
const GROUP_INPUTS: usize = 768;

/// The groups of a matrix's inputs, of equal size but for the last.
fn groups(inner: usize) -> impl Iterator<Item = Range<usize>> {
    let count = inner.div_ceil(GROUP_INPUTS).max(1);
    let size = inner.div_ceil(count).next_multiple_of(64).max(1);
    (0..inner).step_by(size).map(move |first| first..inner.min(first + size))
}

/// A group's rows of a matrix, `(inner, columns)`, in panels of 8-bit integers.
#[derive(Debug, Clone)]
pub(crate) struct Int8Matrix {
    isa: Int8Isa,
    inner: usize,
    columns: usize,
    /// (panels, panel bytes), with quads of inputs at [`Int8Isa::quad_index`].
    panels: Aligned<i8>,
    /// The scale of each column; zeros beyond the columns.
    scales: Vec<f32>,
    /// The sum of each column's integers.
    sums: Vec<f32>,
}

impl Int8Matrix {
    /// The transpose of `weight`, `(columns, inner)` as checkpoints store it, in groups of inputs.
    pub(crate) fn transposed(isa: Int8Isa, weight: &[f32], columns: usize, inner: usize) -> Vec<Self> {
        let mut integers = vec![0; columns * inner];
        let mut scales = Vec::with_capacity(columns);
        for (integers, weights) in integers.chunks_exact_mut(inner).zip(weight.chunks_exact(inner)) {
            let largest = weights.iter().fold(f32::MIN_POSITIVE, |most, w| most.max(w.abs()));
            let finite = weights.iter().all(|w| w.is_finite());
            let scale = if finite { largest / LARGEST_WEIGHT } else { f32::NAN };
            for (integer, weight) in integers.iter_mut().zip(weights) {
                *integer = (weight / scale).round() as i8;
            }
            scales.push(scale);
        }
        Self::from_rows8(isa, &integers, &scales, inner)
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale for each row, in groups of inputs.
    pub(crate) fn from_rows8(isa: Int8Isa, integers: &[i8], scales: &[f32], inner: usize) -> Vec<Self> {
        groups(inner)
            .map(|inputs| {
                let mut matrix = Self::zeros(isa, scales.len(), inputs.len());
                for (column, (integers, scale)) in integers.chunks_exact(inner).zip(scales).enumerate() {
                    matrix.set_column(column, &integers[inputs.clone()], *scale);
                }
                matrix
            })
            .collect()
    }

    fn zeros(isa: Int8Isa, columns: usize, inner: usize) -> Self {
        let width = isa.shape().columns;
        let padded = columns.next_multiple_of(width);
        let panel_bytes = isa.depth(inner) * width;
        Self {
            isa,
            inner,
            columns,
            panels: Aligned::zeros(padded / width * panel_bytes),
            scales: vec![0.0; padded],
            sums: vec![0.0; padded],
        }
    }

    fn set_column(&mut self, column: usize, integers: &[i8], scale: f32) {
        let width = self.isa.shape().columns;
        let panel_bytes = self.isa.depth(self.inner) * width;
        let panel = &mut self.panels[column / width * panel_bytes..][..panel_bytes];
        for (quad, integers) in integers.chunks(QUAD).enumerate() {
            let start = self.isa.quad_index(quad, column % width) * QUAD;
            panel[start..start + integers.len()].copy_from_slice(integers);
        }
        self.scales[column] = scale;
        self.sums[column] = integers.iter().map(|integer| i32::from(*integer)).sum::<i32>() as f32;
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    pub(crate) fn shape(&self) -> TileShape {
        self.isa.shape()
    }

    /// Multiplies `rows` by one panel: `(count, panel width)` into `out`, row stride `stride`, or adds to `out` if `adds`.
    /// `out` holds whole tiles.
    pub(crate) fn times_panel(
        &self,
        rows: &Int8Rows,
        panel: usize,
        out: &mut [f32],
        stride: usize,
        adds: bool,
    ) {
        let width = self.shape().columns;
        let depth = self.isa.depth(self.inner);
        let columns = panel * width..(panel + 1) * width;
        let weights = int8_tile::Panel {
            integers: &self.panels[panel * depth * width..][..depth * width],
            scales: &self.scales[columns.clone()],
            sums: &self.sums[columns],
        };
        int8_tile::multiply(self.isa, &rows.coarse.left(depth), &weights, out, stride, adds);
        // The residuals of rows with outliers, a few rows at a time.
        let height = self.shape().rows;
        let at_once = RESIDUAL_ROWS / height * height;
        for (index, fine_rows) in rows.fine_rows.chunks(at_once).enumerate() {
            let mut residuals = Residuals([0.0; RESIDUAL_ROWS * MAX_TILE_COLUMNS]);
            let count = fine_rows.len().next_multiple_of(height);
            let fine = rows.fine.left(depth).part(index * at_once, count);
            int8_tile::multiply(self.isa, &fine, &weights, &mut residuals.0, width, false);
            vectorised!(Isa::best(), add_rows(out, stride, fine_rows, &residuals.0, width));
        }
    }
}

/// Adds rows of `width` values to some rows of `out`.
#[inline(always)]
fn add_rows<const FMA: bool>(out: &mut [f32], stride: usize, rows: &[usize], values: &[f32], width: usize) {
    for (row, values) in rows.iter().zip(values.chunks_exact(width)) {
        add_scaled::<FMA>(&mut out[row * stride..][..width], 1.0, values);
    }
}

/// The largest number of columns of any tile.
const MAX_TILE_COLUMNS: usize = 32;

/// The largest number of rows whose residuals are multiplied together.
const RESIDUAL_ROWS: usize = 32;

/// Products of residuals, on a cache line.
#[repr(align(64))]
struct Residuals([f32; RESIDUAL_ROWS * MAX_TILE_COLUMNS]);

/// Rows whose range exceeds this multiple of their root mean square are quantised in 16 bits. Measured on trained models
/// (docs/measurements/performance.md): few rows do, but they cause most of the error of 8 bits.
const OUTLIER_RANGE: f32 = 16.0;

/// Quantised rows of a left side. All rows have eight bits; the residuals of rows with outliers have eight more. Whether
/// a row has outliers depends only on the row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Int8Rows {
    coarse: Integers,
    fine: Integers,
    /// The indices of the rows in `fine`.
    fine_rows: Vec<usize>,
}

/// Rows of unsigned bytes, each with a scale and an offset. Missing rows of the last tile are unspecified.
#[derive(Debug, Clone, Default)]
struct Integers {
    /// (whole tiles of rows, depth)
    integers: Aligned<u8>,
    scales: Vec<f32>,
    offsets: Vec<f32>,
}

impl Integers {
    /// Changes the number of rows; rows that stay keep their contents.
    fn resize(&mut self, rows: usize, depth: usize) {
        self.integers.resize(rows * depth);
        self.scales.resize(rows, 0.0);
        self.offsets.resize(rows, 0.0);
    }

    /// Writes a row's integers where the instruction set reads them.
    fn set_row(&mut self, isa: Int8Isa, row: usize, depth: usize, integers: &[u8]) {
        let (height, piece) = (isa.shape().rows, isa.piece(depth));
        let tile = &mut self.integers[row / height * height * depth..];
        let pieces = tile[row % height * piece..].chunks_mut(height * piece);
        for (target, integers) in pieces.zip(integers.chunks(piece)) {
            target[..integers.len()].copy_from_slice(integers);
        }
    }

    fn left(&self, depth: usize) -> int8_tile::Left<'_> {
        int8_tile::Left { integers: &self.integers, depth, scales: &self.scales, offsets: &self.offsets }
    }
}

impl Int8Rows {
    /// Quantises `rows`, of which the first `inner` values are used, for products with `matrix`.
    pub(crate) fn fill(&mut self, matrix: &Int8Matrix, rows: Rows<'_>) {
        self.begin(matrix, rows.count);
        for row in 0..rows.count {
            self.set_row(matrix, row, &rows.values[row * rows.stride..][..matrix.inner]);
        }
    }

    /// Starts `count` rows, each of which [`Self::set_row`] quantises once.
    pub(crate) fn begin(&mut self, matrix: &Int8Matrix, count: usize) {
        let whole_tiles = count.next_multiple_of(matrix.shape().rows);
        self.coarse.resize(whole_tiles, matrix.isa.depth(matrix.inner));
        self.fine_rows.clear();
    }

    /// Quantises one row for products with `matrix`.
    pub(crate) fn set_row(&mut self, matrix: &Int8Matrix, row: usize, values: &[f32]) {
        let (inner, depth) = (matrix.inner, matrix.isa.depth(matrix.inner));
        let mut coarse = [0; GROUP_INPUTS];
        let coarse = &mut coarse[..inner];
        let (scale, offset, has_outliers) = vectorised!(Isa::best(), quantise(values, coarse));
        self.coarse.set_row(matrix.isa, row, depth, coarse);
        (self.coarse.scales[row], self.coarse.offsets[row]) = (scale, offset);
        if has_outliers {
            let fine_row = self.fine_rows.len();
            self.fine_rows.push(row);
            self.fine.resize(self.fine_rows.len().next_multiple_of(matrix.shape().rows), depth);
            let mut fine = [0; GROUP_INPUTS];
            let fine = &mut fine[..inner];
            vectorised!(Isa::best(), quantise_residuals(values, coarse, (scale, offset), fine));
            self.fine.set_row(matrix.isa, fine_row, depth, fine);
            self.fine.scales[fine_row] = scale / LARGEST_VALUE;
            self.fine.offsets[fine_row] = -0.5 * scale;
        }
    }
}

/// Quantises `values` as `scale * integer + offset`. Returns the scale (NaN if a value is not finite), the offset, and
/// whether the row has outliers.
#[inline(always)]
fn quantise<const FMA: bool>(values: &[f32], integers: &mut [u8]) -> (f32, f32, bool) {
    let Statistics { low, high, square, bad } = statistics::<FMA>(values);
    let scale = if bad { f32::NAN } else { ((high - low) / LARGEST_VALUE).max(f32::MIN_POSITIVE) };
    let inverse = 1.0 / scale;
    for (integer, value) in integers.iter_mut().zip(values) {
        *integer = rounded_bits(multiply_add::<FMA>(*value - low, inverse, ROUND)) as u8;
    }
    let mean_square = square / values.len() as f32;
    // A row with a non-finite value is NaN already by its scale.
    (scale, low, !bad && (high - low) * (high - low) > OUTLIER_RANGE * OUTLIER_RANGE * mean_square)
}

/// Quantises the residuals of `values`, which range from minus half a step to plus half a step.
#[inline(always)]
fn quantise_residuals<const FMA: bool>(
    values: &[f32],
    coarse: &[u8],
    (scale, offset): (f32, f32),
    integers: &mut [u8],
) {
    let inverse = LARGEST_VALUE / scale;
    for ((integer, value), coarse) in integers.iter_mut().zip(values).zip(coarse) {
        let residual = *value - multiply_add::<FMA>(scale, f32::from(*coarse), offset);
        let steps = multiply_add::<FMA>(residual, inverse, LARGEST_VALUE / 2.0).clamp(0.0, LARGEST_VALUE);
        *integer = rounded_bits(steps + ROUND) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_numbers;

    /// The dequantised values of a row, and whether it has 16 bits.
    fn dequantised(row: &[f32]) -> (Vec<f64>, bool) {
        let (mut coarse, mut fine) = (vec![0; row.len()], vec![0; row.len()]);
        let (scale, offset, has_outliers) = quantise::<false>(row, &mut coarse);
        if has_outliers {
            quantise_residuals::<false>(row, &coarse, (scale, offset), &mut fine);
        }
        let (scale, offset) = (f64::from(scale), f64::from(offset));
        let value = |(q, residual): (&u8, &u8)| {
            let residual = if has_outliers { (f64::from(*residual) / 254.0 - 0.5) * scale } else { 0.0 };
            scale * f64::from(*q) + offset + residual
        };
        (coarse.iter().zip(&fine).map(value).collect(), has_outliers)
    }

    /// The product by its definition, in f64, on the same quantised values.
    fn by_definition(groups: &[Int8Matrix], weight: &[f32], row: &[f32], column: usize) -> f64 {
        let weight_scale = f64::from(groups[0].scales[column]);
        let values = super::groups(row.len()).flat_map(|inputs| dequantised(&row[inputs]).0);
        values
            .zip(&weight[column * row.len()..])
            .map(|(value, w)| value * weight_scale * (f64::from(*w) / weight_scale).round())
            .sum()
    }

    /// The product of `count` rows, (count, columns).
    fn product(groups: &[Int8Matrix], left: &[f32], count: usize) -> Vec<f32> {
        let inner: usize = groups.iter().map(|group| group.inner).sum();
        let (TileShape { rows: height, columns: width }, columns) = (groups[0].shape(), groups[0].columns);
        let mut out = vec![0.0; count.next_multiple_of(height) * width];
        let mut product = vec![0.0; count * columns];
        for panel in 0..columns.div_ceil(width) {
            for (index, (group, inputs)) in groups.iter().zip(super::groups(inner)).enumerate() {
                let mut rows = Int8Rows::default();
                rows.fill(group, Rows { values: &left[inputs.start..], stride: inner, count });
                group.times_panel(&rows, panel, &mut out, width, index > 0);
            }
            let used = width.min(columns - panel * width);
            for (row, values) in product.chunks_exact_mut(columns).zip(out.chunks_exact(width)) {
                row[panel * width..][..used].copy_from_slice(&values[..used]);
            }
        }
        product
    }

    /// Rows of which two thirds have an outlier.
    fn rows_with_outliers(count: usize, inner: usize) -> Vec<f32> {
        let mut values = test_numbers(count * inner, 1);
        for row in (0..count).filter(|row| row % 3 != 1) {
            values[row * inner + row * 5 % inner] = 30.0 * if row % 2 == 0 { 1.0 } else { -1.0 };
        }
        values
    }

    #[test]
    fn rows_with_outliers_are_quantised_in_16_bits() {
        let (count, inner) = (40, 600);
        let values = rows_with_outliers(count, inner);
        for (row, values) in values.chunks(inner).enumerate() {
            let (dequantised, has_outliers) = dequantised(values);
            assert_eq!(has_outliers, row % 3 != 1);
            let largest =
                values.iter().zip(&dequantised).map(|(x, y)| (f64::from(*x) - y).abs()).fold(0.0, f64::max);
            // Half a step of 2 / 254, or of 31 / 254 / 254.
            assert!(largest < if has_outliers { 0.000_26 } else { 0.004 }, "row {row}: {largest}");
        }
    }

    #[test]
    fn products_agree_with_the_definition_on_awkward_sizes() {
        let sizes = [
            (1, 1, 1),
            (2, 7, 3),
            (12, 64, 32),
            (13, 33, 65),
            (130, 5, 17),
            (1, 700, 5),
            (50, 601, 33),
            (7, 1601, 3),
        ];
        for isa in Int8Isa::available() {
            for (count, inner, columns) in sizes {
                let left = rows_with_outliers(count, inner);
                let weight = test_numbers(columns * inner, 2);
                let groups = Int8Matrix::transposed(isa, &weight, columns, inner);
                let product = product(&groups, &left, count);
                for (index, got) in product.into_iter().enumerate() {
                    let row = &left[index / columns * inner..][..inner];
                    let expected = by_definition(&groups, &weight, row, index % columns);
                    let error = (f64::from(got) - expected).abs();
                    assert!(error < 1e-5 * inner as f64, "{isa:?}: {got}, {expected}");
                }
            }
        }
    }

    #[test]
    fn all_instruction_sets_agree_at_the_ends_of_the_range() {
        let (inner, columns, count) = (3072, 33, 13);
        let ends = [-1.0_f32, 1.0, 1.0, -0.25, 0.0, 1.0, -1.0];
        let mut left: Vec<f32> = (0..count * inner).map(|index| ends[index % 7]).collect();
        // Some rows with outliers.
        left[3 * inner..4 * inner].iter_mut().for_each(|value| *value *= 0.01);
        left[3 * inner + 5] = 1.0;
        left[12 * inner + 9] = -90.0;
        let weights = [-128_i8, 127, 127, -128, -127, 0, 1];
        let integers: Vec<i8> = (0..columns * inner).map(|index| weights[index * 5 % 7]).collect();
        let products = |isa| -> Vec<u32> {
            let groups = Int8Matrix::from_rows8(isa, &integers, &vec![0.01; columns], inner);
            product(&groups, &left, count).into_iter().map(f32::to_bits).collect()
        };
        let expected = products(Int8Isa::Portable);
        for isa in Int8Isa::available() {
            assert_eq!(products(isa), expected, "{isa:?}");
        }
    }

    #[test]
    fn error_is_within_the_quantisation_steps() {
        let (inner, columns) = (256, 32);
        let left = test_numbers(inner, 5);
        let weight = test_numbers(columns * inner, 6);
        let out = product(&Int8Matrix::transposed(Int8Isa::best(), &weight, columns, inner), &left, 1);
        for column in 0..columns {
            let exact: f32 = left.iter().zip(&weight[column * inner..]).map(|(x, w)| x * w).sum();
            // Errors of half a step, 1 / 254 and 1 / 254, on each of 256 factors of up to 1, with random signs.
            assert!((out[column] - exact).abs() < 0.25, "{} is not {exact}", out[column]);
        }
    }

    #[test]
    fn rows8_weights_pack_to_the_same_matrix() {
        let (inner, columns) = (37, 40);
        let weight = test_numbers(columns * inner, 4);
        for isa in Int8Isa::available() {
            let made = &Int8Matrix::transposed(isa, &weight, columns, inner)[0];
            let scales = &made.scales[..columns];
            let integers: Vec<i8> = (0..weight.len())
                .map(|index| (weight[index] / scales[index / inner]).round() as i8)
                .collect();
            let given = &Int8Matrix::from_rows8(isa, &integers, scales, inner)[0];
            assert_eq!((&given.panels, &given.scales, &given.sums), (&made.panels, &made.scales, &made.sums));
            assert_eq!((given.columns(), given.inner()), (columns, inner));
        }
    }

    #[test]
    fn an_outlier_costs_its_group_alone_16_bits() {
        let inner = 4 * GROUP_INPUTS;
        let mut row = test_numbers(inner, 7);
        row[2 * GROUP_INPUTS + 5] = 60.0;
        let weight = test_numbers(inner, 8);
        for isa in Int8Isa::available() {
            let groups = Int8Matrix::transposed(isa, &weight, 1, inner);
            assert_eq!(groups.iter().map(Int8Matrix::inner).collect::<Vec<_>>(), [GROUP_INPUTS; 4]);
            let is_fine = |(group, values): (&Int8Matrix, &[f32])| {
                let mut rows = Int8Rows::default();
                rows.fill(group, Rows { values, stride: values.len(), count: 1 });
                !rows.fine_rows.is_empty()
            };
            let fine: Vec<bool> = groups.iter().zip(row.chunks(GROUP_INPUTS)).map(is_fine).collect();
            assert_eq!(fine, [false, false, true, false], "{isa:?}");
        }
    }

    #[test]
    fn rows_are_independent() {
        let (inner, columns) = (870, 40);
        let left = rows_with_outliers(50, inner);
        let weight = test_numbers(columns * inner, 4);
        for isa in Int8Isa::available() {
            let groups = Int8Matrix::transposed(isa, &weight, columns, inner);
            let all = product(&groups, &left, 50);
            for (first, count) in [(0, 1), (7, 1), (49, 1), (3, 13), (11, 25)] {
                let part = product(&groups, &left[first * inner..], count);
                assert_eq!(part, all[first * columns..(first + count) * columns], "{isa:?}");
            }
        }
    }

    #[test]
    fn non_finite_values_propagate() {
        for isa in Int8Isa::available() {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let weight = test_numbers(4 * 8, 4);
                let mut left = test_numbers(8, 3);
                left[5] = bad;
                let out = product(&Int8Matrix::transposed(isa, &weight, 4, 8), &left, 1);
                assert!(out.iter().all(|value| value.is_nan()), "{isa:?}, {bad}");
            }
        }
    }
}
