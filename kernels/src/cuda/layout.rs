//! The layout of a batch for kernels: the offsets of its sequences, and the tiles of queries that blocks compute.

use super::device::{Cuda, IndexLists, Indices};
use super::error::{CudaError, Result};
use crate::attention::Queries;

/// Queries computed by a block of the attention kernel.
const TILE_QUERIES: usize = 64;

/// The layout of a batch on the GPU, with further lists of the caller.
pub struct Layout {
    uploaded: IndexLists,
    longest: usize,
    tokens: usize,
    sequences: usize,
}

/// The lists of a layout, in upload order.
#[derive(Clone, Copy)]
enum List {
    /// The start of each sequence, and the end of the last: (sequences + 1).
    Offsets,
    /// The start of each sequence: (sequences).
    FirstTokens,
    /// Tiles with all tokens as queries: (tiles, 2).
    Tiles,
    /// Offsets with first tokens as queries: 0, 1, ..., sequences.
    FirstOffsets,
    /// Tiles with first tokens as queries: (sequences, 2).
    FirstTiles,
    /// The first of the caller's lists.
    Others,
}

impl Layout {
    /// `offsets`: the start of each sequence, and the number of tokens at the end. `others` are uploaded in the same copy.
    ///
    /// # Errors
    /// When offsets decrease, a sequence is empty, or there is no memory.
    pub fn new(cuda: &Cuda, offsets: &[usize], others: &[&[u32]]) -> Result<Self> {
        let lengths: Vec<usize> = offsets.windows(2).map(|o| o[1].saturating_sub(o[0])).collect();
        let tokens = offsets.last().copied().unwrap_or(0);
        if offsets.first() != Some(&0) || lengths.contains(&0) || tokens > i32::MAX as usize / 8 {
            return Err(CudaError::Shape(format!("invalid offsets of a batch: {offsets:?}")));
        }
        let as_u32 = |list: &[usize]| list.iter().map(|x| *x as u32).collect::<Vec<u32>>();
        let firsts: Vec<u32> = (0..=lengths.len() as u32).collect();
        let (all, first) = (tiles(&lengths), tiles(&vec![1; lengths.len()]));
        let lists = [as_u32(offsets), as_u32(&offsets[..lengths.len()]), all, firsts, first];
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).chain(others.iter().copied()).collect();
        Ok(Self {
            uploaded: cuda.upload_lists(&lists)?,
            longest: lengths.iter().copied().max().unwrap_or(0),
            tokens,
            sequences: lengths.len(),
        })
    }

    /// The caller's list with this index.
    #[must_use]
    pub fn other(&self, index: usize) -> Indices {
        self.uploaded.list(List::Others as usize + index)
    }

    /// The number of sequences.
    #[must_use]
    pub fn sequences(&self) -> usize {
        self.sequences
    }

    /// The number of tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// The length of the longest sequence.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    pub(super) fn offsets(&self) -> Indices {
        self.uploaded.list(List::Offsets as usize)
    }

    /// The index of each sequence's first token.
    #[must_use]
    pub fn first_tokens(&self) -> Indices {
        self.uploaded.list(List::FirstTokens as usize)
    }

    /// The offsets and tiles of the queries.
    pub(super) fn queries(&self, queries: Queries) -> (Indices, Indices) {
        let (offsets, tiles) = match queries {
            Queries::All => (List::Offsets, List::Tiles),
            Queries::First => (List::FirstOffsets, List::FirstTiles),
        };
        (self.uploaded.list(offsets as usize), self.uploaded.list(tiles as usize))
    }
}

/// The (sequence, first query) of each tile; the longest sequences first, because their blocks take longest.
fn tiles(lengths: &[usize]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&sequence| (std::cmp::Reverse(lengths[sequence]), sequence));
    let of = |sequence: usize| {
        (0..lengths[sequence]).step_by(TILE_QUERIES).flat_map(move |first| [sequence as u32, first as u32])
    };
    order.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_all_queries_longest_sequences_first() {
        // 1, 64 and 65 queries: 1, 1 and 2 tiles.
        assert_eq!(tiles(&[1, 64, 65]), [2, 0, 2, 64, 1, 0, 0, 0]);
        assert!(tiles(&[]).is_empty());
    }
}
