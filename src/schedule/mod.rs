//! One queue for everything: pairs of any origin are packed into batches by their tokens and run; equal
//! ones once.
//! Knows no document and no claim.

mod cache;
mod executor;
mod known;
mod pack;
mod queue;
#[cfg(feature = "cache")]
pub mod score_cache;
mod watch;

pub use cache::{PairCache, PairKey};
pub use executor::{Executor, Job, Outcome};
pub use known::Known;
pub use pack::pack;
pub use queue::{BatchFacts, ModelQueue, Turn};
pub(crate) use watch::timed;
pub use watch::{Event, OnEvent, Stage, carry_on};
