//! Matrix products in 8-bit integers. Weights are quantised once, with one scale per column; rows of the left side are
//! quantised at run time, with one scale and one offset per row and group of up to 768 inputs. The products of groups are
//! added in f32; within a group, sums are exact, in 32-bit integers.
//!
//! With `w = weight_scale * v`, v in -127..=127, and `x = scale * q + offset`, q in 0..=254:
//! `sum x w = weight_scale * (scale * sum q v + offset * sum v)`. In a row with outliers the quantisation steps are so wide
//! that the other values are lost (Bondarenko, Nagel, Blankevoort 2021); the residuals of such a row are quantised in 255
//! steps too, and its product is the sum of both products. There are 255 steps rather than 256 so that `q - 127` is
//! symmetric around zero, which AVX2 needs (`x86.rs`). All machines compute the same integers. A row with a
//! non-finite value gives NaN.

use std::ops::Range;

use super::isa::{Int8Isa, QUAD};
use super::quantise::{LARGEST_VALUE, quantise, quantise_residuals};
use super::sides::{Left, Panel};
use super::tile;
use crate::aligned::Aligned;
use crate::functions::add_scaled;
use crate::isa::{Isa, vectorised};
use crate::matmul::shapes::{Rows, TileShape};

/// Largest quantised weight.
const LARGEST_WEIGHT: f32 = 127.0;
/// The most inputs of a group. With fewer, an outlier makes the steps of fewer values wide, and fewer rows have outliers
/// (docs/measurements/performance.md, "AMX"); each group adds a pass over the sums.
pub(super) const GROUP_INPUTS: usize = 768;

/// The groups of a matrix's inputs, of equal size but for the last.
pub(super) fn groups(inner: usize) -> impl Iterator<Item = Range<usize>> {
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
    pub(super) panels: Aligned<i8>,
    /// The scale of each column; zeros beyond the columns.
    pub(super) scales: Vec<f32>,
    /// The sum of each column's integers.
    pub(super) sums: Vec<f32>,
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
        let weights = Panel {
            integers: &self.panels[panel * depth * width..][..depth * width],
            scales: &self.scales[columns.clone()],
            sums: &self.sums[columns],
        };
        tile::multiply(self.isa, &rows.coarse.left(depth), &weights, out, stride, adds);
        // The residuals of rows with outliers, a few rows at a time.
        let height = self.shape().rows;
        let at_once = RESIDUAL_ROWS / height * height;
        for (index, fine_rows) in rows.fine_rows.chunks(at_once).enumerate() {
            let mut residuals = Residuals([0.0; RESIDUAL_ROWS * MAX_TILE_COLUMNS]);
            let count = fine_rows.len().next_multiple_of(height);
            let fine = rows.fine.left(depth).part(index * at_once, count);
            tile::multiply(self.isa, &fine, &weights, &mut residuals.0, width, false);
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

/// Quantised rows of a left side. All rows have eight bits; the residuals of rows with outliers have eight more. Whether
/// a row has outliers depends only on the row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Int8Rows {
    coarse: Integers,
    fine: Integers,
    /// The indices of the rows in `fine`.
    pub(super) fine_rows: Vec<usize>,
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

    fn left(&self, depth: usize) -> Left<'_> {
        Left { integers: &self.integers, depth, scales: &self.scales, offsets: &self.offsets }
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
            vectorised!(Isa::best(), quantise_residuals(values, coarse, scale, offset, fine));
            self.fine.set_row(matrix.isa, fine_row, depth, fine);
            self.fine.scales[fine_row] = scale / LARGEST_VALUE;
            self.fine.offsets[fine_row] = -0.5 * scale;
        }
    }
}
