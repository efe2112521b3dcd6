//! The program `veridic` as one function, so that other front ends can run it: the Python package provides the same program
//! under the same name. Exit codes: 0, done; 1, the score is below `--fail-under` or the verdict is one of `--fail-on`; 2,
//! an error, reported in one line on stderr.
//!
//! The laboratory's program `veridic-bench` is built from the same parts: [`program`] runs it and reports errors, [`args`]
//! has the flags for settings, [`show`], [`progress`] and [`files`] handle output and input, and [`run`] judges a corpus.

pub mod args;
mod commands;
pub mod files;
#[cfg(feature = "mcp")]
mod mcp;
pub mod plan;
pub mod program;
pub mod progress;
mod report;
#[cfg(feature = "server")]
mod server;
pub mod show;
pub mod stopping;
mod telemetry;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use veridic::settings;

pub use self::commands::{completions, run};
use self::program::Program;

/// The program `veridic`.
const PROGRAM: Program = Program { command: args::Arguments::command, find: settings::find };

/// Runs the program with a command line that starts with the program's name. It uses this process's standard streams and may
/// install handlers for Ctrl-C and SIGTERM. Call it once, from a process that exits with the returned code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    program::run(PROGRAM, arguments, commands::run_command)
}
