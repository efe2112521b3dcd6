//! Ctrl-C and SIGTERM. A command with work to finish gets a moment for it; in any case the program then ends with a line
//! about what is kept. Commands that keep nothing have no handler and end at once.

use std::ffi::OsString;
use std::io::{IsTerminal, stderr};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::output::note;

/// How long started work may continue after the signal.
pub const FINISHING: Duration = Duration::from_millis(1500);

/// How long after the signal the program ends, whatever it is doing.
const ENDING: Duration = Duration::from_millis(2700);

/// The exit code of a program that ends before its work is done.
const STOPPED: i32 = 2;

/// Whether a stop signal has arrived, and when.
#[derive(Clone, Default)]
pub struct StopRequest(Arc<OnceLock<Instant>>);

impl StopRequest {
    /// Whether nothing new may start.
    pub fn is_requested(&self) -> bool {
        self.0.get().is_some()
    }

    /// Whether started work must stop.
    pub fn is_over(&self) -> bool {
        self.0.get().is_some_and(|requested| requested.elapsed() > FINISHING)
    }

    /// Records that a signal has arrived.
    pub fn request(&self) {
        let _ = self.0.set(Instant::now());
    }
}

/// Makes a write beyond the limit on a file's size (`ulimit -f`) an error with the file's name, instead of ending the program.
#[cfg(unix)]
pub(crate) fn ignore_size_signal() {
    use nix::sys::signal::{SigHandler, Signal, signal};

    // SAFETY: ignoring a signal installs no handler that could run.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) };
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub(crate) fn ignore_size_signal() {}

/// Calls `stop` on the first Ctrl-C or SIGTERM. At the second, or a few seconds later, the program ends and prints
/// `last_words`.
pub fn on_stop_signal(
    stop: impl Fn() + Send + 'static,
    last_words: impl Fn() -> String + Send + Sync + 'static,
) -> Result<()> {
    let (is_stopping, last_words) = (AtomicBool::new(false), Arc::new(last_words));
    ctrlc::set_handler(move || {
        if is_stopping.swap(true, Ordering::Relaxed) {
            end(&*last_words);
        }
        stop();
        let last_words = Arc::clone(&last_words);
        thread::spawn(move || {
            thread::sleep(ENDING);
            end(&*last_words);
        });
    })
    .context("cannot listen for Ctrl-C")
}

/// Ends the program at the first Ctrl-C or SIGTERM, with a line about what is kept.
pub fn end_on_signal(last_words: impl Fn() -> String + Send + 'static) -> Result<()> {
    ctrlc::set_handler(move || end(&last_words)).context("cannot listen for Ctrl-C")
}

fn end(last_words: &dyn Fn() -> String) {
    // Ends a progress line that is still displayed.
    let line_end = if stderr().is_terminal() { "\n" } else { "" };
    note(&format!("{line_end}veridic: {}", last_words()));
    exit(STOPPED);
}

/// Quotes the command line for a shell.
pub fn as_typed(typed: &[OsString]) -> String {
    let words = typed.iter().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<String>>().join(" ")
}

/// Returns the command line with `flag` inserted after the subcommand.
pub fn with_flag(typed: &[OsString], flag: &str) -> String {
    let mut typed = typed.to_vec();
    if !typed.iter().any(|word| word == flag) {
        typed.insert(typed.len().min(2), flag.into());
    }
    as_typed(&typed)
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_continues_can_be_pasted() {
        let typed = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        for (words, continued) in [
            (&["veridic", "run", "a.csv", "-o", "b.jsonl"][..], "veridic run --resume a.csv -o b.jsonl"),
            (&["veridic", "run", "a.csv", "--resume"], "veridic run a.csv --resume"),
            (
                &["./veridic", "run", "my rows/*.csv", "-o", "it's"],
                r"./veridic run --resume 'my rows/*.csv' -o 'it'\''s'",
            ),
        ] {
            assert_eq!(with_flag(&typed(words), "--resume"), continued);
        }
    }
}
