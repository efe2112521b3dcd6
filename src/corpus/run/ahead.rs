//! The batches of rows that are judged at once: one on the processor; on a device several, so that some are prepared and
//! others written while it computes.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::line::RowResult;
use super::reader::InputRow;
use crate::corpus::judge::{JudgedRow, RowJudge};
use crate::error::Error;
use crate::input::Pair;
use crate::schedule::OnEvent;

/// Rows, each with its result if that is known: from the journal, or because the row cannot be judged.
pub(super) struct Batch {
    pub(super) rows: Vec<InputRow>,
    pub(super) known: Vec<Option<RowResult>>,
}

/// A batch with the results of the rows that had none.
pub(super) struct JudgedBatch {
    pub(super) batch: Batch,
    pub(super) new: Vec<Result<JudgedRow, Error>>,
    /// The time that it took, as if it had been judged alone.
    pub(super) time: Duration,
}

/// The batches that are being judged, in order.
pub(super) struct Ahead<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    judge: &'e dyn RowJudge,
    on_event: &'e OnEvent<'e>,
    batches: VecDeque<ScopedJoinHandle<'s, JudgedBatch>>,
}

impl<'s, 'e> Ahead<'s, 'e> {
    pub(super) fn new(scope: &'s Scope<'s, 'e>, judge: &'e dyn RowJudge, on_event: &'e OnEvent<'e>) -> Self {
        Self { scope, judge, on_event, batches: VecDeque::new() }
    }

    pub(super) fn has_room(&self) -> bool {
        self.batches.len() < self.judge.batches_at_once()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    pub(super) fn begin(&mut self, batch: Batch) {
        let (judge, on_event) = (self.judge, self.on_event);
        self.batches.push_back(self.scope.spawn(move || {
            let start = Instant::now();
            let new = judge_rows(judge, &batch, on_event);
            JudgedBatch { batch, new, time: start.elapsed() / judge.batches_at_once() as u32 }
        }));
    }

    /// Waits for the first batch.
    pub(super) fn next(&mut self) -> Option<JudgedBatch> {
        let judged = self.batches.pop_front()?.join();
        Some(judged.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

/// Judges the rows without a result together.
fn judge_rows(
    judge: &dyn RowJudge,
    Batch { rows, known }: &Batch,
    on_event: &OnEvent<'_>,
) -> Vec<Result<JudgedRow, Error>> {
    let new = rows.iter().zip(known).filter(|(_, known)| known.is_none());
    let pairs: Vec<Pair<'_>> = new.filter_map(|(row, _)| Some(row.valid().ok()?.1.pair())).collect();
    if pairs.is_empty() { Vec::new() } else { judge.judge_rows(&pairs, on_event) }
}
