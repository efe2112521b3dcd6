//! The events that a run reports, and how it ends.

use std::ops::ControlFlow;

use super::remarks::NamedRows;
use super::tally::RunSummary;
use crate::corpus::file_error::FileError;
use crate::corpus::judge::JudgedRow;
use crate::corpus::read::RowFault;
use crate::corpus::write::WriteError;
use crate::error::Error;
use crate::schedule::Event;

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
pub enum RunEvent<'e> {
    /// An event of the scorer or its scheduler.
    Work(Event),
    /// A row was judged by this run rather than found in the journal.
    Judged {
        /// The row's id as JSON, if it has one.
        id: Option<&'e str>,
        /// The row's result.
        result: Result<&'e JudgedRow, &'e Error>,
    },
    /// A judged row is counted, whether by this run or found in the journal. `fields`: the members of its JSON object
    /// that differ from row to row.
    Counted {
        /// The members, as text.
        fields: &'e str,
    },
    /// Rows are done; the counts are the run's current totals.
    Rows(RowCounts),
}

/// Called with every event. `Break` on rows ends the run early; `Break` on a batch also drops the rows that are being
/// judged.
pub type OnRunEvent<'a> = dyn Fn(RunEvent<'_>) -> ControlFlow<()> + Sync + 'a;

/// The row counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowCounts {
    /// The number of rows judged, in this run or before.
    pub judged: u64,
    /// The number of judged rows whose results came from the journal.
    pub known: u64,
    /// The number of rows that could not be judged.
    pub failed: u64,
    /// The sum of the judged rows' scores.
    pub score_sum: f64,
    /// The number of judged rows with the verdict unsure.
    pub unsure: u64,
    /// The number of judged rows that are unsupported because the model's card does not list their language.
    pub unread: u64,
}

impl RowCounts {
    /// Returns the number of all rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.judged + self.failed
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// The row counts.
    pub counts: RowCounts,
    /// Whether it was ended early.
    pub stopped: bool,
    /// The summary over all rows.
    pub summary: RunSummary,
    /// The judged rows that fail under the plan's conditions.
    pub failing: NamedRows,
    /// The rows whose id repeats an earlier row's.
    pub repeated_ids: NamedRows,
}

/// A run, or a merge of shards, cannot continue. Rows in the journal are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A row, or a file, cannot be read.
    #[error("{0}")]
    Fault(RowFault),
    /// The inputs have no row.
    #[error("{0} has no rows")]
    NoRows(String),
    /// A file cannot be used: the journal, or a shard to be merged.
    #[error(transparent)]
    File(#[from] FileError),
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}
