//! Matrix products of bf16 numbers (8 significant bits, f32's range), sums in f32: both sides are rounded to the nearest,
//! ties to even, and multiplied by the processor's own instructions for them.
//!
//! Where weights are 8-bit integers with a scale a column, the panels hold the integers, which bf16 holds exactly, and
//! the scales come after the sums.

use super::bf16_tile::{self, Bf16Isa};
use super::{Rows, TileShape};

/// Inner indices of one step: a row of them fills 64 bytes.
pub(super) const STEP: usize = 32;
/// Columns of a panel.
pub(super) const WIDTH: usize = 32;
/// Columns that lie side by side in a panel.
const HALF: usize = WIDTH / 2;

/// A matrix `(inner, columns)` in panels of bf16 numbers.
#[derive(Debug, Clone)]
pub(crate) struct Bf16Matrix {
    isa: Bf16Isa,
    inner: usize,
    columns: usize,
    /// (panels, steps, 2 halves of the columns, 16 pairs of inner indices, 16 columns, 2), zeros beyond `inner`.
    panels: Vec<u16>,
    /// Factors on the columns; none for ones.
    scales: Option<Vec<f32>>,
}

/// Where a number lies in a panel.
pub(super) fn place(k: usize, column: usize) -> usize {
    let pair = (k / STEP * 2 + column / HALF) * (STEP / 2) + k % STEP / 2;
    (pair * HALF + column % HALF) * 2 + k % 2
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

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale each.
    pub(crate) fn of_rows8(isa: Bf16Isa, integers: &[i8], scales: &[f32], inner: usize) -> Self {
        let wide: Vec<f32> = integers.iter().map(|integer| f32::from(*integer)).collect();
        let mut matrix = Self::transposed(isa, &wide, scales.len(), inner);
        let mut scales = scales.to_vec();
        scales.resize(scales.len().next_multiple_of(WIDTH), 0.0);
        matrix.scales = Some(scales);
        matrix
    }

    /// Becomes the transpose of `rows`, of which the first `inner` values of each count.
    pub(crate) fn fill_transposed(&mut self, rows: Rows<'_>, inner: usize) {
        self.resize(inner, rows.count);
        let size = self.panel_size();
        for (panel, target) in self.panels.chunks_exact_mut(size.max(1)).enumerate() {
            for column in 0..WIDTH.min(rows.count - panel * WIDTH) {
                let row = &rows.values[(panel * WIDTH + column) * rows.stride..][..inner];
                let (pairs, rest) = row.as_chunks::<2>();
                let start = place(0, column);
                for (pair, values) in pairs.iter().enumerate() {
                    let at = start + (pair / 16 * 2 * 16 + pair % 16) * 2 * HALF;
                    target[at] = narrowed(values[0]);
                    target[at + 1] = narrowed(values[1]);
                }
                if let [last] = rest {
                    target[place(inner - 1, column)] = narrowed(*last);
                }
            }
        }
    }

    /// Becomes `rows` itself, of which the first `columns` values of each count.
    pub(crate) fn fill(&mut self, rows: Rows<'_>, columns: usize) {
        self.resize(rows.count, columns);
        let size = self.panel_size();
        for (panel, target) in self.panels.chunks_exact_mut(size.max(1)).enumerate() {
            for k in 0..rows.count {
                let row = &rows.values[k * rows.stride + panel * WIDTH..];
                for column in (0..WIDTH).step_by(HALF) {
                    let count = HALF.min((columns - panel * WIDTH).saturating_sub(column));
                    let target = target[place(k, column)..].iter_mut().step_by(2);
                    let row = row.get(column..column + count).unwrap_or(&[]);
                    target.zip(row).for_each(|(target, value)| *target = narrowed(*value));
                }
            }
        }
    }

    /// Makes room; what is beyond the inner dimension and the columns is zero.
    fn resize(&mut self, inner: usize, columns: usize) {
        self.inner = inner;
        self.columns = columns;
        self.panels.clear();
        self.panels.resize(columns.div_ceil(WIDTH) * self.panel_size(), 0);
    }

    fn panel_size(&self) -> usize {
        self.inner.next_multiple_of(STEP) * WIDTH
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

    /// `rows` times one panel: `(count, panel width)` into `out`, row stride `stride`; `out` has room for whole tiles.
    pub(crate) fn times_panel(&self, rows: &Bf16Rows, panel: usize, out: &mut [f32], stride: usize) {
        let size = self.panel_size();
        let left = bf16_tile::Left { numbers: &rows.numbers, depth: rows.depth, count: rows.count };
        bf16_tile::multiply(self.isa, &left, &self.panels[panel * size..][..size], out, stride);
        let Some(scales) = &self.scales else { return };
        let scales = &scales[panel * WIDTH..][..WIDTH];
        for row in out.chunks_mut(stride).take(rows.count) {
            row.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
        }
    }
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

    /// Writes columns `first_column..` of all rows from `values`, row stride `stride`.
    pub(crate) fn set_columns(&mut self, first_column: usize, columns: usize, values: &[f32], stride: usize) {
        let rows = self.numbers.chunks_exact_mut(self.depth).take(self.count);
        for (target, values) in rows.zip(values.chunks(stride)) {
            narrow(&values[..columns], &mut target[first_column..]);
        }
    }
}

/// The nearest bf16 number, of two the even one; what is no number stays none.
#[inline(always)]
fn narrowed(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
    let kept = if value.is_nan() { bits | 0x0040_0000 } else { rounded };
    (kept >> 16) as u16
}

/// Numbers as bf16, as many as there are values.
fn narrow(values: &[f32], out: &mut [u16]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out = narrowed(*value);
    }
}
