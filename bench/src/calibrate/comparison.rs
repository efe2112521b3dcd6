//! Whether the cross-validated scores of a new fit rank rows better than the scores in the files: the difference in ROC AUC
//! with its interval over samples of documents, both scores on the same samples.

use serde::Serialize;

use super::folds::Folds;
use crate::documents::drawn;
use crate::estimate::{LEVEL, RESAMPLES};
use veridic_stats::{Undefined, paired_bootstrap};

/// The new scores compared with the old ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The source of the old scores: `plain rule`, or `calibration` and the digest of its file.
    pub old: String,
    /// ROC AUC of the new scores minus that of the old ones.
    pub difference: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Number of documents that were sampled.
    pub documents: usize,
}

impl Comparison {
    /// Compares scores in the order of the rows.
    ///
    /// # Errors
    /// No fold has rows of both labels.
    pub(super) fn of(folds: &Folds<'_>, new: &[f64]) -> Result<Self, Undefined> {
        let (rows, documents) = (folds.rows, &folds.documents);
        let old = rows.scores();
        let on = |sample: &[usize], scores: &[f64]| folds.roc_auc(&drawn(documents, sample), scores);
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

    /// Whether the whole interval is above zero.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.low > 0.0
    }

    /// The result in words.
    #[must_use]
    pub fn description(&self) -> String {
        let Self { old, documents, .. } = self;
        let [difference, low, high] = [self.difference, self.low, self.high].map(|points| 100.0 * points);
        let are = if self.is_better() {
            "are better than"
        } else if high < 0.0 {
            "are worse than"
        } else {
            "are not shown to be better than"
        };
        format!(
            "the new weights {are} the {old}: ROC AUC {difference:+.1} [{low:+.1}, {high:+.1}] points, {documents} documents"
        )
    }
}
