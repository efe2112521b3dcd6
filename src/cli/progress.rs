//! What a person, or a program, sees of long work on stderr: one line that is rewritten on a terminal, a line
//! every ten seconds elsewhere, JSON where it is asked for, nothing under `--quiet`; and what it came to.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use veridic::corpus::read::ReadShare;
use veridic::corpus::run::RowCounts;
use veridic::metrics::sumautoeval::Agreement;
use veridic::schedule::{Event, Stage};

use super::args::ProgressChoice;
use super::show;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Quiet,
    Terminal,
    Lines,
    Json,
}

/// How much there is to do.
pub(super) enum Whole {
    /// So many rows.
    Rows(usize),
    /// What a reader finds.
    Read(ReadShare),
}

/// Work on rows.
pub(super) struct Progress {
    state: Mutex<State>,
    started: Instant,
    whole: Whole,
    mode: Mode,
}

struct State {
    rows: RowCounts,
    pairs: usize,
    reused: usize,
    tokens: usize,
    stages: BTreeMap<Stage, Duration>,
    shown: Instant,
}

/// A look at the work, as `--progress json` shows it.
#[derive(Serialize)]
struct Look {
    rows: u64,
    failed: u64,
    known: u64,
    /// Of the input, where its size is known.
    share: Option<f64>,
    pairs: usize,
    pairs_reused: usize,
    tokens: usize,
    seconds: f64,
    pairs_per_second: f64,
    tokens_per_second: f64,
    eta_seconds: Option<f64>,
}

/// What it came to, as `--progress json` shows it last.
#[derive(Serialize)]
struct End<'a> {
    done: bool,
    #[serde(flatten)]
    look: Look,
    mean_score: Option<f64>,
    stage_seconds: BTreeMap<Stage, f64>,
    #[serde(skip_serializing_if = "Agreement::is_empty")]
    agreement: &'a Agreement,
}

impl Progress {
    pub(super) fn new(whole: Whole, choice: ProgressChoice, quiet: bool) -> Self {
        let mode = match choice {
            _ if quiet => Mode::Quiet,
            ProgressChoice::Json => Mode::Json,
            ProgressChoice::Auto if stderr().is_terminal() => Mode::Terminal,
            ProgressChoice::Auto | ProgressChoice::Plain => Mode::Lines,
        };
        let (rows, stages, now) = (RowCounts::default(), BTreeMap::new(), Instant::now());
        let state = State { rows, pairs: 0, reused: 0, tokens: 0, stages, shown: now };
        Self { state: Mutex::new(state), started: now, whole, mode }
    }

