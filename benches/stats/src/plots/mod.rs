//! Plots as SVG: of scores against labels ROC curves, reliability, histograms by label, errors by threshold;
//! and named lines over one quantity. Numbers in, the text of an SVG out; the same numbers give the same bytes.
//!
//! Drawn by `plotters`, of which only the SVG part is built. Colours are those of Okabe and Ito, which colour-blind
//! readers can distinguish; lines that could be confused also differ in their strokes. The legend is above the plot, where
//! it hides no data.
//!
//! Refuses lists without rows, scores that are not finite or beyond 1e100, lists of different lengths, and lists with a
//! single label if labels are compared. Scores that are all equal are drawn.

mod axis;
mod frame;
mod histogram;
mod lines;
mod reliability;
mod roc;
mod style;
mod sweep;
#[cfg(test)]
mod tests;

use std::io;

use plotters::drawing::DrawingAreaErrorKind;

use crate::Undefined;

pub use self::histogram::histograms;
pub use self::lines::{LineChart, Scale, lines};
pub use self::reliability::{Across, Curve, reliability};
pub use self::roc::{MOST_LISTS, roc};
pub use self::sweep::threshold_sweep;

/// The largest absolute score that is drawn.
const GREATEST: f64 = 1e100;

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

/// The reason why a plot cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// A list cannot be drawn.
    #[error("{name}: {cause}")]
    List {
        /// Its name.
        name: String,
        /// The reason.
        cause: Undefined,
    },
    /// Other input cannot be drawn.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// More lists than distinguishable colours.
    #[error("{0} lists: a plot shows 1 to {MOST_LISTS}")]
    Lists(usize),
    /// The drawing failed.
    #[error("cannot draw: {0}")]
    Drawing(String),
}

impl From<DrawingAreaErrorKind<io::Error>> for PlotError {
    fn from(error: DrawingAreaErrorKind<io::Error>) -> Self {
        Self::Drawing(error.to_string())
    }
}

impl ScoredList<'_> {
    /// Refuses a list that cannot be drawn.
    fn check(&self) -> Result<(), PlotError> {
        let (first, second) = (self.scores.len(), self.labels.len());
        if first != second {
            return Err(self.error(Undefined::Lengths { first, second }));
        }
        if first == 0 {
            return Err(self.error(Undefined::TooFew { rows: 0, needed: 1 }));
        }
        check_range(self.scores, -GREATEST, GREATEST).map_err(|cause| self.error(cause))
    }

    fn error(&self, cause: Undefined) -> PlotError {
        PlotError::List { name: self.name.to_owned(), cause }
    }

    fn positives(&self) -> usize {
        self.labels.iter().filter(|label| **label).count()
    }

    /// The name and the number of rows.
    fn subtitle(&self) -> String {
        let rows = self.labels.len();
        let word = if rows == 1 { "row" } else { "rows" };
        format!("{}: {rows} {word}, {} with label 1", style::shortened(self.name), self.positives())
    }
}

/// Refuses values outside a range, NaN included.
fn check_range(values: &[f64], low: f64, high: f64) -> Result<(), Undefined> {
    match values.iter().position(|value| !(low..=high).contains(value)) {
        Some(index) if !values[index].is_finite() => Err(Undefined::NotFinite { index }),
        Some(index) => Err(Undefined::OutOfRange { index, low, high }),
        None => Ok(()),
    }
}
