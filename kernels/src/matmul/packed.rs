//! Products in f32: a right side that is packed once in panels, and a left side in tiles or as it stands.

use std::ops::Range;

use super::left::Left;
use super::shapes::{Rows, TileShape};
use super::tile;
use crate::aligned::Aligned;
use crate::isa::Isa;

/// A matrix `(inner, columns)` in panels.
#[derive(Debug, Clone)]
pub(crate) struct PackedMatrix {
    isa: Isa,
    inner: usize,
    columns: usize,
    panels: Aligned<f32>,
}

impl PackedMatrix {
    /// An empty matrix, to fill later.
    pub(crate) fn empty(isa: Isa) -> Self {
        Self { isa, inner: 0, columns: 0, panels: Aligned::default() }
    }

    /// The transpose of `weight`, `(columns, inner)` as checkpoints store it.
    pub(crate) fn transposed(isa: Isa, weight: &[f32], columns: usize, inner: usize) -> Self {
        let mut packed = Self::empty(isa);
        packed.fill_transposed(Rows { values: weight, stride: inner, count: columns }, inner);
        packed
    }

    /// The transpose of 8-bit rows, `(columns, inner)`, with a scale for each row.
    pub(crate) fn from_rows8(isa: Isa, integers: &[i8], scales: &[f32], inner: usize) -> Self {
        let mut packed = Self::empty(isa);
        let width = packed.resize(inner, scales.len());
        for (column, (row, scale)) in integers.chunks_exact(inner).zip(scales).enumerate() {
            let panel = &mut packed.panels[column / width * inner * width..][..inner * width];
            for (target, integer) in panel[column % width..].iter_mut().step_by(width).zip(row) {
                *target = f32::from(*integer) * scale;
            }
        }
        packed
    }

    /// Packs the transpose of `rows`, of which the first `inner` values are used.
    pub(crate) fn fill_transposed(&mut self, rows: Rows<'_>, inner: usize) {
        let width = self.resize(inner, rows.count);
        for (panel, columns) in self.panels.chunks_exact_mut(inner.max(1) * width).enumerate() {
            for column in 0..width.min(rows.count - panel * width) {
                let row = &rows.values[(panel * width + column) * rows.stride..][..inner];
                for (k, value) in row.iter().enumerate() {
                    columns[k * width + column] = *value;
                }
            }
        }
    }

    /// Packs `rows`, of which the first `columns` values are used.
    pub(crate) fn fill(&mut self, rows: Rows<'_>, columns: usize) {
        let width = self.resize(rows.count, columns);
        for (panel, target) in self.panels.chunks_exact_mut(rows.count.max(1) * width).enumerate() {
            let first = panel * width;
            let count = width.min(columns - first);
            for (k, target) in target.chunks_exact_mut(width).enumerate() {
                target[..count].copy_from_slice(&rows.values[k * rows.stride + first..][..count]);
            }
        }
    }

    /// Resizes the panels and returns the panel width. Values beyond the columns are unspecified.
    fn resize(&mut self, inner: usize, columns: usize) -> usize {
        let width = self.panel_width();
        self.inner = inner;
        self.columns = columns;
        self.panels.resize(columns.next_multiple_of(width) * inner);
        width
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Inner dimension.
    pub(crate) fn inner(&self) -> usize {
        self.inner
    }

    /// The instruction set it is packed for.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    pub(crate) fn panel_width(&self) -> usize {
        TileShape::of(self.isa).columns
    }

    pub(crate) fn panel_count(&self) -> usize {
        self.columns.div_ceil(self.panel_width())
    }

    fn panel(&self, index: usize) -> &[f32] {
        let size = self.inner * self.panel_width();
        &self.panels[index * size..][..size]
    }

    /// Multiplies `rows` by one panel: `(count, panel width)` into `out`, row stride `stride`. `out` holds whole tiles;
    /// rows beyond `count` are scratch.
    pub(crate) fn times_panel(&self, rows: Rows<'_>, panel: usize, out: &mut [f32], stride: usize) {
        let shape = TileShape::of(self.isa);
        let panel = self.panel(panel);
        for first in (0..rows.count).step_by(shape.rows) {
            let left = Left::Strided {
                values: &rows.values[first * rows.stride..],
                stride: rows.stride,
                count: shape.rows.min(rows.count - first),
            };
            tile::multiply(self.isa, self.inner, left, panel, &mut out[first * stride..], stride);
        }
    }

