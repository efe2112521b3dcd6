//! Why there are no figures.

use veridic::corpus::read::{Origin, RowFault};
use veridic_stats::Undefined;

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Unreadable(#[from] RowFault),
    #[error("{origin}: {reason}")]
    Row { origin: Origin, reason: String },
    #[error("{0}")]
    Data(String),
    #[error(transparent)]
    Undefined(#[from] Undefined),
}
