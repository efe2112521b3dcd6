//! Progress on stderr: one rewritten line on a terminal, a line every ten seconds elsewhere, JSON if requested, nothing
//! under `--quiet`; then a summary. The remaining time is estimated once enough rows have been judged; rows from the journal
//! do not count.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};
use veridic::corpus::RunSummary;
use veridic::corpus::read::ReadShare;
use veridic::corpus::run::{NamedRows, RowCounts, RunEnd};
use veridic::schedule::{Event, Stage};

use crate::args::ProgressChoice;
use crate::observer::Statistics;
use crate::output::note;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Quiet,
    Terminal,
    Lines,
    Json,
}

/// The total amount of work.
pub enum Whole {
    /// This number of rows.
    Rows(usize),
    /// As many rows as the reader finds.
    Read(ReadShare),
}

/// The progress of work on rows.
pub struct Progress {
    state: Mutex<State>,
    started: Instant,
    whole: Whole,
    mode: Mode,
}

struct State {
    rows: RowCounts,
    /// The most recent time at which rows were done.
    last: Mark,
    /// The last time before a row was judged, not counting rows from the journal.
    first: Mark,
    pairs: usize,
    reused: usize,
    tokens: usize,
    stages: BTreeMap<Stage, Duration>,
    shown: Instant,
}

/// The number of rows judged by a point in time, not counting rows from the journal.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    judged: u64,
    seconds: f64,
}

/// The minimum number of judged rows for an estimate of the remaining time.
const ROWS_FOR_AN_ESTIMATE: u64 = 5;

/// A snapshot of the work, as `--progress json` prints it.
#[derive(Serialize)]
struct Snapshot {
    /// Whether it is the last snapshot.
    done: bool,
    rows: u64,
    failed: u64,
    known: u64,
    /// The fraction of the input that is done, if its size is known.
    share: Option<f64>,
    pairs: usize,
    pairs_reused: usize,
    tokens: usize,
    seconds: f64,
    pairs_per_second: f64,
    tokens_per_second: f64,
    eta_seconds: Option<f64>,
}

/// The final snapshot with the summary, as `--progress json` prints it.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    snapshot: Snapshot,
    mean_score: Option<f64>,
    /// The number of rows with an unsure verdict, if an abstention rate is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsure: Option<u64>,
    stage_seconds: BTreeMap<Stage, f64>,
    /// The rows that fail under the given flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing: Option<&'a NamedRows>,
    /// The rows whose id repeats an earlier row's.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeated_ids: Option<&'a NamedRows>,
    #[serde(flatten)]
    statistics: &'a Map<String, Value>,
    #[serde(flatten)]
    summary: &'a RunSummary,
}

impl Progress {
    /// Starts to show progress.
    pub fn new(whole: Whole, choice: ProgressChoice, quiet: bool) -> Self {
        let mode = match choice {
            _ if quiet => Mode::Quiet,
            ProgressChoice::Json => Mode::Json,
            ProgressChoice::Auto if stderr().is_terminal() => Mode::Terminal,
            ProgressChoice::Auto | ProgressChoice::Plain => Mode::Lines,
        };
        let (rows, stages, now) = (RowCounts::default(), BTreeMap::new(), Instant::now());
        let (first, last) = Default::default();
        let state = State { rows, first, last, pairs: 0, reused: 0, tokens: 0, stages, shown: now };
        Self { state: Mutex::new(state), started: now, whole, mode }
    }

