//! Processes a corpus from the first row to the last. This file follows the path of a row in call order; the other files are
//! its steps: `reader` reads rows ahead in a separate thread, the journal holds the results of rows judged before, a
//! [`RowJudge`] judges the others in batches (`ahead`), and `line` builds the output's lines, which are written in input order.
//! Memory is bounded: at most two chunks wait to be judged, then the reader waits.

mod ahead;
mod batch_size;
mod last_line;
mod line;
mod merge;
mod plan;
mod progress;
mod reader;
mod remarks;
mod shard;
mod tally;
mod target;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::value::RawValue;

use self::ahead::{Ahead, Batch, JudgedBatch};
pub use self::batch_size::{BATCH_BYTES, BatchSize};
use self::last_line::{RowsWritten, last_line};
use self::line::{RowResult, RunFields};
pub use self::merge::merge;
pub use self::plan::{OnError, RunPlan};
pub use self::progress::{OnRunEvent, RowCounts, RunEnd, RunError, RunEvent};
use self::reader::{FromReader, InputFacts, InputRow};
use self::remarks::RepeatedIds;
pub use self::remarks::{FailOn, FailWhen, NamedRows, Outcome};
pub use self::shard::Shard;
pub use self::tally::RunSummary;
use self::tally::RunTally;
pub use self::target::Target;
use super::found::Found;
use super::journal::Journal;
use super::judge::{JudgedRow, RowJudge};
use super::read::{Input, RowFault, Rows};
use super::write::{RowWriter, WriteError};
use crate::decide::{Reason, Verdict};
use crate::error::Error;
use crate::schedule::{Event, Stage, timed};

/// The number of chunks that may wait to be judged.
const CHUNKS_WAITING: usize = 2;

/// The interval at which a run that waits for rows checks whether it must stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Judges the rows, records them in the journal if there is one, and writes them. Finishes the writer once all rows are
/// written.
///
/// # Errors
/// If input, journal or output fail, and at the first bad row if the plan demands it.
pub fn run(
    judge: &dyn RowJudge,
    rows: Rows,
    plan: &RunPlan,
    journal: Option<&mut Journal>,
    writer: RowWriter,
    on_event: &OnRunEvent<'_>,
) -> Result<RunEnd, RunError> {
    let fields = Arc::new(RunFields::of(judge));
    let inputs: Vec<String> = rows.inputs().iter().map(Input::name).collect();
    let inputs = inputs.join(", ");
    let (to_run, chunks) = sync_channel(CHUNKS_WAITING);
    // Not joined: a pipe that nobody writes to could block it forever. It ends when it finds its receiver gone.
    thread::spawn({
        let (plan, fields) = (plan.clone(), Arc::clone(&fields));
        move || reader::read(rows, &plan, &fields, &to_run)
    });
    let run = Run {
        judge,
        plan,
        fields: &fields,
        journal,
        writer,
        counts: RowCounts::default(),
        tally: RunTally::new(plan, judge.judges_claims()),
        failing: NamedRows::default(),
        repeated_ids: RepeatedIds::default(),
        batch_size: BatchSize::default(),
        written: RowsWritten::default(),
        inputs,
        on_event,
    };
    run.judge_all(&chunks)
}

struct Run<'r> {
    judge: &'r dyn RowJudge,
    plan: &'r RunPlan,
    fields: &'r RunFields,
    /// `None` if results are not kept.
    journal: Option<&'r mut Journal>,
    writer: RowWriter,
    counts: RowCounts,
    /// The report over all rows.
    tally: RunTally,
    /// The rows that fail under the plan's conditions.
    failing: NamedRows,
    repeated_ids: RepeatedIds,
    batch_size: BatchSize,
    /// The written rows, for a shard.
    written: RowsWritten,
    /// The names of the inputs, for errors.
    inputs: String,
    on_event: &'r OnRunEvent<'r>,
}

