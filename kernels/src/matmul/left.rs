//! The left side of an f32 tile, as callers give it and as kernels take it.

/// The left side of a tile.
#[derive(Clone, Copy)]
pub(super) enum Left<'v> {
    /// Tile rows side by side for each inner index, `(inner, tile rows)`, of which the first `count` are used.
    Packed { values: &'v [f32], count: usize },
    /// `count` rows at a stride.
    Strided { values: &'v [f32], stride: usize, count: usize },
}

/// The left side in the form that kernels take.
pub(super) struct Side<'v> {
    pub(super) inner: usize,
    pub(super) values: &'v [f32],
    /// The start of each row of the largest tile.
    pub(super) starts: [usize; 12],
    /// The rows to compute.
    pub(super) rows: usize,
}