    /// Records an event of the scorer or its scheduler; never stops the work.
    pub fn event(&self, event: Event) -> ControlFlow<()> {
        let mut state = self.state();
        match event {
            Event::Computed { pairs, tokens } => {
                state.pairs += pairs;
                state.tokens += tokens;
                self.show(&mut state);
            }
            Event::Reused { pairs } => state.reused += pairs,
            Event::Spent { stage, time } => *state.stages.entry(stage).or_default() += time,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Sets the counts of rows that are done.
    pub fn rows(&self, rows: RowCounts) {
        let mut state = self.state();
        self.done(&mut state, rows);
        self.show(&mut state);
    }

    /// Adds to the number of rows that are done.
    pub fn rows_done(&self, rows: usize) {
        let mut state = self.state();
        let rows = RowCounts { judged: state.rows.judged + rows as u64, ..state.rows };
        self.done(&mut state, rows);
    }

    /// Records the counts and the current time.
    fn done(&self, state: &mut State, rows: RowCounts) {
        let judged = (rows.judged + rows.failed).saturating_sub(rows.known);
        if judged > state.last.judged || judged == 0 {
            state.last = Mark { judged, seconds: self.started.elapsed().as_secs_f64() };
        }
        if judged == 0 {
            state.first = state.last;
        }
        state.rows = rows;
    }

    /// Clears the line.
    pub fn clear(&self) {
        if self.mode == Mode::Terminal {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }

    /// Clears the line and prints one line of summary.
    pub fn finish(&self) {
        self.clear();
        let state = self.state();
        if self.mode != Mode::Quiet {
            note(&self.line(&self.snapshot(&state)));
        }
    }

    /// Clears the line and prints the summary of a run and its time by stage. `done` tells whether all rows are done,
    /// `abstains` whether verdicts can be unsure.
    pub fn finish_run(&self, done: bool, abstains: bool, end: &RunEnd, statistics: &Statistics) {
        let summary = &end.summary;
        let [failing, repeated_ids] =
            [&end.failing, &end.repeated_ids].map(|named| Some(named).filter(|named| named.rows > 0));
        self.clear();
        let state = self.state();
        let snapshot = self.snapshot(&state);
        let rows = state.rows;
        let unsure = abstains.then_some(rows.unsure);
        let mean_score = (rows.judged > 0).then(|| rows.score_sum / rows.judged as f64);
        match self.mode {
            Mode::Quiet => {}
            Mode::Json => {
                let stage_seconds = self.stages(&state).into_iter().collect();
                let snapshot = Snapshot { done, ..snapshot };
                note(&json(&Summary {
                    snapshot,
                    mean_score,
                    unsure,
                    stage_seconds,
                    failing,
                    repeated_ids,
                    statistics: &statistics.fields,
                    summary,
                }));
            }
            Mode::Terminal | Mode::Lines => {
                let mean = mean_score.map_or("no row judged".into(), |mean| format!("mean score {mean:.3}"));
                note(&format!(
                    "{} rows in {}: {mean}, {} failed, {} from the journal",
                    grouped(rows.rows()),
                    time(snapshot.seconds),
                    grouped(rows.failed),
                    grouped(rows.known)
                ));
                if let Some(unsure) = unsure {
                    note(&format!("{} of {} verdicts are unsure", grouped(unsure), grouped(rows.judged)));
                }
                note(&format!(
                    "{} pairs computed ({:.0}/s, {:.0} tokens/s), {} reused ({:.0}%)",
                    grouped(snapshot.pairs as u64),
                    snapshot.pairs_per_second,
                    snapshot.tokens_per_second,
                    grouped(snapshot.pairs_reused as u64),
                    100.0 * reused_share(&snapshot)
                ));
                let stages: Vec<String> = self
                    .stages(&state)
                    .iter()
                    .map(|(stage, seconds)| format!("{} {seconds:.1} s", json(stage).trim_matches('"')))
                    .collect();
                note(&format!("time: {}", stages.join(", ")));
                statistics.lines.iter().chain(&summary.lines()).for_each(|line| note(line));
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, state: &mut State) {
        let interval = match self.mode {
            Mode::Quiet => return,
            Mode::Terminal => 200,
            Mode::Lines => 10_000,
            Mode::Json => 1_000,
        };
        if state.shown.elapsed() < Duration::from_millis(interval) {
            return;
        }
        state.shown = Instant::now();
        let snapshot = self.snapshot(state);
        let text = match self.mode {
            Mode::Terminal => format!("\r\x1b[K{}", cut(&self.line(&snapshot), columns())),
            Mode::Json => format!("{}\n", json(&snapshot)),
            Mode::Lines | Mode::Quiet => format!("{}\n", self.line(&snapshot)),
        };
        // A failure to print progress is ignored.
        let _ = stderr().write_all(text.as_bytes());
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let seconds = self.started.elapsed().as_secs_f64();
        let done = state.rows.rows();
        let share = match &self.whole {
            Whole::Rows(all) => Some(done as f64 / (*all).max(1) as f64),
            // Reading is ahead of judging.
            Whole::Read(share) => share.get().map(|read| read * done as f64 / (share.rows().max(1) as f64)),
        };
        let all = match &self.whole {
            Whole::Rows(all) => Some(*all as f64),
            // Extrapolates the rows read to the whole input.
            Whole::Read(share) => {
                share.get().filter(|read| *read > 0.0).map(|read| share.rows() as f64 / read)
            }
        };
        let rate = |count: usize| count as f64 / seconds.max(1e-3);
        Snapshot {
            done: false,
            rows: done,
            failed: state.rows.failed,
            known: state.rows.known,
            share,
            pairs: state.pairs,
            pairs_reused: state.reused,
            tokens: state.tokens,
            seconds,
            pairs_per_second: rate(state.pairs),
            tokens_per_second: rate(state.tokens),
            eta_seconds: all.and_then(|all| time_left([state.first, state.last], all - done as f64, seconds)),
        }
    }

    fn line(&self, snapshot: &Snapshot) -> String {
        let rows = match (&self.whole, snapshot.share) {
            (Whole::Rows(all), _) => format!("{}/{} rows", grouped(snapshot.rows), grouped(*all as u64)),
            (Whole::Read(_), Some(share)) => {
                format!("{} rows ({:.0}%)", grouped(snapshot.rows), 100.0 * share)
            }
            (Whole::Read(_), None) => format!("{} rows", grouped(snapshot.rows)),
        };
        let counted = |count: u64, what: &str| match count {
            0 => String::new(),
            count => format!(", {} {what}", grouped(count)),
        };
        let (known, failed) =
            (counted(snapshot.known, "from the journal"), counted(snapshot.failed, "failed"));
        let eta = snapshot.eta_seconds.filter(|_| snapshot.share.is_some_and(|share| share < 1.0));
        let end = eta.map_or(time(snapshot.seconds), |eta| {
            format!("{}, about {} left", time(snapshot.seconds), time(eta))
        });
        format!(
            "{rows}{known}{failed}, {end}, {} pairs, {:.0} pairs/s, {:.0} tokens/s, {:.0}% reused",
            grouped(snapshot.pairs as u64),
            snapshot.pairs_per_second,
            snapshot.tokens_per_second,
            100.0 * reused_share(snapshot)
        )
    }

    /// Returns the seconds of each stage; the remaining time counts as the last stage.
    fn stages(&self, state: &State) -> Vec<(Stage, f64)> {
        let mut stages: BTreeMap<Stage, f64> =
            state.stages.iter().map(|(stage, time)| (*stage, time.as_secs_f64())).collect();
        stages.remove(&Stage::Other);
        let rest = self.started.elapsed().as_secs_f64() - stages.values().sum::<f64>();
        stages.insert(Stage::Other, rest.max(0.0));
        stages.into_iter().collect()
    }
}

/// Returns the seconds until `rows` more rows are judged at the pace between the marks; `now` is in seconds. `None` while
/// too few rows have been judged, and once that time has passed.
fn time_left([first, last]: [Mark; 2], rows: f64, now: f64) -> Option<f64> {
    let judged = last.judged - first.judged;
    let a_row = (last.seconds - first.seconds) / judged.max(1) as f64;
    let left = rows * a_row - (now - last.seconds);
    (judged >= ROWS_FOR_AN_ESTIMATE && left > 0.0).then_some(left)
}

/// Returns the columns of the terminal, if known.
fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(stderr()).map(|(width, _)| usize::from(width.0))
}

/// Returns the part of a line that fits the terminal, since a wrapped line cannot be rewritten.
fn cut(line: &str, columns: Option<usize>) -> &str {
    let most = columns.map_or(usize::MAX, |columns| columns.saturating_sub(1));
    line.char_indices().nth(most).map_or(line, |(end, _)| &line[..end])
}

fn reused_share(snapshot: &Snapshot) -> f64 {
    snapshot.pairs_reused as f64 / (snapshot.pairs + snapshot.pairs_reused).max(1) as f64
}

fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.0} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02} h", whole / 3600, whole / 60 % 60),
    }
}

