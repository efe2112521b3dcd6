//! The longest common subsequence of two token lists: its length, and the reference tokens in it.
//!
//! The table of Wagner and Fischer (1974), L[i][j] = the length for the first i reference and the first j candidate tokens, is
//! stored as bits: bit i of column j is 0 where L[i][j] = L[i - 1][j] + 1. A column follows from the one before by an
//! addition, 64 tokens at a time (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004). Of several longest
//! subsequences the one of `rouge-score` is chosen: walking back from the end, equal tokens are taken; otherwise the
//! reference token is skipped, unless that costs length and skipping the candidate token does not.

use super::tokens::TokenId;

/// Reference tokens whose bits share a word.
const BLOCK: usize = u64::BITS as usize;

/// Aligns token lists over one vocabulary.
pub(super) struct Aligner {
    /// For each token of the vocabulary, its positions in the block, as bits; all zero between passes.
    places: Vec<u64>,
}

impl Aligner {
    pub(super) fn new(vocabulary: usize) -> Self {
        Self { places: vec![0; vocabulary] }
    }

    /// The length of the longest common subsequence.
    pub(super) fn longest(&mut self, reference: &[TokenId], candidate: &[TokenId]) -> usize {
        let mut carries = no_carries(candidate);
        let mut length = 0;
        for block in reference.chunks(BLOCK) {
            let mut last = u64::MAX;
            self.pass(block, candidate, &mut carries, |column| last = column);
            length += last.count_zeros() as usize;
        }
        length
    }

    /// The positions of the longest common subsequence in the reference, last first.
    pub(super) fn places_of_longest(&mut self, reference: &[TokenId], candidate: &[TokenId]) -> Vec<usize> {
        let mut carries = no_carries(candidate);
        // The carries into each block suffice to recompute its columns on the way back.
        let mut carries_into = Vec::new();
        for block in reference.chunks(BLOCK) {
            carries_into.push(carries.clone());
            self.pass(block, candidate, &mut carries, |_| ());
        }
        let mut rest = candidate;
        let mut columns = Vec::new();
        let mut found = Vec::new();
        for (index, block) in reference.chunks(BLOCK).enumerate().rev() {
            columns.clear();
            self.pass(block, rest, &mut carries_into[index], |column| columns.push(column));
            for (place, token) in block.iter().enumerate().rev() {
                // The subsequence needs this reference token, but not with the last candidate token.
                while let Some((last, before)) = rest.split_last()
                    && last != token
                    && columns[before.len()] >> place & 1 == 0
                {
                    rest = before;
                }
                if let Some((last, before)) = rest.split_last()
                    && last == token
                {
                    found.push(index * BLOCK + place);
                    rest = before;
                }
            }
        }
        found
    }

    /// Calls `show` with the columns of a block of reference tokens, one per candidate token. `carries` has a bit per
    /// candidate token: the carries of the additions in the block before, replaced by those in this block.
    fn pass(
        &mut self,
        block: &[TokenId],
        candidate: &[TokenId],
        carries: &mut [u64],
        mut show: impl FnMut(u64),
    ) {
        block.iter().enumerate().for_each(|(place, token)| self.places[token.index()] |= 1 << place);
        let mut column = u64::MAX;
        for (tokens, carries) in candidate.chunks(BLOCK).zip(carries) {
            let mut carries_out = 0;
            for (place, token) in tokens.iter().enumerate() {
                let matches = column & self.places[token.index()];
                let (sum, carry) = column.carrying_add(matches, *carries >> place & 1 == 1);
                column = sum | (column - matches);
                carries_out |= u64::from(carry) << place;
                show(column);
            }
            *carries = carries_out;
        }
        block.iter().for_each(|token| self.places[token.index()] = 0);
    }
}

fn no_carries(candidate: &[TokenId]) -> Vec<u64> {
    vec![0; candidate.len().div_ceil(BLOCK)]
}