impl Run<'_> {
    fn judge_all(self, chunks: &Receiver<FromReader>) -> Result<RunEnd, RunError> {
        let (judge, on_event, is_over) = (self.judge, self.on_event, AtomicBool::new(false));
        let on_work = |event| {
            let is_over = is_over.load(Ordering::Relaxed);
            if is_over { ControlFlow::Break(()) } else { on_event(RunEvent::Work(event)) }
        };
        thread::scope(|scope| {
            let end = self.judge_batches(&mut Ahead::new(scope, judge, &on_work), chunks);
            // Batches that nobody waits for any more end soon; a resumed run judges them again.
            is_over.store(true, Ordering::Relaxed);
            end
        })
    }

    /// Begins batches and writes those that are judged, in order.
    fn judge_batches(
        mut self,
        ahead: &mut Ahead<'_, '_>,
        chunks: &Receiver<FromReader>,
    ) -> Result<RunEnd, RunError> {
        let mut coming = Coming::default();
        loop {
            if self.begin(ahead, &mut coming, chunks)?.is_break() {
                return Ok(self.end(true));
            }
            let Some(batch) = ahead.next() else { break };
            if self.finish(batch)?.is_break() {
                return Ok(self.end(true));
            }
        }
        let facts = coming.end.expect("without a batch, the reader has ended").map_err(RunError::Fault)?;
        self.write(&self.last_line(&facts)?)?;
        let end = self.end(false);
        timed(Stage::Writing, &work(self.on_event), || self.writer.finish())?;
        Ok(end)
    }

    /// Begins as many batches as are judged at once. Waits for rows only if there is no batch that could be written.
    fn begin(
        &mut self,
        ahead: &mut Ahead<'_, '_>,
        coming: &mut Coming,
        chunks: &Receiver<FromReader>,
    ) -> Result<ControlFlow<()>, RunError> {
        while ahead.has_room() {
            if !coming.rows.is_empty() {
                ahead.begin(coming.next_batch(self.batch_size.rows()));
                continue;
            }
            if coming.end.is_some() {
                break;
            }
            let next = match chunks.try_recv() {
                Ok(next) => Some(next),
                Err(TryRecvError::Empty) if !ahead.is_empty() => break,
                Err(_) => timed(Stage::Reading, &work(self.on_event), || self.receive(chunks)),
            };
            match next {
                None => return Ok(ControlFlow::Break(())),
                Some(FromReader::Chunk(rows)) => {
                    if !std::mem::replace(&mut coming.has_begun, true) {
                        refuse_rows_without_texts(&rows)?;
                    }
                    (coming.known, coming.rows) = (self.known_results(&rows)?, rows);
                }
                Some(FromReader::Fault(fault)) => coming.end = Some(Err(fault)),
                Some(FromReader::End(facts)) => coming.end = Some(Ok(facts)),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the reader's next message; `None` if the run is stopped while it waits.
    fn receive(&self, chunks: &Receiver<FromReader>) -> Option<FromReader> {
        loop {
            match chunks.recv_timeout(STOP_CHECK_INTERVAL) {
                Ok(next) => return Some(next),
                Err(RecvTimeoutError::Disconnected) => panic!("the reader ended without its last message"),
                Err(RecvTimeoutError::Timeout) if (self.on_event)(RunEvent::Rows(self.counts)).is_break() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Writes the lines of a batch.
    fn finish(&mut self, batch: JudgedBatch) -> Result<ControlFlow<()>, RunError> {
        let JudgedBatch { batch, new, time } = batch;
        if batch.known.iter().any(Option::is_none) {
            self.batch_size.adjust(time);
        }
        let (lines, flow) = self.lines(batch, new)?;
        if self.plan.shard.is_some() {
            lines.iter().for_each(|line| self.written.add(line));
        }
        self.write(&lines)?;
        let reported = (self.on_event)(RunEvent::Rows(self.counts));
        Ok(if flow.is_break() { flow } else { reported })
    }

    /// Writes lines and flushes them, so that they can be read during the run.
    fn write(&mut self, lines: &[String]) -> Result<(), WriteError> {
        let (writer, on_event) = (&mut self.writer, self.on_event);
        timed(Stage::Writing, &work(on_event), || {
            lines.iter().try_for_each(|line| writer.write(line))?;
            writer.flush()
        })
    }

    /// Returns the lines of a batch. New results are in the journal when this returns.
    fn lines(
        &mut self,
        Batch { rows, known }: Batch,
        new: Vec<Result<JudgedRow, Error>>,
    ) -> Result<(Vec<String>, ControlFlow<()>), RunError> {
        let mut new = new.into_iter();
        let (mut lines, mut end) = (Vec::with_capacity(rows.len()), Ok(ControlFlow::Continue(())));
        for (row, known) in rows.iter().zip(known) {
            if known.is_some() && row.valid().is_ok() {
                self.counts.known += 1;
            }
            let Some(result) = known.or_else(|| self.record(row, new.next())) else {
                end = Ok(ControlFlow::Break(()));
                break;
            };
            match self.line(row, &result) {
                Ok(line) => lines.extend(line),
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        self.journal.as_mut().map_or(Ok(()), |journal| journal.flush())?;
        Ok((lines, end?))
    }

    /// Returns the results that need no evaluation: from the journal, or of rows that cannot be judged.
    fn known_results(&mut self, rows: &[InputRow]) -> Result<Vec<Option<RowResult>>, RunError> {
        let known = rows.iter().map(|row| match (row.valid(), &mut self.journal) {
            (Err(reason), _) => Ok(Some(RowResult::Failed { reason: reason.to_owned() })),
            (Ok((key, _)), Some(journal)) => {
                Ok(journal.find(key)?.and_then(|bytes| RowResult::parse(&bytes)))
            }
            (Ok(_), None) => Ok(None),
        });
        known.collect()
    }

    /// Adds a new result to the journal; `None` if the work was stopped before it.
    fn record(&mut self, row: &InputRow, result: Option<Result<JudgedRow, Error>>) -> Option<RowResult> {
        let (key, row) = row.valid().ok()?;
        let result = result?;
        let may_pass = matches!(result, Err(Error::Caller { may_pass: true, .. }));
        let result = match result {
            Err(Error::Stopped) => return None,
            result => {
                // Only finished rows may end a run.
                let _ = (self.on_event)(RunEvent::Judged {
                    id: row.id.as_deref().map(RawValue::get),
                    result: result.as_ref(),
                });
                RowResult::of(&result)
            }
        };
        // A failure that ends the run is not recorded, so that the next run tries the row again.
        let is_final = self.plan.on_error != OnError::Fail && !may_pass;
        if is_final || matches!(result, RowResult::Judged { .. }) {
            self.journal.iter_mut().for_each(|journal| journal.add(key, &result.to_bytes()));
        }
        Some(result)
    }

    /// Counts a row and returns its line; `None` for a row that is left out.
    fn line(&mut self, row: &InputRow, result: &RowResult) -> Result<Option<String>, RunError> {
        let of_row = row.fields();
        of_row.id.filter(|id| id.get() != "null").iter().for_each(|id| self.repeated_ids.add(id));
        match (result, self.plan.on_error) {
            (RowResult::Judged { score, fields }, _) => {
                let found = Found::read(fields);
                self.count(row, *score, &found);
                let group = self.plan.group_by.as_deref().and_then(|field| of_row.input.get(field));
                self.tally.add(&found, group);
                let _ = (self.on_event)(RunEvent::Counted { fields });
                Ok(Some(self.fields.judged_line(&of_row, fields)))
            }
            (RowResult::Failed { reason }, OnError::Fail) => Err(RunError::Fault(row.fault(reason))),
            (RowResult::Failed { reason }, on_error) => {
                self.counts.failed += 1;
                let records = on_error == OnError::Record;
                Ok(records.then(|| line::failed_line(&of_row, &row.fault(reason))))
            }
        }
    }

    fn count(&mut self, row: &InputRow, score: f32, found: &Found) {
        let Found { verdict, reason, .. } = *found;
        let has_wrong_citation = found.has_wrong_citation();
        let has_unjudged = found.unjudged().is_some_and(|share| share > 0.0);
        if self.plan.fail_when.fails(&Outcome { score, verdict, has_wrong_citation, has_unjudged }) {
            self.failing.add(|| row.name());
        }
        let counts = &mut self.counts;
        counts.judged += 1;
        counts.score_sum += f64::from(score);
        counts.unread += u64::from(reason == Some(Reason::Language));
        counts.unsure += u64::from(verdict == Some(Verdict::Unsure));
    }

    /// Returns the last line of a shard's output.
    fn last_line(&self, facts: &InputFacts) -> Result<Vec<String>, RunError> {
        if facts.rows == 0 {
            return Err(RunError::NoRows(self.inputs.clone()));
        }
        let line = |shard: &Shard| last_line(*shard, self.written.clone(), facts, self.plan, self.fields);
        Ok(self.plan.shard.iter().map(line).collect())
    }

    fn end(&self, stopped: bool) -> RunEnd {
        RunEnd {
            counts: self.counts,
            stopped,
            summary: self.tally.summary(),
            failing: self.failing.clone(),
            repeated_ids: self.repeated_ids.found.clone(),
        }
    }
}

/// Forwards events of the work.
fn work<'e>(on_event: &'e OnRunEvent<'e>) -> impl Fn(Event) -> ControlFlow<()> + Sync + 'e {
    move |event| on_event(RunEvent::Work(event))
}

/// The rows that have come and are in no batch yet.
#[derive(Default)]
struct Coming {
    rows: Vec<InputRow>,
    /// Of each row its result, if that is known.
    known: Vec<Option<RowResult>>,
    has_begun: bool,
    /// What ended the reader.
    end: Option<Result<InputFacts, RowFault>>,
}

impl Coming {
    fn next_batch(&mut self, together: usize) -> Batch {
        let count = next_batch(&self.known, together);
        Batch { rows: self.rows.drain(..count).collect(), known: self.known.drain(..count).collect() }
    }
}

/// Refuses a corpus in whose first chunk no row has the fields of the texts: they have other names.
fn refuse_rows_without_texts(rows: &[InputRow]) -> Result<(), RunError> {
    let missing: Option<Vec<RowFault>> = rows.iter().map(InputRow::missing_field).collect();
    match missing.into_iter().flatten().next() {
        Some(first) => Err(RunError::Fault(first)),
        None => Ok(()),
    }
}

/// Returns the number of rows in the next batch: the leading rows with known results, however many, or else as many rows as
/// contain `together` rows to judge.
fn next_batch(known: &[Option<RowResult>], together: usize) -> usize {
    let new = known.iter().zip(1..).filter(|(result, _)| result.is_none());
    match known.iter().take_while(|result| result.is_some()).count() {
        0 => new.take(together).last().map_or(0, |(_, count)| count),
        count => count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows from the journal made the next batch so large that a resumed run showed nothing for minutes.
    #[test]
    fn rows_of_the_journal_are_no_part_of_the_next_batch() {
        let row = |is_known: char| (is_known == 'k').then(|| RowResult::Failed { reason: String::new() });
        let batches = |rows: &str, together| {
            let mut known: Vec<Option<RowResult>> = rows.chars().map(row).collect();
            let mut sizes = Vec::new();
            while !known.is_empty() {
                sizes.push(next_batch(&known, together));
                known.drain(..sizes[sizes.len() - 1]);
            }
            sizes
        };
        assert_eq!(batches("kkkkkkknnnnn", 2), [7, 2, 2, 1]);
        assert_eq!(batches("nnknnkkn", 3), [4, 4]);
        assert_eq!(batches("nkk", 8), [1, 2]);
    }
}
