//! A corpus from its first row to its last: rows are read ahead, judged in chunks as one stream, noted in the
//! journal, and written in the order of the input. What was judged before is not judged again.
//!
//! Memory is bounded: a few chunks are read ahead and a few wait for the writer, and then each waits for the
//! next.

mod ahead;
mod line;
mod merge;
mod pace;
mod shard;
mod target;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use self::ahead::{Ahead, Entry, InputFacts};
use self::line::{Outcome, Said, Stamp};
pub use self::merge::{MergeError, merge};
pub use self::pace::{ENOUGH_BYTES, Pace};
use self::shard::RowsWritten;
pub use self::shard::{BadShard, Shard, ShardFacts};
pub use self::target::{Target, TargetError};
use super::journal::{Journal, JournalError, RowKey};
use super::read::{Input, RowFault, RowNames, Rows};
use super::write::{RowWriter, WriteError};
use crate::error::Error;
use crate::metrics::sumautoeval::{Agreement, Tally};
use crate::metrics::{Evaluation, Evaluator};
use crate::pipeline::{Pair, Reason, Verdict};
use crate::schedule::{Event, Stage, timed};

/// Chunks that wait for the scorer, and chunks that wait for the writer.
const CHUNKS_WAITING: usize = 2;

/// How long a run waits for rows until it looks whether it shall end.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// What becomes of a row that cannot be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// It ends the run.
    Fail,
    /// It is left out and counted.
    Skip,
    /// It is a row of the output that says why, and counted.
    Record,
}

/// How rows are read and what becomes of bad ones.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// Which fields are which.
    pub names: RowNames,
    /// What becomes of bad rows.
    pub on_error: OnError,
    /// The part of the rows that this run judges; all without.
    pub shard: Option<Shard>,
}

/// Something that happened on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunEvent {
    /// In the scorer or its scheduler.
    Work(Event),
    /// Rows are done; the counts are of the run so far.
    Rows(RowCounts),
}

/// Rows of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowCounts {
    /// Rows that were judged, in this run or before.
    pub judged: u64,
    /// Those of them that the journal knew.
    pub known: u64,
    /// Rows that could not be judged.
    pub failed: u64,
    /// The sum of the judged rows' scores.
    pub score_sum: f64,
    /// Judged rows that are called unsupported.
    pub unsupported: u64,
    /// Judged rows that are called contradicted.
    pub contradicted: u64,
    /// Judged rows that are called unsupported since they are in a language that the model's card does not list.
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunEnd {
    /// Its rows.
    pub counts: RowCounts,
    /// Whether it was ended early.
    pub stopped: bool,
    /// How far SumAutoEval's checks agree over its rows, where they were asked.
    pub agreement: Agreement,
}

/// A run cannot go on. What the journal holds is safe.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A row, or a file, cannot be read.
    #[error("{0}")]
    Fault(RowFault),
    /// No row at all.
    #[error("{0} holds no rows")]
    NoRows(String),
    /// The journal fails.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Is told of every event. `Break` after rows ends the run early; after a batch too, and then the rows in hand are
/// given up.
pub type OnRunEvent<'a> = dyn Fn(RunEvent) -> ControlFlow<()> + Sync + 'a;

/// Judges the rows, notes them in the journal if there is one, and writes them. The writer is finished when all rows are
/// written.
///
/// # Errors
/// When input, journal or output fail, and at the first bad row if the plan says so.
pub fn run(
    evaluator: &Evaluator,
    rows: Rows,
    plan: &RunPlan,
    journal: Option<&mut Journal>,
    writer: RowWriter,
    on_event: &OnRunEvent<'_>,
) -> Result<RunEnd, RunError> {
    let stamp = Arc::new(Stamp::of(evaluator));
    let inputs: Vec<String> = rows.inputs().iter().map(Input::name).collect();
    let inputs = inputs.join(", ");
    let (to_scorer, chunks) = sync_channel(CHUNKS_WAITING);
    let (to_writer, lines) = sync_channel(CHUNKS_WAITING);
    // It ends when nobody listens, which a pipe that nobody writes to may keep it from seeing: nobody waits.
    thread::spawn({
        let (plan, stamp) = (plan.clone(), Arc::clone(&stamp));
        move || ahead::read(rows, &plan, &stamp, &to_scorer)
    });
    let writing = thread::spawn(move || write(writer, lines));
    let mut run = Run {
        evaluator,
        plan,
        stamp: &stamp,
        journal,
        counts: RowCounts::default(),
        tally: evaluator.tells_agreement().then(Tally::default),
        pace: Pace::default(),
        written: RowsWritten::default(),
        inputs,
        on_event,
    };
    let end = run.judge_all(&chunks, &to_writer);
    drop(to_writer);
    let written = timed(Stage::Writing, &|event| on_event(RunEvent::Work(event)), || writing.join());
    // If the writer failed, its reason is the run's.
    written.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    end
}

