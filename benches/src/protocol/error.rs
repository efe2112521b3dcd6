//! Why there are no figures.

use veridic::corpus::read::{Origin, RowFault};
use veridic_stats::Undefined;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A row could not be read.
    #[error(transparent)]
    Unreadable(#[from] RowFault),
    /// A row does not have the fields and values that it needs.
    #[error("{origin}: {reason}")]
    Row {
        /// The place of the row.
        origin: Origin,
        /// The problem and the remedy.
        reason: String,
    },
    /// The protocol has no figures for these data.
    #[error("{0}")]
    Data(String),
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}
