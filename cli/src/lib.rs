//! The program `veridic` as one function, so that another front door can be it too: the Python package is the same
//! program under the same name. Exit code 0: done; 1: the score is under `--fail-under`, or the verdict is one of
//! `--fail-on`; 2: an error, in one line on stderr.
//!
//! The laboratory's program `veridic-bench` is made of the same parts: [`program`] runs and reports errors, [`args`] has
//! the flags of settings, [`show`], [`progress`] and [`files`] what a person sees and gives, [`run`] judges a corpus.

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
use veridic::settings::{self, Flag};

pub use self::commands::{completions, run};
use self::program::Program;

/// The program `veridic`.
const PROGRAM: Program = Program {
    command: args::Arguments::command,
    find: settings::find,
    // `models` takes a few settings by flags alone.
    has_flag: |command, setting| command == "models" || matches!(setting.flag, Flag::Judging),
};

/// Runs the program with a command line, the name of the program first. It reads and writes this process's standard
/// streams, may set its handlers of Ctrl-C and SIGTERM, and is meant to be called once, by a process that ends with the
/// exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    program::run(PROGRAM, arguments, commands::run_command)
}
