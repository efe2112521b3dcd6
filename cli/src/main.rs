//! `veridic`: parse, run, exit code. 0: done; 1: the score is under `--fail-under`, or the verdict is one of
//! `--fail-on`; 2: an error, in one line on stderr.

mod args;
mod commands;
mod files;
mod plan;
mod plot_files;
mod progress;
mod report;
#[cfg(feature = "server")]
mod server;
mod show;

use std::io;
use std::process::ExitCode;

use veridic_models::ModelError;

fn main() -> ExitCode {
    match commands::run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            show::note(&format!("veridic: {}", one_line(&message(&error))));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes; a setting is written as the flag that sets it.
fn message(error: &anyhow::Error) -> String {
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

/// The flag that sets `setting` to `value`, as it is typed.
fn flag(setting: &str, value: &str) -> String {
    format!("--{} {value}", setting.replace('_', "-"))
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
