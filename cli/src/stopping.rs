//! Ctrl-C and SIGTERM. A command that has something to finish does so for a moment; whatever it does then, the program ends
//! with a line about what is kept. Commands that keep nothing have no handler, and end at once.

use std::ffi::OsString;
use std::io::{IsTerminal, stderr};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::show;

/// How long work that has begun may go on after the signal.
pub const FINISHING: Duration = Duration::from_millis(1500);

/// How long after the signal the program ends, also in the middle of something that takes longer.
const ENDING: Duration = Duration::from_millis(2700);

/// The exit code of a program that ends before its work is done.
const STOPPED: i32 = 2;

/// Whether a signal has come.
#[derive(Clone, Default)]
pub struct StopRequest(Arc<OnceLock<Instant>>);

impl StopRequest {
    /// Whether nothing new may begin.
    pub fn is_requested(&self) -> bool {
        self.0.get().is_some()
    }

    /// Whether what has begun may not go on.
    pub fn is_over(&self) -> bool {
        self.0.get().is_some_and(|requested| requested.elapsed() > FINISHING)
    }

    /// Says that a signal has come.
    pub fn request(&self) {
        let _ = self.0.set(Instant::now());
    }
}

/// Calls `stop` on the first Ctrl-C or SIGTERM. At the second, or a few seconds later, the program ends with what `last_words`
/// says.
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
    // After the line of a progress that is still there.
    let line_end = if stderr().is_terminal() { "\n" } else { "" };
    show::note(&format!("{line_end}veridic: {}", last_words()));
    exit(STOPPED);
}

/// The command line as a shell reads it.
pub fn as_typed(typed: &[OsString]) -> String {
    let words = typed.iter().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<String>>().join(" ")
}

/// The command line with `flag` after the subcommand.
pub fn with_flag(typed: &[OsString], flag: &str) -> String {
    let mut typed = typed.to_vec();
    if !typed.iter().any(|word| word == flag) {
        typed.insert(typed.len().min(2), flag.into());
    }
    as_typed(&typed)
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
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
