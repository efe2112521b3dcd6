//! From pairs of token ids to probabilities: the caches are looked up, equal pairs are computed once, the rest is packed
//! into batches by its tokens and run on the model, directly or through a queue that many callers share. Knows no document
//! and no claim.

mod events;
mod executor;
mod order;
mod pack;
mod pair_cache;
mod queue;

pub use events::{Event, OnEvent, Stage, ignore_events};
pub use events::{poll, timed};
pub use executor::{Executor, Job, Outcome};
pub use pack::pack;
pub(crate) use pair_cache::{OutcomeCache, outcome_cache};
pub use queue::{BatchStats, ModelQueue, QueueClient};

/// Tokens of a batch, unless the caller sets them: the states between two layers stay in the processor's cache.
pub(crate) const BATCH_TOKENS: usize = 2048;

/// Most texts that are prepared without other threads: these may be held by another caller's long work.
pub(crate) const PREPARED_AT_ONCE: usize = 64;
