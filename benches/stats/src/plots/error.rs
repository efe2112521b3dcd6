//! Why a plot cannot be drawn.

use std::io;

use plotters::drawing::DrawingAreaErrorKind;

use super::style::MOST_LISTS;
use crate::Undefined;

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
