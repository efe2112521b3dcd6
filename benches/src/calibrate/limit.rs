//! A limit of support and its figures.

use serde::Serialize;

use crate::protocol::Estimate;

/// The criterion for choosing a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Maximizes balanced accuracy: the mean of the shares of consistent and of inconsistent rows that are classified
    /// correctly.
    BalancedAccuracy,
    /// Chooses the lowest limit with this share of consistent rows among the supported ones.
    Precision(f64),
}

/// A limit and its figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedLimit {
    pub rows: usize,
    /// The number of rows with label 1.
    pub consistent: usize,
    pub documents: usize,
    pub roc_auc: Estimate,
    pub supported: Estimate,
    /// Balanced accuracy of the verdicts, each under a limit fitted to other documents.
    pub balanced_accuracy: f64,
    /// Balanced accuracy under the limit that the scores came with.
    pub balanced_accuracy_before: f64,
    /// The share of consistent rows among the supported ones, each under a limit fitted to other documents; `None` if no row
    /// is supported.
    pub precision: Option<f64>,
    /// The share of rows that are supported.
    pub coverage: f64,
    /// The rules file.
    #[serde(skip)]
    pub file: String,
}

impl FittedLimit {
    pub fn table(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let interval = self.supported.interval();
        let interval = interval.map_or(String::new(), |[low, high]| format!(" [{low:.3}, {high:.3}]"));
        vec![
            format!(
                "rows               {} ({} consistent), {} documents",
                self.rows, self.consistent, self.documents
            ),
            format!("ROC AUC            {}", self.roc_auc.percent()),
            format!("supported from     {:.3}{interval} (95%, over documents)", self.supported.value),
            format!(
                "balanced accuracy  {} (before {}), by limits fitted to other documents",
                percent(self.balanced_accuracy),
                percent(self.balanced_accuracy_before)
            ),
            format!(
                "supported          {} of rows, of which {} are consistent",
                percent(self.coverage),
                self.precision.map_or_else(|| "none".to_owned(), percent)
            ),
        ]
    }
}