/// Writes lines as they come. The output is complete when the last of them says so.
fn write(mut writer: RowWriter, lines: Receiver<Option<Vec<String>>>) -> Result<(), WriteError> {
    for lines in lines {
        let Some(lines) = lines else { return writer.finish() };
        for line in lines {
            writer.write(&line)?;
        }
        writer.flush()?;
    }
    Ok(())
}

struct Run<'r> {
    evaluator: &'r Evaluator,
    plan: &'r RunPlan,
    stamp: &'r Stamp,
    /// None where nothing is kept.
    journal: Option<&'r mut Journal>,
    counts: RowCounts,
    /// What SumAutoEval's checks said, where they are asked.
    tally: Option<Tally>,
    pace: Pace,
    /// Of a shard.
    written: RowsWritten,
    /// What errors call the inputs.
    inputs: String,
    on_event: &'r OnRunEvent<'r>,
}

impl Run<'_> {
    fn judge_all(
        &mut self,
        chunks: &Receiver<Ahead>,
        to_writer: &SyncSender<Option<Vec<String>>>,
    ) -> Result<RunEnd, RunError> {
        loop {
            let next = timed(Stage::Reading, &|event| self.work(event), || self.next_of(chunks));
            let flow = match next {
                None => ControlFlow::Break(()),
                Some(Ahead::Chunk(entries)) => self.judge_chunk(&entries, to_writer)?,
                Some(Ahead::Fault(fault)) => return Err(RunError::Fault(fault)),
                Some(Ahead::End(facts)) => {
                    let last = self.last_line(&facts)?;
                    // A writer that is gone has failed, and says why when it is joined.
                    let _ = to_writer.send(Some(last)).and_then(|()| to_writer.send(None));
                    return Ok(self.end(false));
                }
            };
            if flow.is_break() {
                return Ok(self.end(true));
            }
        }
    }

    fn end(&self, stopped: bool) -> RunEnd {
        let agreement = self.tally.as_ref().map(Tally::agreement).unwrap_or_default();
        RunEnd { counts: self.counts, stopped, agreement }
    }

    /// Judges rows and hands their lines on, so many together as take some seconds.
    fn judge_chunk(
        &mut self,
        mut entries: &[Entry],
        to_writer: &SyncSender<Option<Vec<String>>>,
    ) -> Result<ControlFlow<()>, RunError> {
        while !entries.is_empty() {
            let (now, later) = entries.split_at(self.pace.rows().min(entries.len()));
            let start = Instant::now();
            let (lines, flow) = self.judge(now)?;
            self.pace.took(start.elapsed());
            if self.plan.shard.is_some() {
                lines.iter().for_each(|line| self.written.add(line));
            }
            let sent = timed(Stage::Writing, &|event| self.work(event), || to_writer.send(Some(lines)));
            let told = (self.on_event)(RunEvent::Rows(self.counts));
            if sent.is_err() || flow.is_break() || told.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            entries = later;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What the reader hands over next; none when the run is ended while it waits.
    fn next_of(&self, chunks: &Receiver<Ahead>) -> Option<Ahead> {
        loop {
            match chunks.recv_timeout(LONGEST_WAIT) {
                Ok(next) => return Some(next),
                Err(RecvTimeoutError::Disconnected) => panic!("the reader ended without saying how"),
                Err(RecvTimeoutError::Timeout) if (self.on_event)(RunEvent::Rows(self.counts)).is_break() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The lines of rows. Those that were judged are in the journal when this comes back.
    fn judge(&mut self, entries: &[Entry]) -> Result<(Vec<String>, ControlFlow<()>), RunError> {
        let known = self.known(entries)?;
        let mut results = self.score(entries, &known).into_iter();
        let (mut lines, mut end) = (Vec::with_capacity(entries.len()), Ok(ControlFlow::Continue(())));
        for (entry, known) in entries.iter().zip(known) {
            let outcome = match known.map_or_else(|| self.outcome(entry, results.next()), Some) {
                Some(outcome) => outcome,
                None => {
                    end = Ok(ControlFlow::Break(()));
                    break;
                }
            };
            match self.line(entry, &outcome) {
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

    /// What is known of the rows without the scorer: from before, or that they cannot be judged.
    fn known(&mut self, entries: &[Entry]) -> Result<Vec<Option<Outcome>>, RunError> {
        let mut known = Vec::with_capacity(entries.len());
        for entry in entries {
            known.push(match entry {
                Entry::Row(row) => self.noted(row.key)?,
                Entry::Bad(bad) => Some(Outcome::Failed { reason: bad.reason().to_owned() }),
            });
            let from_before = matches!((entry, known.last()), (Entry::Row(_), Some(Some(_))));
            self.counts.known += u64::from(from_before);
        }
        Ok(known)
    }

    /// What the journal knows of a row.
    fn noted(&mut self, key: RowKey) -> Result<Option<Outcome>, RunError> {
        let Some(journal) = &mut self.journal else { return Ok(None) };
        Ok(journal.find(key)?.and_then(|bytes| Outcome::parse(&bytes)))
    }

    /// The results of the rows of which nothing is known.
    fn score(&self, entries: &[Entry], known: &[Option<Outcome>]) -> Vec<Result<Evaluation, Error>> {
        let unknown = entries.iter().zip(known).filter_map(|(entry, known)| match (entry, known) {
            (Entry::Row(row), None) => Some(row.pair()),
            _ => None,
        });
        let pairs: Vec<Pair<'_>> = unknown.collect();
        if pairs.is_empty() {
            return Vec::new();
        }
        self.evaluator.evaluate(&pairs, &|event| self.work(event))
    }

    /// A result goes into the journal; none if the work was ended before it.
    fn outcome(&mut self, entry: &Entry, result: Option<Result<Evaluation, Error>>) -> Option<Outcome> {
        let Entry::Row(row) = entry else { return None };
        let outcome = match result? {
            Err(Error::Stopped) => return None,
            result => Outcome::of(&result),
        };
        // What ends the run is not noted, so that the next one tries again.
        if self.plan.on_error != OnError::Fail || matches!(outcome, Outcome::Judged { .. }) {
            self.journal.iter_mut().for_each(|journal| journal.add(row.key, &outcome.to_bytes()));
        }
        Some(outcome)
    }

    fn line(&mut self, entry: &Entry, outcome: &Outcome) -> Result<Option<String>, RunError> {
        match (outcome, self.plan.on_error) {
            (Outcome::Judged { score, body }, _) => {
                self.counts.judged += 1;
                self.counts.score_sum += f64::from(*score);
                let Said { verdict, reason } = outcome.said();
                self.counts.unread += u64::from(reason == Some(Reason::Language));
                self.counts.unsupported += u64::from(verdict == Some(Verdict::Unsupported));
                self.counts.contradicted += u64::from(verdict == Some(Verdict::Contradicted));
                if let Some(tally) = &mut self.tally {
                    tally.add_line(body);
                }
                Ok(Some(self.stamp.judged(&entry.line(), body)))
            }
            (Outcome::Failed { reason }, OnError::Fail) => Err(RunError::Fault(entry.fault(reason))),
            (Outcome::Failed { reason }, on_error) => {
                self.counts.failed += 1;
                let records = on_error == OnError::Record;
                Ok(records.then(|| line::failed(&entry.line(), &entry.fault(reason))))
            }
        }
    }

    /// What a shard's output ends with.
    fn last_line(&self, facts: &InputFacts) -> Result<Vec<String>, RunError> {
        if facts.rows == 0 {
            return Err(RunError::NoRows(self.inputs.clone()));
        }
        let line = |shard: &Shard| shard.last_line(self.written.clone(), facts, self.plan, self.stamp);
        Ok(self.plan.shard.iter().map(line).collect())
    }

    fn work(&self, event: Event) -> ControlFlow<()> {
        (self.on_event)(RunEvent::Work(event))
    }
}
