//! Compares two score files over the same rows: does the second rank and decide better than the first, by more than
//! chance? ROC AUC, average precision and balanced accuracy of both with intervals, a paired bootstrap on each
//! difference, McNemar's test on the decisions, and the rows whose rank changed most. Samples are drawn from a seed.
//! Differences are the second file's figure minus the first's.
//!
//! Refuses files whose rows do not match, and rows that all have the same label.
//!
//! A threshold that is tuned on all rows is optimistic for both files, so by default it is tuned on one half of the rows
//! and measured on the other, several times, with the same halves for both files. Rows are drawn independently: where
//! many rows share a document, the true intervals are wider.

mod comparison;
mod matching;
mod measures;
mod table;
#[cfg(test)]
mod tests;

pub use comparison::{PairedOptions, compare_scores};
