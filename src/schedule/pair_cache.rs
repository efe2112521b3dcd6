//! The latest outcomes of pairs, within a bound of memory.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use veridic_models::{PairTokens, Probabilities};

/// Memory of an entry: key, value, and what the table needs beside them.
const ENTRY_BYTES: usize = 64;

/// The digest of a pair's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey([u8; 16]);

impl PairKey {
    /// Two pairs of the same tokens and token types have the same key.
    #[must_use]
    pub fn of(pair: &PairTokens) -> Self {
        let mut digest = Sha256::new();
        digest.update((pair.ids.len() as u64).to_le_bytes());
        for numbers in [&pair.ids, &pair.types] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            digest.update(&bytes);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&digest.finalize()[..16]);
        Self(key)
    }

    #[cfg(feature = "cache")]
    pub(super) fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// Outcomes of the latest pairs: two generations, of which the older one is forgotten whole when the
/// younger one is full.
#[derive(Debug, Default)]
pub struct PairCache {
    entries_a_generation: usize,
    young: HashMap<PairKey, Probabilities>,
    old: HashMap<PairKey, Probabilities>,
}

impl PairCache {
    /// A cache that takes at most about `bytes`; 0 keeps nothing.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { entries_a_generation: bytes / ENTRY_BYTES / 2, ..Self::default() }
    }

    /// What is known of a pair; it is kept longer for having been asked for.
    pub fn get(&mut self, key: PairKey) -> Option<Probabilities> {
        if let Some(known) = self.young.get(&key) {
            return Some(*known);
        }
        let known = self.old.remove(&key)?;
        self.put(key, known);
        Some(known)
    }

    /// Keeps what the model said.
    pub fn put(&mut self, key: PairKey, probabilities: Probabilities) {
        if self.entries_a_generation == 0 {
            return;
        }
        if self.young.len() >= self.entries_a_generation {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, probabilities);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(id: u32) -> PairTokens {
        PairTokens { ids: vec![1, id, 2], types: vec![0, 0, 1], cut: false }
    }

    fn said(entailment: f32) -> Probabilities {
        Probabilities { entailment, neutral: 0.0, contradiction: 0.0 }
    }

    #[test]
    fn keys_see_ids_types_and_where_they_end() {
        let key = |ids: &[u32], types: &[u32]| {
            PairKey::of(&PairTokens { ids: ids.to_vec(), types: types.to_vec(), cut: false })
        };
        let keys =
            [key(&[1, 2], &[0, 1]), key(&[1, 2], &[0, 0]), key(&[1, 2, 0], &[1]), key(&[2, 1], &[0, 1])];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key));
        }
        assert_eq!(PairKey::of(&pair(5)), PairKey::of(&PairTokens { cut: true, ..pair(5) }));
    }

    #[test]
    fn what_was_asked_for_stays_and_the_bound_holds() {
        let mut cache = PairCache::new(20 * ENTRY_BYTES);
        for id in 0..1000 {
            cache.put(PairKey::of(&pair(id)), said(id as f32));
            assert_eq!(cache.get(PairKey::of(&pair(0))), Some(said(0.0)), "after {id}");
            assert!(cache.young.len() + cache.old.len() <= 20);
        }
        assert_eq!(cache.get(PairKey::of(&pair(999))), Some(said(999.0)));
        assert_eq!(cache.get(PairKey::of(&pair(500))), None);
    }

    #[test]
    fn without_memory_nothing_is_kept() {
        let mut cache = PairCache::new(0);
        cache.put(PairKey::of(&pair(1)), said(1.0));
        assert_eq!(cache.get(PairKey::of(&pair(1))), None);
    }
}
