//! Computes probabilities of pairs of token ids: looks them up in the cache, computes equal pairs once, packs the rest
//! into batches by length and runs them on the model, directly or through a shared queue. Knows neither documents nor
//! claims.

mod events;
mod executor;
mod order;
mod pack;
mod pair_cache;
mod queue;

use veridic_models::NliModel;

pub use events::{Event, OnEvent, Stage, ignore_events};
pub use events::{poll, timed};
pub use executor::{Executor, Job, Outcome};
pub use pack::pack;
pub(crate) use pair_cache::{OutcomeCache, outcome_cache};
pub use queue::{BatchStats, ModelQueue, QueueClient};

/// Default maximum of tokens per batch on the processor, with which the states between two layers stay in the processor's cache.
const BATCH_TOKENS: usize = 2048;

/// Default maximum of tokens per batch on the model's device.
pub(crate) fn usual_batch_tokens(model: &NliModel) -> usize {
    model.device().batch_tokens().unwrap_or(BATCH_TOKENS)
}

/// Number of texts up to which other threads are not used for preparing them, since these may be busy with another
/// caller's long work.
pub(crate) const PREPARED_AT_ONCE: usize = 64;
