//! The plan of a run, the events that it reports, and how it ends.

use std::ops::ControlFlow;

use super::remarks::{FailWhen, NamedRows};
use super::shard::Shard;
use crate::corpus::file_error::FileError;
use crate::corpus::read::{RowFault, RowNames};
use crate::corpus::tally::RunSummary;
use crate::corpus::write::WriteError;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::schedule::Event;

/// What happens to a row that cannot be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It ends the run.
    Fail,
    /// It is left out and counted.
    Skip,
    /// The output has a row with the reason, and it is counted.
    Record,
}

/// How rows are read and what happens to bad ones.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// The fields of a row that are read.
    pub names: RowNames,
    /// What happens to bad rows.
    pub on_error: OnError,
    /// The part of the rows that this run judges; None: all rows.
    pub shard: Option<Shard>,
    /// Which rows are named as failing at the end.
    pub fail_when: FailWhen,
    /// The field by which rates are grouped, among those that pass through.
    pub group_by: Option<String>,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
pub enum RunEvent<'e> {
    /// An event of the scorer or its scheduler.
    Work(Event),
    /// A row was evaluated by this run, not known from the journal.
    Evaluated {
        /// Its id as JSON, if it has one.
        id: Option<&'e str>,
        /// Its result.
        result: Result<&'e Evaluation, &'e Error>,
    },
    /// Rows are done; the counts are those of the run so far.
    Rows(RowCounts),
}

/// Called with every event. `Break` on rows ends the run early; on a batch too, and then the rows that are being judged
/// are dropped.
pub type OnRunEvent<'a> = dyn Fn(RunEvent<'_>) -> ControlFlow<()> + Sync + 'a;

/// Rows of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowCounts {
    /// Rows that were judged, in this run or before.
    pub judged: u64,
    /// Judged rows whose results came from the journal.
    pub known: u64,
    /// Rows that could not be judged.
    pub failed: u64,
    /// The sum of the judged rows' scores.
    pub score_sum: f64,
    /// Judged rows with the verdict unsure.
    pub unsure: u64,
    /// Judged rows whose verdict is unsupported because the model's card does not list their language.
    pub unread: u64,
}

impl RowCounts {
    /// All rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.judged + self.failed
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEnd {
    /// Its rows.
    pub counts: RowCounts,
    /// Whether it was ended early.
    pub stopped: bool,
    /// What the metrics report over all rows.
    pub summary: RunSummary,
    /// Judged rows that fail as the plan says.
    pub failing: NamedRows,
    /// Rows whose id a row before them has.
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
