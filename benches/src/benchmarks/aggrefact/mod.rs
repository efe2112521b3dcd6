//! AggreFact (Tang et al., ACL 2023): summaries of CNN/DM and XSum with labels from nine datasets, in the file
//! `aggre_fact_final.csv`. Summarizers are categorized as in its section 3; case matters.
//!
//! Multi-threshold: each (origin, category, dataset) with val and test rows has its own threshold; a cell (origin, category)
//! is the mean of its datasets' balanced accuracies, weighted by test rows, and the average is the plain mean of the six
//! cells. Single threshold: one per origin, tuned on all SOTA rows of val and measured on those of test. Half-widths follow
//! the authors' method for the single threshold: the score minus the 2.5th percentile on 1,000 subsamples of 80% of the test
//! rows, with the threshold fixed. For cells, which have none in the papers, the same is done in each dataset and propagated
//! through the means.

mod ablation;
mod benchmark;
pub(crate) mod label;
mod protocol;
mod table;

pub use ablation::{Compared, compare, published_ablation, under_the_ablation};
pub use benchmark::AggreFact;