    /// Multiplies `rows` by a range of panels, side by side in `out`.
    pub(crate) fn times_panels(&self, panels: Range<usize>, rows: Rows<'_>, out: &mut [f32], stride: usize) {
        for (index, panel) in panels.enumerate() {
            self.times_panel(rows, panel, &mut out[index * self.panel_width()..], stride);
        }
    }

    /// As [`Self::times_panel`], for packed rows.
    pub(crate) fn packed_times_panel(&self, rows: &PackedRows, panel: usize, out: &mut [f32], stride: usize) {
        let shape = TileShape::of(self.isa);
        let panel = self.panel(panel);
        for (index, tile) in rows.tiles.chunks_exact(shape.rows * self.inner).enumerate() {
            let out = &mut out[index * shape.rows * stride..];
            let count = rows.count.saturating_sub(index * shape.rows);
            let left = Left::Packed { values: tile, count };
            tile::multiply(self.isa, self.inner, left, panel, out, stride);
        }
    }
}

/// Rows of a left side in tiles: a tile holds a few rows, column after column, in the order in which the tile kernel
/// reads them. Missing rows of the last tile are unspecified.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackedRows {
    tiles: Aligned<f32>,
    count: usize,
    tile_rows: usize,
    inner: usize,
}

impl PackedRows {
    /// Packs `rows`, of which the first `inner` values are used.
    pub(crate) fn fill(&mut self, isa: Isa, rows: Rows<'_>, inner: usize) {
        self.reset(isa, rows.count, inner);
        let height = self.tile_rows;
        for (tile, target) in self.tiles.chunks_exact_mut(height * inner).enumerate() {
            for row in 0..height.min(rows.count - tile * height) {
                let source = &rows.values[(tile * height + row) * rows.stride..][..inner];
                for (k, value) in source.iter().enumerate() {
                    target[k * height + row] = *value;
                }
            }
        }
    }

    /// Resizes to `count` rows.
    pub(crate) fn reset(&mut self, isa: Isa, count: usize, inner: usize) {
        self.tile_rows = TileShape::of(isa).rows;
        self.count = count;
        self.inner = inner;
        self.tiles.resize(count.next_multiple_of(self.tile_rows) * inner);
    }

    /// Writes columns `first_column..` of rows `0..count` from `values`, row stride `stride`.
    pub(crate) fn set_columns(&mut self, first_column: usize, columns: usize, values: &[f32], stride: usize) {
        let height = self.tile_rows;
        for (tile, target) in self.tiles.chunks_exact_mut(height * self.inner).enumerate() {
            for column in 0..columns {
                let target = &mut target[(first_column + column) * height..][..height];
                for (row, value) in target.iter_mut().enumerate() {
                    *value = values[(tile * height + row) * stride + column];
                }
            }
        }
    }
}

/// The number of rows rounded up to whole tiles.
pub(crate) fn whole_tiles(isa: Isa, rows: usize) -> usize {
    rows.next_multiple_of(TileShape::of(isa).rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_numbers;

    #[test]
    fn products_agree_with_the_definition_on_awkward_sizes() {
        for isa in Isa::available() {
            for (count, inner, columns) in [(1, 1, 1), (2, 7, 3), (12, 64, 32), (13, 33, 65), (130, 5, 17)] {
                let left = test_numbers(count * inner, 1);
                let weight = test_numbers(columns * inner, 2);
                let packed = PackedMatrix::transposed(isa, &weight, columns, inner);
                let rows = Rows { values: &left, stride: inner, count };
                let mut packed_rows = PackedRows::default();
                packed_rows.fill(isa, rows, inner);
                let width = packed.panel_width();
                let mut out = vec![0.0; whole_tiles(isa, count) * width];
                let mut out_packed = out.clone();
                for panel in 0..packed.panel_count() {
                    packed.times_panel(rows, panel, &mut out, width);
                    packed.packed_times_panel(&packed_rows, panel, &mut out_packed, width);
                    for row in 0..count {
                        for column in 0..width.min(columns - panel * width) {
                            let weight = &weight[(panel * width + column) * inner..][..inner];
                            let expected: f64 = left[row * inner..][..inner]
                                .iter()
                                .zip(weight)
                                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                                .sum();
                            let got = out[row * width + column];
                            assert!((f64::from(got) - expected).abs() < 1e-5 * inner as f64, "{isa:?}");
                            assert_eq!(got.to_bits(), out_packed[row * width + column].to_bits(), "{isa:?}");
                        }
                    }
                }
            }
        }
    }
}
