//! The scores and labels of a plot, and the refusal of those that cannot be drawn.

use super::error::PlotError;
use super::range::{GREATEST, check_range};
use super::style::shortened;
use crate::Undefined;

/// Scores and labels of the same rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredList<'d> {
    /// Their name in a legend, such as the file's name.
    pub name: &'d str,
    /// A score for each row.
    pub scores: &'d [f64],
    /// The label of each row: 1 (consistent) or 0.
    pub labels: &'d [bool],
}

impl ScoredList<'_> {
    /// Refuses a list that cannot be drawn.
    pub(super) fn check(&self) -> Result<(), PlotError> {
        let (first, second) = (self.scores.len(), self.labels.len());
        if first != second {
            return Err(self.error(Undefined::Lengths { first, second }));
        }
        if first == 0 {
            return Err(self.error(Undefined::TooFew { rows: 0, needed: 1 }));
        }
        check_range(self.scores, -GREATEST, GREATEST).map_err(|cause| self.error(cause))
    }

    pub(super) fn error(&self, cause: Undefined) -> PlotError {
        PlotError::List { name: self.name.to_owned(), cause }
    }

    pub(super) fn positives(&self) -> usize {
        self.labels.iter().filter(|label| **label).count()
    }

    /// The name and the number of rows.
    pub(super) fn subtitle(&self) -> String {
        let rows = self.labels.len();
        let word = if rows == 1 { "row" } else { "rows" };
        format!("{}: {rows} {word}, {} with label 1", shortened(self.name), self.positives())
    }
}
