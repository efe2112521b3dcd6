//! One queue for everything: pairs of any origin are packed into batches by their tokens and run.
//! Knows no document and no claim.

mod executor;
mod pack;

pub use executor::{BatchDone, Executor, Job, OnBatch, Outcome};
pub use pack::pack;
