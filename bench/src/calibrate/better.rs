//! Whether the scores of a new fit rank rows better than those that the rows came with: the difference in ROC AUC of rows
//! that had no part in their fit, with its interval over samples of documents, both scores on the same samples.

use serde::Serialize;

use super::apart::Apart;
use crate::sampled::RESAMPLES;
use veridic_stats::{Undefined, paired_bootstrap};

/// The level of the interval.
const LEVEL: f64 = 0.95;

/// What the new scores are worth beside the old ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What made the old scores: `plain rule`, or `calibration` and the digest of its file.
    pub old: String,
    /// ROC AUC of the new scores less that of the old ones.
    pub difference: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Documents that were sampled.
    pub documents: usize,
}

impl Comparison {
    /// Compares scores in the order of the rows.
    ///
    /// # Errors
    /// When no part has rows of both labels.
    pub(super) fn of(apart: &Apart<'_>, new: &[f64]) -> Result<Self, Undefined> {
        let (rows, documents) = (apart.rows, &apart.documents);
        let old = rows.scores();
        let on = |sample: &[usize], scores: &[f64]| {
            let drawn: Vec<usize> =
                sample.iter().flat_map(|&document| documents[document].iter().copied()).collect();
            apart.roc_auc(&drawn, scores)
        };
        let (of_new, of_old) = (|sample: &[usize]| on(sample, new), |sample: &[usize]| on(sample, &old));
        let paired = paired_bootstrap(documents.len(), RESAMPLES, 0, LEVEL, of_new, of_old)?;
        Ok(Self {
            old: rows.scored_by(),
            difference: paired.difference,
            low: paired.interval.low,
            high: paired.interval.high,
            documents: documents.len(),
        })
    }

    /// Whether the interval is above nothing.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.low > 0.0
    }

    /// In words.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { old, documents, .. } = self;
        let [difference, low, high] = [self.difference, self.low, self.high].map(|points| 100.0 * points);
        let are = match () {
            () if self.is_better() => "are better than",
            () if high < 0.0 => "are worse than",
            () => "are not shown to be better than",
        };
        format!(
            "the new weights {are} the {old}: ROC AUC {difference:+.1} [{low:+.1}, {high:+.1}] points, {documents} documents"
        )
    }
}
