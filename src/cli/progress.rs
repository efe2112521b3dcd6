//! Progress on stderr: one line that is rewritten on a terminal, a line every ten seconds
//! elsewhere, nothing under `--quiet`.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use veridic::schedule::BatchDone;

use super::show;

/// Work of a known number of rows.
pub(super) struct Progress {
    state: Mutex<State>,
    started: Instant,
    rows: usize,
    quiet: bool,
    terminal: bool,
}

struct State {
    rows: usize,
    pairs: usize,
    tokens: usize,
    shown: Instant,
}

impl Progress {
    pub(super) fn new(rows: usize, quiet: bool) -> Self {
        let now = Instant::now();
        let state = State { rows: 0, pairs: 0, tokens: 0, shown: now };
        Self { state: Mutex::new(state), started: now, rows, quiet, terminal: stderr().is_terminal() }
    }

    pub(super) fn batch(&self, done: BatchDone) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.pairs += done.pairs;
        state.tokens += done.tokens;
        let interval = Duration::from_millis(if self.terminal { 200 } else { 10_000 });
        if !self.quiet && state.shown.elapsed() >= interval {
            state.shown = Instant::now();
            let line = self.line(&state);
            let line = if self.terminal { format!("\r\x1b[K{line}") } else { format!("{line}\n") };
            // Progress that cannot be shown is no reason to stop.
            let _ = stderr().write_all(line.as_bytes());
        }
    }

    pub(super) fn rows_done(&self, rows: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).rows += rows;
    }

    /// Clears the line, and says what it came to.
    pub(super) fn finish(&self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.quiet {
            let clear = if self.terminal { "\r\x1b[K" } else { "" };
            show::note(&format!("{clear}{}", self.line(&state)));
        }
    }

    /// Clears the line and says nothing.
    pub(super) fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }

    fn line(&self, state: &State) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        format!(
            "{}/{} rows, {} pairs, {:.0} pairs/s, {:.0} tokens/s, {:.0} s",
            state.rows,
            self.rows,
            state.pairs,
            state.pairs as f64 / seconds,
            state.tokens as f64 / seconds,
            seconds
        )
    }
}