/// Formats a count with commas between thousands.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names and finite numbers are valid JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On 80 columns the line wrapped, and every update left a line behind.
    #[test]
    fn rewritten_line_fits_the_terminal() {
        assert_eq!(cut("14 rows, 9 s", Some(8)), "14 rows");
        assert_eq!(
            (cut("14 rows", Some(8)), cut("14 rows", None), cut("14 rows", Some(0))),
            ("14 rows", "14 rows", "")
        );
    }

    /// The first line of a run estimated hours, based on one row in the first second.
    #[test]
    fn remaining_time_is_estimated_from_judged_rows() {
        let mark = |judged, seconds| Mark { judged, seconds };
        assert_eq!(time_left([mark(0, 1.0), mark(4, 9.0)], 96.0, 9.0), None, "too few rows");
        assert_eq!(time_left([mark(0, 1.0), mark(8, 9.0)], 92.0, 9.0), Some(92.0));
        assert_eq!(
            time_left([mark(0, 1.0), mark(8, 9.0)], 92.0, 12.0),
            Some(89.0),
            "time since the last row counts"
        );
        assert_eq!(time_left([mark(0, 1.0), mark(8, 9.0)], 2.0, 20.0), None, "it was wrong");
    }

    #[test]
    fn rows_of_the_journal_do_not_count_for_the_estimate() {
        let progress = Progress::new(Whole::Rows(1000), ProgressChoice::Auto, true);
        let estimate = |judged, known| {
            progress.rows(RowCounts { judged, known, ..RowCounts::default() });
            progress.snapshot(&progress.state.lock().unwrap()).eta_seconds
        };
        assert_eq!(estimate(500, 500), None, "none was judged yet");
        std::thread::sleep(Duration::from_millis(50));
        let left = estimate(510, 500).unwrap();
        assert!(left > 49.0 * 0.05 - 0.1, "49 times as many rows as took 50 ms: {left}");
    }

    /// A resumed run showed only its number of rows while it read the journal.
    #[test]
    fn line_says_which_rows_are_from_the_journal() {
        let progress = Progress::new(Whole::Rows(1000), ProgressChoice::Auto, true);
        progress.rows(RowCounts { judged: 151, known: 150, failed: 1, ..RowCounts::default() });
        let line = progress.line(&progress.snapshot(&progress.state()));
        assert!(line.starts_with("152/1,000 rows, 150 from the journal, 1 failed, "), "{line}");
    }

    #[test]
    fn counts_and_times_are_readable() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.4, 59.4, 61.0, 3599.0, 3600.0, 90_060.0].map(time),
            ["0 s", "59 s", "1:01 min", "59:59 min", "1:00 h", "25:01 h"]
        );
    }
}
