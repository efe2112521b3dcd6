//! One queue for everything: pairs of any origin are packed into batches by their tokens and run; equal
//! ones once.
//! Knows no document and no claim.

mod events;
mod executor;
mod outcome_cache;
mod pack;
mod pair_cache;
mod queue;
#[cfg(feature = "cache")]
pub mod score_cache;

pub(crate) use events::timed;
pub use events::{Event, OnEvent, Stage, ignore_events};
pub use executor::{Executor, Job, Outcome};
pub use outcome_cache::OutcomeCache;
pub use pack::pack;
pub use pair_cache::{PairCache, PairKey};
pub use queue::{BatchStats, ModelQueue, QueueClient};
