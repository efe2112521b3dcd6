//! Right sides of products in either dtype, as attention multiplies by them.

use std::ops::Range;

use crate::matmul::{Bf16Matrix, Bf16Rows, PackedMatrix, Rows, whole_tiles};

/// A packed right side of products.
pub(super) trait Panels {
    type Left<'v>: Copy;
    /// Columns of a panel.
    fn width(&self) -> usize;
    /// The rows of a left side, rounded up to whole tiles.
    fn tiled_rows(&self, left: Self::Left<'_>) -> usize;
    /// Multiplies a range of rows of the left side, starting at a tile, by a range of panels, side by side in `out`.
    fn multiply(
        &self,
        panels: Range<usize>,
        left: Self::Left<'_>,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    );
}

impl Panels for PackedMatrix {
    type Left<'v> = Rows<'v>;

    fn width(&self) -> usize {
        self.panel_width()
    }

    fn tiled_rows(&self, left: Rows<'_>) -> usize {
        whole_tiles(self.isa(), left.count)
    }

    fn multiply(
        &self,
        panels: Range<usize>,
        left: Rows<'_>,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    ) {
        self.times_panels(panels, left.part(rows, 0), out, stride);
    }
}

impl Panels for Bf16Matrix {
    type Left<'v> = &'v Bf16Rows;

    fn width(&self) -> usize {
        self.shape().columns
    }

    fn tiled_rows(&self, left: &Bf16Rows) -> usize {
        left.count().next_multiple_of(self.shape().rows)
    }

    fn multiply(
        &self,
        panels: Range<usize>,
        left: &Bf16Rows,
        rows: Range<usize>,
        out: &mut [f32],
        stride: usize,
    ) {
        for (index, panel) in panels.enumerate() {
            self.times_panel_of(left, rows.clone(), panel, &mut out[index * self.width()..], stride);
        }
    }
}
