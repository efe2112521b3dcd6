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
mod error;
mod frame;
mod histogram;
mod lines;
mod range;
mod reliability;
mod roc;
mod scored_list;
mod style;
mod sweep;
#[cfg(test)]
mod tests;

pub use self::error::PlotError;
pub use self::histogram::histograms;
pub use self::lines::{Curve, LineChart, Scale, lines};
pub use self::reliability::reliability;
pub use self::roc::roc;
pub use self::scored_list::ScoredList;
pub use self::style::MOST_LISTS;
pub use self::sweep::threshold_sweep;
