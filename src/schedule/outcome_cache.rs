//! What the model said before: in memory within a bound, and on the disk where there is a store. A pair's outcome
//! depends on its tokens alone, so that a kept one and a computed one are the same, bit for bit.

use std::sync::{Mutex, PoisonError};

use veridic_models::Probabilities;

use super::executor::Outcome;
use super::pair_cache::{PairCache, PairKey};
#[cfg(feature = "cache")]
use super::score_cache::ScoreCache;

/// Outcomes that need not be computed.
#[derive(Debug, Default)]
pub struct OutcomeCache {
    memory: Mutex<PairCache>,
    #[cfg(feature = "cache")]
    store: Option<ScoreCache>,
}

impl OutcomeCache {
    /// Keeps about `bytes` in memory.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { memory: Mutex::new(PairCache::new(bytes)), ..Self::default() }
    }

    /// The same with what is kept on the disk.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn with_score_cache(self, store: ScoreCache) -> Self {
        Self { store: Some(store), ..self }
    }

    /// The store.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn score_cache(&self) -> Option<&ScoreCache> {
        self.store.as_ref()
    }

    /// What is known of pairs, in the keys' order.
    pub(super) fn get(&self, keys: &[PairKey]) -> Vec<Outcome> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outcomes: Vec<Outcome> = keys.iter().map(|key| memory.get(*key)).collect();
        drop(memory);
        self.get_stored(keys, &mut outcomes);
        outcomes
    }

    /// Keeps what the model said.
    pub(super) fn keep(&self, entries: &[(PairKey, Probabilities)]) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().for_each(|(key, probabilities)| memory.put(*key, *probabilities));
        drop(memory);
        #[cfg(feature = "cache")]
        if let Some(store) = &self.store {
            let scores = |p: &Probabilities| [p.entailment, p.neutral, p.contradiction];
            let entries: Vec<_> = entries.iter().map(|(key, p)| (key.to_bytes(), scores(p))).collect();
            store.put_many(&entries);
        }
    }

    #[cfg(not(feature = "cache"))]
    fn get_stored(&self, _: &[PairKey], _: &mut [Outcome]) {}

    /// Asks the store for what memory did not know.
    #[cfg(feature = "cache")]
    fn get_stored(&self, keys: &[PairKey], outcomes: &mut [Outcome]) {
        let Some(store) = &self.store else { return };
        let unknown: Vec<usize> = (0..keys.len()).filter(|&index| outcomes[index].is_none()).collect();
        let wanted: Vec<_> = unknown.iter().map(|&index| keys[index].to_bytes()).collect();
        for (index, scores) in unknown.into_iter().zip(store.get_many(&wanted)) {
            outcomes[index] = scores.map(|[entailment, neutral, contradiction]| Probabilities {
                entailment,
                neutral,
                contradiction,
            });
        }
    }
}
