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

pub(crate) mod matching;
mod measures;
mod most_different;
mod table;
#[cfg(test)]
mod tests;

use serde::Serialize;

use self::matching::Matched;
use self::measures::Sides;
use super::decide::Threshold;
use super::labelled_scores::{LabelledScores, LeftOut};
use super::scores::MatchedBy;
use veridic_stats::Undefined;

pub use self::matching::MatchError;
pub use self::measures::{Decided, Measure, MeasureComparison, TestOfDecisions};
pub use self::most_different::{DifferentRow, Side};

/// The settings of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedOptions {
    /// The threshold of decisions.
    pub threshold: Threshold,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// How many of the rows to list on which the files differ most.
    pub different_rows: usize,
}

/// Why two files cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PairedError {
    /// Their rows do not match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// All rows have the same label.
    #[error("all {rows} rows have label {label}: a comparison needs rows of both labels")]
    OneLabel {
        /// Rows that both files judged.
        rows: usize,
        /// Their label.
        label: u8,
    },
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedComparison {
    /// Rows that both files judged.
    pub rows: usize,
    /// Rows with label 1.
    pub positives: usize,
    /// How the rows of the files were matched.
    pub matched_by: MatchedBy,
    /// Rows left out because the first file has no score for them.
    pub not_judged_by_first: usize,
    /// Rows left out because the second file has no score for them.
    pub not_judged_by_second: usize,
    /// Rows left out because a file has no label for them.
    pub without_label: usize,
    /// All rows of a file.
    #[serde(skip)]
    pub of_rows: usize,
    /// ROC AUC, average precision, and balanced accuracy where there are decisions.
    pub measures: Vec<MeasureComparison>,
    /// The decisions; `None` where no half has enough rows of each label to tune on.
    pub decided: Option<Decided>,
    /// The rows on which the files differ most, the most different first.
    pub most_different: Vec<DifferentRow>,
}

impl Default for PairedOptions {
    fn default() -> Self {
        Self { threshold: Threshold::Halves, seed: 0, different_rows: 10 }
    }
}

/// Compares the scores of two files.
///
/// # Errors
/// Rows that do not match or have one label only, and a threshold that is not finite.
pub fn compare_scores(
    first: &LabelledScores,
    second: &LabelledScores,
    options: &PairedOptions,
) -> Result<PairedComparison, PairedError> {
    if matches!(options.threshold, Threshold::Fixed(threshold) if !threshold.is_finite()) {
        return Err(Undefined::Setting("the threshold must be a finite number").into());
    }
    let matched = Matched::new(first, second)?;
    let labels: Vec<bool> = matched.pairs.iter().map(|(row, _)| row.label).collect();
    let positives = labels.iter().filter(|label| **label).count();
    if positives == 0 || positives == labels.len() {
        return Err(PairedError::OneLabel { rows: labels.len(), label: u8::from(positives > 0) });
    }
    let sides = Sides::new(&matched, &labels, options.threshold);
    Ok(PairedComparison {
        rows: labels.len(),
        positives,
        matched_by: matched.by,
        not_judged_by_first: first.count_left_out(LeftOut::NotJudged),
        not_judged_by_second: second.count_left_out(LeftOut::NotJudged),
        without_label: matched.without_label,
        of_rows: matched.rows,
        measures: sides.measures(options.seed)?,
        decided: sides.decided()?,
        most_different: most_different::find(&matched, options.different_rows)?,
    })
}
