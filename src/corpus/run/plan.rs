//! The plan of a run: how rows are read, and which of them it judges, refuses and names at its end.

use super::remarks::FailWhen;
use super::shard::Shard;
use crate::corpus::read::RowNames;

/// How a row that cannot be judged is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It ends the run.
    Fail,
    /// The row is left out and counted.
    Skip,
    /// The row is written with the reason, and counted.
    Record,
}

/// How rows are read and how bad ones are handled.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// The fields to read from a row.
    pub names: RowNames,
    /// How bad rows are handled.
    pub on_error: OnError,
    /// The part of the rows that this run judges; `None` is all rows.
    pub shard: Option<Shard>,
    /// The conditions under which rows are named as failing at the end.
    pub fail_when: FailWhen,
    /// The field by which rates are grouped, among those that pass through.
    pub group_by: Option<String>,
}
