//! The program `veridic` as one function, so that another front door can be it too: the Python package is the same
//! program under the same name. Parse, run, exit code. 0: done; 1: the score is under `--fail-under`, or the verdict is
//! one of `--fail-on`; 2: an error, in one line on stderr.

mod args;
mod asking;
mod collecting;
mod commands;
#[cfg(any(feature = "mcp", feature = "telemetry"))]
mod explanation;
mod files;
#[cfg(feature = "judge")]
mod judge;
#[cfg(feature = "mcp")]
mod mcp;
mod plan;
mod plot_files;
mod progress;
mod report;
#[cfg(feature = "server")]
mod server;
mod show;
mod stopping;
mod telemetry;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use veridic::settings::{Flag, find};
use veridic_models::ModelError;

/// Runs the program with a command line, the name of the program first. It reads and writes this process's standard
/// streams, may set its handlers of Ctrl-C and SIGTERM, and is meant to be called once, by a process that ends with the
/// exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let spelling = Spelling::of(arguments.get(1));
    let done = commands::run(arguments).and_then(|code| {
        // A caller that is not a Rust program does not do it at its end.
        io::stdout().flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::note(&format!("veridic: {}", one_line(&message(&error, spelling))));
            ExitCode::from(2)
        }
    }
}

/// Which settings a command has a flag of its own for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// Those of commands that judge.
    Judging,
    /// Those of benchmarks, requests and extracts, too.
    Measuring,
    /// Every setting that it takes.
    All,
}

impl Spelling {
    /// That of a command by its name.
    fn of(command: Option<&OsString>) -> Self {
        match command.and_then(|command| command.to_str()) {
            Some("bench" | "prompts" | "extract") => Self::Measuring,
            Some("models") => Self::All,
            _ => Self::Judging,
        }
    }

    /// How `setting` is set to `value` on the command line.
    fn flag(self, setting: &str, value: &str) -> String {
        match find(setting).map(|setting| setting.flag) {
            Some(Flag::None) if self != Self::All => format!("--set {setting}={value}"),
            Some(Flag::Measuring) if self == Self::Judging => format!("--set {setting}={value}"),
            _ => format!("--{} {value}", setting.replace('_', "-")),
        }
    }
}

/// The error and its causes; a setting is written as the flag that sets it.
fn message(error: &anyhow::Error, spelling: Spelling) -> String {
    let flag = |setting: &str, value: &str| spelling.flag(setting, value);
    let cause = |cause: &(dyn std::error::Error + 'static)| {
        if let Some(error) = cause.downcast_ref::<veridic::Error>() {
            return error.message(flag);
        }
        match cause.downcast_ref::<ModelError>() {
            Some(ModelError::Setting { setting, value, expected }) => {
                format!("{}: {expected}", flag(setting, value))
            }
            _ => cause.to_string(),
        }
    };
    error.chain().map(cause).collect::<Vec<_>>().join(": ")
}

/// Whether the reader of our output went away, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Control characters, which an argument or a file name may hold, never reach the terminal.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}
