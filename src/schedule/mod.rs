//! Computes probabilities of pairs of token ids: looks them up in the cache, computes equal pairs once, packs the rest
//! into batches by length and runs them on the model, directly or through a shared queue. Knows neither documents nor
//! claims.

mod compute;
mod events;
mod executor;
mod order;
mod pack;
mod pair_cache;
mod parallel;
mod queue;

pub(crate) use compute::usual_batch_tokens;
pub use compute::{Job, Outcome};
pub use events::{Event, OnEvent, Stage, ignore_events, poll, timed};
pub use executor::Executor;
pub use pack::pack;
pub(crate) use pair_cache::{OutcomeCache, outcome_cache};
pub(crate) use parallel::{PREPARED_AT_ONCE, in_slices};
pub use queue::{BatchStats, ModelQueue, QueueClient};
