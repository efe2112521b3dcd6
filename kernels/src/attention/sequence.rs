//! One (sequence, head): a task of attention.

use std::ops::Range;

use crate::distances::DistanceTable;
use crate::matmul::Rows;

/// Queries of a block, whose scores fit in the cache; a multiple of every tile's rows.
pub(super) const BLOCK_QUERIES: usize = 48;

/// The result of one query in one head, a part of a row.
pub(super) type HeadRow<'o> = &'o mut [f32];

/// The queries, keys and values of one (sequence, head), and what turns their products into scores.
pub(super) struct Sequence<'v> {
    pub(super) head: usize,
    /// Columns of the head.
    pub(super) size: usize,
    /// The factor on the sum of a score's terms.
    pub(super) scale: f32,
    pub(super) distances: &'v DistanceTable,
    pub(super) query: Rows<'v>,
    pub(super) key: Rows<'v>,
    pub(super) value: Rows<'v>,
}

impl Sequence<'_> {
    /// Number of keys.
    pub(super) fn length(&self) -> usize {
        self.key.count
    }

    /// Reads all rows into the cache.
    pub(super) fn prefetch(&self) {
        for rows in [self.query, self.key, self.value] {
            prefetch(rows, self.size);
        }
    }

    /// The blocks of queries whose scores are computed together.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let length = self.length();
        (0..length).step_by(BLOCK_QUERIES).map(move |first| first..length.min(first + BLOCK_QUERIES))
    }
}

/// Reads one value of each cache line of some rows. The rows are far apart, so the processor cannot predict the next
/// one; independent reads let the cache misses overlap.
fn prefetch(rows: Rows<'_>, size: usize) {
    const LINE: usize = 16;
    let line = |row: usize, first: usize| rows.values[row * rows.stride + first].to_bits();
    let read = (0..rows.count).flat_map(|row| (0..size).step_by(LINE).map(move |first| line(row, first)));
    std::hint::black_box(read.fold(0, u32::wrapping_add));
}
