//! The cache of outcomes: in memory within a bound, and on disk where there is a score cache. A pair's outcome depends on
//! its tokens alone, so a cached outcome equals a computed one bit for bit.

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
    disk: Option<ScoreCache>,
}

impl OutcomeCache {
    /// A cache of about `bytes` in memory.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { memory: Mutex::new(PairCache::new(bytes)), ..Self::default() }
    }

    /// The cache with a score cache on disk behind it.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn with_score_cache(self, disk: ScoreCache) -> Self {
        Self { disk: Some(disk), ..self }
    }

    /// The score cache on disk.
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn score_cache(&self) -> Option<&ScoreCache> {
        self.disk.as_ref()
    }

    /// The cached outcomes of pairs, in the keys' order.
    pub(super) fn get(&self, keys: &[PairKey]) -> Vec<Outcome> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut outcomes: Vec<Outcome> = keys.iter().map(|key| memory.get(*key)).collect();
        drop(memory);
        self.get_from_disk(keys, &mut outcomes);
        outcomes
    }

    /// Caches computed outcomes.
    pub(super) fn put(&self, entries: &[(PairKey, Probabilities)]) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().for_each(|(key, probabilities)| memory.put(*key, *probabilities));
        drop(memory);
        #[cfg(feature = "cache")]
        if let Some(disk) = &self.disk {
            let scores = |p: &Probabilities| [p.entailment, p.neutral, p.contradiction];
            let entries: Vec<_> = entries.iter().map(|(key, p)| (key.to_bytes(), scores(p))).collect();
            disk.put_many(&entries);
        }
    }

    #[cfg(not(feature = "cache"))]
    fn get_from_disk(&self, _: &[PairKey], _: &mut [Outcome]) {}

    /// Fills in the outcomes that only the disk has.
    #[cfg(feature = "cache")]
    fn get_from_disk(&self, keys: &[PairKey], outcomes: &mut [Outcome]) {
        let Some(disk) = &self.disk else { return };
        let missing: Vec<usize> = (0..keys.len()).filter(|&index| outcomes[index].is_none()).collect();
        let wanted: Vec<_> = missing.iter().map(|&index| keys[index].to_bytes()).collect();
        for (index, scores) in missing.into_iter().zip(disk.get_many(&wanted)) {
            outcomes[index] = scores.map(|[entailment, neutral, contradiction]| Probabilities {
                entailment,
                neutral,
                contradiction,
            });
        }
    }
}
