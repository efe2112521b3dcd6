//! Both sides of an 8-bit product, as kernels take them.

/// Quantised rows, whole tiles.
pub(super) struct Left<'v> {
    /// (tiles of rows, pieces, rows, bytes of a piece), with pieces of [`super::isa::Int8Isa::piece`].
    pub(super) integers: &'v [u8],
    /// From [`super::isa::Int8Isa::depth`].
    pub(super) depth: usize,
    /// One per row.
    pub(super) scales: &'v [f32],
    pub(super) offsets: &'v [f32],
}

impl<'v> Left<'v> {
    /// The `count` rows from `first` on; both are whole tiles.
    pub(super) fn part(&self, first: usize, count: usize) -> Left<'v> {
        Left {
            integers: &self.integers[first * self.depth..][..count * self.depth],
            depth: self.depth,
            scales: &self.scales[first..][..count],
            offsets: &self.offsets[first..][..count],
        }
    }
}

/// Quantised weights of one panel.
pub(super) struct Panel<'v> {
    /// Quads of inputs at [`super::isa::Int8Isa::quad_index`].
    pub(super) integers: &'v [i8],
    pub(super) scales: &'v [f32],
    pub(super) sums: &'v [f32],
}