    /// Takes an event of the scorer or its scheduler; never ends the work.
    pub(super) fn event(&self, event: Event) -> ControlFlow<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Computed { pairs, tokens } => {
                state.pairs += pairs;
                state.tokens += tokens;
                self.show(&mut state);
            }
            Event::Reused { pairs } => state.reused += pairs,
            Event::Spent { stage, time } => *state.stages.entry(stage).or_default() += time,
        }
        ControlFlow::Continue(())
    }

    /// So many rows are done by now.
    pub(super) fn rows(&self, rows: RowCounts) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.rows = rows;
        self.show(&mut state);
    }

    /// So many more rows are done.
    pub(super) fn rows_done(&self, rows: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).rows.judged += rows as u64;
    }

    /// Clears the line and says nothing.
    pub(super) fn clear(&self) {
        if self.mode == Mode::Terminal {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }

    /// Clears the line, and says in one line what it came to.
    pub(super) fn finish(&self) {
        self.clear();
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.mode != Mode::Quiet {
            show::note(&self.line(&self.look(&state)));
        }
    }

    /// Clears the line, and says what the run came to and where its time went. `done`: all rows are.
    pub(super) fn finish_run(&self, done: bool, agreement: &Agreement) {
        self.clear();
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let look = self.look(&state);
        let rows = state.rows;
        let mean_score = (rows.judged > 0).then(|| rows.score_sum / rows.judged as f64);
        match self.mode {
            Mode::Quiet => {}
            Mode::Json => {
                let stage_seconds = self.stages(&state).into_iter().collect();
                show::note(&json(&End { done, look, mean_score, stage_seconds, agreement }));
            }
            Mode::Terminal | Mode::Lines => {
                let mean = mean_score.map_or("no row judged".into(), |mean| format!("mean score {mean:.3}"));
                show::note(&format!(
                    "{} rows in {}: {mean}, {} failed, {} from the journal",
                    grouped(rows.rows()),
                    time(look.seconds),
                    grouped(rows.failed),
                    grouped(rows.known)
                ));
                show::note(&format!(
                    "{} pairs computed ({:.0}/s, {:.0} tokens/s), {} reused ({:.0}%)",
                    grouped(look.pairs as u64),
                    look.pairs_per_second,
                    look.tokens_per_second,
                    grouped(look.pairs_reused as u64),
                    100.0 * reused_share(&look)
                ));
                let stages: Vec<String> = self
                    .stages(&state)
                    .iter()
                    .map(|(stage, seconds)| format!("{} {seconds:.1} s", json(stage).trim_matches('"')))
                    .collect();
                show::note(&format!("time: {}", stages.join(", ")));
                agreement.told().for_each(|told| show::note(&show::agreement(told)));
            }
        }
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
        let look = self.look(state);
        let text = match self.mode {
            Mode::Terminal => format!("\r\x1b[K{}", self.line(&look)),
            Mode::Json => format!("{}\n", json(&look)),
            Mode::Lines | Mode::Quiet => format!("{}\n", self.line(&look)),
        };
        // Progress that cannot be shown is no reason to stop.
        let _ = stderr().write_all(text.as_bytes());
    }

    fn look(&self, state: &State) -> Look {
        let seconds = self.started.elapsed().as_secs_f64();
        let done = state.rows.rows();
        let share = match &self.whole {
            Whole::Rows(all) => Some(done as f64 / (*all).max(1) as f64),
            // Reading is ahead of what is done.
            Whole::Read(share) => share.get().map(|read| read * done as f64 / (share.rows().max(1) as f64)),
        };
        let rate = |count: usize| count as f64 / seconds.max(1e-3);
        Look {
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
            eta_seconds: share.filter(|share| *share > 0.0).map(|share| seconds * (1.0 - share) / share),
        }
    }

    fn line(&self, look: &Look) -> String {
        let rows = match (&self.whole, look.share) {
            (Whole::Rows(all), _) => format!("{}/{} rows", grouped(look.rows), grouped(*all as u64)),
            (Whole::Read(_), Some(share)) => format!("{} rows ({:.0}%)", grouped(look.rows), 100.0 * share),
            (Whole::Read(_), None) => format!("{} rows", grouped(look.rows)),
        };
        let failed =
            if look.failed > 0 { format!(", {} failed", grouped(look.failed)) } else { String::new() };
        let eta = look.eta_seconds.filter(|_| look.share.is_some_and(|share| share < 1.0));
        let end = eta.map_or(time(look.seconds), |eta| format!("{}, {} left", time(look.seconds), time(eta)));
        format!(
            "{rows}{failed}, {} pairs, {:.0} pairs/s, {:.0} tokens/s, {:.0}% reused, {end}",
            grouped(look.pairs as u64),
            look.pairs_per_second,
            look.tokens_per_second,
            100.0 * reused_share(look)
        )
    }

    /// Seconds of each stage, the rest of the time under the last of them.
    fn stages(&self, state: &State) -> Vec<(Stage, f64)> {
        let mut stages: BTreeMap<Stage, f64> =
            state.stages.iter().map(|(stage, time)| (*stage, time.as_secs_f64())).collect();
        stages.remove(&Stage::Other);
        let rest = self.started.elapsed().as_secs_f64() - stages.values().sum::<f64>();
        stages.insert(Stage::Other, rest.max(0.0));
        stages.into_iter().collect()
    }
}

fn reused_share(look: &Look) -> f64 {
    look.pairs_reused as f64 / (look.pairs + look.pairs_reused).max(1) as f64
}

fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.0} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02} h", whole / 3600, whole / 60 % 60),
    }
}

/// A count with a comma between thousands.
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

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.4, 59.4, 61.0, 3599.0, 3600.0, 90_060.0].map(time),
            ["0 s", "59 s", "1:01 min", "59:59 min", "1:00 h", "25:01 h"]
        );
    }
}
