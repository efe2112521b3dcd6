//! The in-memory cache of outcomes, shared by threads. A pair's outcome depends on its tokens alone, so a cached
//! outcome equals a computed one bit for bit.

use std::sync::{Mutex, PoisonError};

use veridic_models::Probabilities;

use super::executor::Outcome;
use super::pair_cache::{PairCache, PairKey};

/// Outcomes that need not be computed again.
#[derive(Debug, Default)]
pub struct OutcomeCache {
    memory: Mutex<PairCache>,
}

impl OutcomeCache {
    /// A cache of about `bytes` bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { memory: Mutex::new(PairCache::new(bytes)) }
    }

    /// Looks up the outcomes of pairs, in the order of `keys`.
    pub(super) fn get(&self, keys: &[PairKey]) -> Vec<Outcome> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        keys.iter().map(|key| memory.get(*key)).collect()
    }

    /// Caches computed outcomes.
    pub(super) fn put(&self, entries: &[(PairKey, Probabilities)]) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().for_each(|(key, probabilities)| memory.put(*key, *probabilities));
    }
}
