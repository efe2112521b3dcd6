//! Caches a token head's probabilities for recent sequences, so that unsupported words of a pair that was just judged
//! cost nothing. Bounded: when a generation is full, the previous one is dropped.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Maximum tokens of a generation: a few megabytes.
const MAX_TOKENS: usize = 1 << 19;

/// The ids and types of a sequence, one after the other.
type Key = Box<[u32]>;

/// Probabilities of tokens by sequence.
#[derive(Default)]
pub(crate) struct TokenCache(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    newest: HashMap<Key, Box<[f32]>>,
    older: HashMap<Key, Box<[f32]>>,
    /// Number of tokens in the newest generation.
    tokens: usize,
}

impl TokenCache {
    /// The probabilities of a sequence's tokens, if it is known.
    pub(crate) fn get(&self, ids: &[u32], types: &[u32]) -> Option<Vec<f32>> {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = key(ids, types);
        let known = generations.newest.get(&key).or_else(|| generations.older.get(&key))?;
        Some(known.to_vec())
    }

    /// Caches the probabilities of sequences, each given by its ids and types.
    pub(crate) fn put<'s>(&self, sequences: impl Iterator<Item = ((&'s [u32], &'s [u32]), Vec<f32>)>) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ((ids, types), probabilities) in sequences {
            if generations.tokens > MAX_TOKENS {
                generations.older = std::mem::take(&mut generations.newest);
                generations.tokens = 0;
            }
            generations.tokens += ids.len();
            generations.newest.insert(key(ids, types), probabilities.into());
        }
    }
}

fn key(ids: &[u32], types: &[u32]) -> Key {
    [ids, types].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_sequences_are_known_and_old_ones_forgotten() {
        let cache = TokenCache::default();
        let types = vec![0; 1 << 10];
        let sequence = |number: u32| vec![number; 1 << 10];
        for number in 0..2000 {
            cache.put(std::iter::once(((&sequence(number)[..], &types[..]), vec![number as f32])));
        }
        assert_eq!(cache.get(&sequence(1999), &types), Some(vec![1999.0]));
        assert_eq!(cache.get(&sequence(1500), &types), Some(vec![1500.0]));
        assert_eq!(cache.get(&sequence(0), &types), None);
        assert_eq!(cache.get(&sequence(1999), &vec![1; 1 << 10]), None);
    }
}
