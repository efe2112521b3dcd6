//! Benchmarks: one folder or file each, with its format, label rule, split, protocol and table. They are given
//! scores and never compute them: [`read()`] makes cases of rows, [`Benchmark::figures`] makes figures of cases
//! and scores. What is published elsewhere stands beside the figures, marked so.
//!
//! A balanced accuracy without a number for a label is that of scikit-learn: with rows of one label it is that
//! label's recall, and a warning says so. A row counts as consistent if its score is **above** the threshold.

pub mod aggrefact;
mod benchmark;
pub mod calibrate;
mod compare;
mod decide;
mod documents;
mod fields;
pub mod frank;
pub mod jsonl;
pub mod labelled_scores;
mod layout;
mod level;
pub mod llm_aggrefact;
pub mod longeval;
pub mod paired;
mod pick;
mod published;
pub mod qags;
mod rated;
mod read;
pub mod realsumm;
pub mod rose;
mod sampled;
mod scores;
mod split;
pub mod story_summeval;
pub mod summedits;
pub mod summeval;
#[cfg(test)]
mod tests;
pub mod tofueval;

pub use benchmark::{Benchmark, Case, Column, Taken};
pub use compare::{Compared, compare, comparison_table};
pub use decide::Threshold;
pub use level::Level;
pub use pick::pick;
pub use published::{PublishedRow, PublishedTable};
pub use read::{BenchError, Reading, read};
pub use sampled::{Estimate, RESAMPLES};
pub use scores::{MatchedBy, ScoreList, ScoresError};
pub use split::Split;
