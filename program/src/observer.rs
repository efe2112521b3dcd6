//! What a program does besides judging and writing the rows of a run: it may export judgements, or collect statistics.

use anyhow::Result;
use serde_json::{Map, Value};
use veridic::Error;
use veridic::corpus::JudgedRow;
use veridic::corpus::run::RunEnd;

/// Statistics over the rows of a run, besides those of its claims.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    /// Fields of the summary that `--progress json` prints.
    pub fields: Map<String, Value>,
    /// Lines for people.
    pub lines: Vec<String>,
}

/// Observes a run. Every method does nothing by default.
pub trait RunObserver: Sync {
    /// A row was judged by this run. `id` is its id as JSON, if it has one.
    fn judged(&self, _id: Option<&str>, _result: Result<&JudgedRow, &Error>) {}

    /// A row was counted, judged by this run or found in the journal. `fields`: the members of its result's JSON object.
    fn counted(&self, _fields: &str) {}

    /// The run ended.
    fn end(&mut self, _end: &Result<RunEnd>) {}

    /// Returns what there is to say about the work, one line each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the statistics over the rows counted so far.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// Observes nothing.
#[derive(Debug)]
pub struct Unobserved;

impl RunObserver for Unobserved {}
