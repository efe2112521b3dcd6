//! Groups the sequences of a packed batch by length and pads each group to its longest sequence.

use std::cmp::Reverse;

use crate::packed::PackedBatch;

/// Maximum tokens of a padded batch, padding included, unless one sequence is longer.
pub(super) const MOST_TOKENS: usize = 16_384;

/// Maximum share of padding among the tokens of a padded batch.
const MOST_PADDING: f64 = 0.1;

/// Sequences that are padded to one length.
pub(crate) struct PaddedBatch {
    /// The sequences, each with padding at its end.
    pub(super) tokens: PackedBatch,
    /// Tokens of each sequence without padding.
    pub(super) lengths: Vec<usize>,
    /// The number of each sequence in the packed batch.
    pub(super) places: Vec<usize>,
}

impl PaddedBatch {
    /// Its first and its second half, of two or more sequences.
    pub(super) fn halves(&self, batch: &PackedBatch, padding_id: u32) -> [Self; 2] {
        let (first, second) = self.places.split_at(self.places.len() / 2);
        [first, second].map(|places| Self::of(batch, places, padding_id))
    }

    /// Number of sequences, and tokens of each with padding.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.lengths.len(), self.tokens.longest())
    }

    fn of(batch: &PackedBatch, places: &[usize], padding_id: u32) -> Self {
        let lengths: Vec<usize> = places.iter().map(|&place| length(batch, place)).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut tokens = PackedBatch::default();
        for &place in places {
            let span = batch.offsets()[place]..batch.offsets()[place + 1];
            let (mut ids, mut types) = (batch.ids()[span.clone()].to_vec(), batch.types()[span].to_vec());
            ids.resize(longest, padding_id);
            types.resize(longest, 0);
            tokens.push(&ids, &types);
        }
        Self { tokens, lengths, places: places.to_vec() }
    }
}

fn length(batch: &PackedBatch, place: usize) -> usize {
    batch.offsets()[place + 1] - batch.offsets()[place]
}

/// All sequences in padded batches of at most `most_tokens`, the longest first.
pub(super) fn padded_batches(batch: &PackedBatch, padding_id: u32, most_tokens: usize) -> Vec<PaddedBatch> {
    let mut places: Vec<usize> = (0..batch.sequences()).collect();
    places.sort_by_key(|&place| Reverse(length(batch, place)));
    let mut batches = Vec::new();
    while let Some(&first) = places.first() {
        let longest = length(batch, first);
        let (mut count, mut tokens) = (1, longest);
        for &place in &places[1..] {
            let (padded, filled) = ((count + 1) * longest, tokens + length(batch, place));
            if padded > most_tokens || (padded - filled) as f64 > MOST_PADDING * padded as f64 {
                break;
            }
            (count, tokens) = (count + 1, filled);
        }
        batches.push(PaddedBatch::of(batch, &places[..count], padding_id));
        places.drain(..count);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_is_in_one_batch_with_at_most_a_tenth_of_padding() {
        let mut batch = PackedBatch::default();
        let lengths: Vec<usize> = (0..300).map(|index| 1 + index * 7919 % 512).collect();
        for (index, &length) in lengths.iter().enumerate() {
            batch.push(&vec![index as u32 + 2; length], &vec![1; length]);
        }
        let mut seen = vec![0; lengths.len()];
        for padded in padded_batches(&batch, 1, MOST_TOKENS) {
            let (sequences, longest) = padded.shape();
            assert!(sequences * longest <= MOST_TOKENS);
            let filled: usize = padded.lengths.iter().sum();
            assert!((sequences * longest - filled) as f64 <= MOST_PADDING * (sequences * longest) as f64);
            for (row, &place) in padded.places.iter().enumerate() {
                seen[place] += 1;
                assert_eq!(padded.lengths[row], lengths[place]);
                let ids = &padded.tokens.ids()[row * longest..][..longest];
                let (own, padding) = ids.split_at(lengths[place]);
                assert!(own.iter().all(|&id| id == place as u32 + 2) && padding.iter().all(|&id| id == 1));
            }
        }
        assert_eq!(seen, vec![1; lengths.len()]);
    }
}
