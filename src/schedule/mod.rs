//! One queue for everything: pairs of any origin are packed into batches by their tokens and run; equal
//! ones once.
//! Knows no document and no claim.

mod cache;
mod executor;
mod pack;

pub use cache::{PairCache, PairKey};
pub use executor::{BatchDone, Executor, Job, OnBatch, Outcome};
pub use pack::pack;
