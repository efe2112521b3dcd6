//! What `veridic-bench run` adds to a run: the statistics of the metrics, and notes on a language model's answers.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use veridic::corpus::run::RunEnd;
use veridic_program::observer::{RunObserver, Statistics};

use crate::metrics::{Evaluator, MetricTally};

/// Collects what the metrics report over rows.
pub(super) struct MetricObserver {
    evaluator: Evaluator,
    tally: Mutex<MetricTally>,
    notes: Vec<String>,
}

impl MetricObserver {
    /// Observes a run of an evaluator.
    pub(super) fn of(evaluator: &Evaluator) -> Self {
        Self { evaluator: evaluator.clone(), tally: Mutex::new(evaluator.tally()), notes: Vec::new() }
    }
}

impl RunObserver for MetricObserver {
    fn counted(&self, fields: &str) {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(fields);
    }

    fn end(&mut self, _: &Result<RunEnd>) {
        self.notes = self.evaluator.notes();
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn statistics(&self) -> Statistics {
        let (fields, lines) = self.tally.lock().unwrap_or_else(PoisonError::into_inner).report();
        Statistics { fields, lines }
    }
}
