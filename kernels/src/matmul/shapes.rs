//! What all products share: the rows of a left side and the size of a tile.

use std::ops::Range;

/// Rows of a left side: row `r` starts at `values[r * stride]`.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'v> {
    pub(crate) values: &'v [f32],
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

impl Rows<'_> {
    /// A range of them, from a column on.
    pub(crate) fn part(self, range: Range<usize>, column: usize) -> Self {
        Self { values: &self.values[range.start * self.stride + column..], count: range.len(), ..self }
    }
}

/// Rows and columns of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TileShape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}
