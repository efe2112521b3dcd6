//! Where the sequences of a batch lie, as kernels are told: offsets, and the tiles of queries that blocks compute.

use super::device::{Cuda, Indices, Uploaded};
use super::error::{CudaError, Result};
use crate::attention::Queries;

/// Queries that a block of the attention kernel computes.
const TILE_QUERIES: usize = 64;

/// A batch's sequences on the GPU, and lists of the caller's that went up with them.
pub struct Layout {
    uploaded: Uploaded,
    longest: usize,
    tokens: usize,
    sequences: usize,
}

/// The lists that every layout has, in their order in the upload.
#[derive(Clone, Copy)]
enum List {
    /// Where each sequence begins: (sequences + 1).
    Offsets,
    /// The same without the end of the last: (sequences).
    FirstTokens,
    /// Tiles of all tokens as queries: (tiles, 2).
    Tiles,
    /// 0, 1, ..., sequences: offsets of first tokens as queries.
    FirstOffsets,
    /// Their tiles: (sequences, 2).
    FirstTiles,
    /// The first of the caller's.
    Others,
}

impl Layout {
    /// `offsets`: where each sequence begins, and the number of tokens at the end. `others` go up in the same copy.
    ///
    /// # Errors
    /// When offsets fall, a sequence is empty, or there is no memory.
    pub fn new(cuda: &Cuda, offsets: &[usize], others: &[&[u32]]) -> Result<Self> {
        let lengths: Vec<usize> = offsets.windows(2).map(|o| o[1].saturating_sub(o[0])).collect();
        let tokens = offsets.last().copied().unwrap_or(0);
        if offsets.first() != Some(&0) || lengths.contains(&0) || tokens > i32::MAX as usize / 8 {
            return Err(CudaError::Shape(format!("a batch of sequences that begin at {offsets:?}")));
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

    /// The caller's list of that index.
    #[must_use]
    pub fn other(&self, index: usize) -> Indices {
        self.uploaded.list(List::Others as usize + index)
    }

    /// Number of sequences.
    #[must_use]
    pub fn sequences(&self) -> usize {
        self.sequences
    }

    /// Number of tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Length of the longest sequence.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    pub(super) fn offsets(&self) -> Indices {
        self.uploaded.list(List::Offsets as usize)
    }

    /// The first token of each sequence.
    #[must_use]
    pub fn first_tokens(&self) -> Indices {
        self.uploaded.list(List::FirstTokens as usize)
    }

    /// Offsets and tiles of the queries.
    pub(super) fn queries(&self, queries: Queries) -> (Indices, Indices) {
        let (offsets, tiles) = match queries {
            Queries::All => (List::Offsets, List::Tiles),
            Queries::First => (List::FirstOffsets, List::FirstTiles),
        };
        (self.uploaded.list(offsets as usize), self.uploaded.list(tiles as usize))
    }
}

/// (sequence, first query) of each tile; the longest sequences first, since their blocks take longest.
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
    fn tiles_cover_every_query_longest_sequences_first() {
        // 1, 64 and 65 queries: 1, 1 and 2 tiles.
        assert_eq!(tiles(&[1, 64, 65]), [2, 0, 2, 64, 1, 0, 0, 0]);
        assert!(tiles(&[]).is_empty());
    }
}
