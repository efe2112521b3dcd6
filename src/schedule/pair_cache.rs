//! A bounded cache of the outcomes of recently used pairs.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use veridic_models::{PairTokens, Probabilities};

/// Bytes of an entry: key, value and overhead of the table.
const ENTRY_BYTES: usize = 64;

/// The digest of a pair's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey([u8; 16]);

impl PairKey {
    /// The key of a pair; pairs with the same tokens and token types have the same key.
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
}

/// Outcomes of recently used pairs in two generations: when the young one is full, it becomes the old one, and the
/// previous old one is dropped.
#[derive(Debug, Default)]
pub struct PairCache {
    generation_entries: usize,
    young: HashMap<PairKey, Probabilities>,
    old: HashMap<PairKey, Probabilities>,
}

impl PairCache {
    /// A cache of about `bytes` bytes; with 0 it stores nothing.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { generation_entries: bytes / ENTRY_BYTES / 2, ..Self::default() }
    }

    /// The outcome of a pair, which moves to the young generation.
    pub fn get(&mut self, key: PairKey) -> Option<Probabilities> {
        if let Some(known) = self.young.get(&key) {
            return Some(*known);
        }
        let known = self.old.remove(&key)?;
        self.put(key, known);
        Some(known)
    }

    /// Caches an outcome.
    pub fn put(&mut self, key: PairKey, probabilities: Probabilities) {
        if self.generation_entries == 0 {
            return;
        }
        if self.young.len() >= self.generation_entries {
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

    fn outcome(entailment: f32) -> Probabilities {
        Probabilities { entailment, neutral: 0.0, contradiction: 0.0 }
    }

    #[test]
    fn keys_differ_by_ids_types_and_lengths() {
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
    fn used_pairs_stay_and_the_bound_holds() {
        let mut cache = PairCache::new(20 * ENTRY_BYTES);
        for id in 0..1000 {
            cache.put(PairKey::of(&pair(id)), outcome(id as f32));
            assert_eq!(cache.get(PairKey::of(&pair(0))), Some(outcome(0.0)), "after {id}");
            assert!(cache.young.len() + cache.old.len() <= 20);
        }
        assert_eq!(cache.get(PairKey::of(&pair(999))), Some(outcome(999.0)));
        assert_eq!(cache.get(PairKey::of(&pair(500))), None);
    }

    #[test]
    fn a_cache_of_zero_bytes_keeps_nothing() {
        let mut cache = PairCache::new(0);
        cache.put(PairKey::of(&pair(1)), outcome(1.0));
        assert_eq!(cache.get(PairKey::of(&pair(1))), None);
    }
}
