//! The program `veridic` as one function, so that other front ends can run it: the Python package provides the same program
//! under the same name. Exit codes: 0, done; 1, the score is below `--fail-under` or the verdict is one of `--fail-on`; 2,
//! an error, reported in one line on stderr.

mod args;
mod commands;
#[cfg(feature = "mcp")]
mod mcp;
mod report;
#[cfg(feature = "server")]
mod server;
mod show;
mod telemetry;

use std::ffi::OsString;
use std::process::ExitCode;

use veridic::plan::find_setting;
use veridic_program::start::Program;

/// The program `veridic`.
const PROGRAM: Program = Program { find: find_setting, elsewhere: args::ELSEWHERE, hints: args::HINTS };

/// Runs the program with a command line that starts with the program's name. It uses this process's standard streams and may
/// install handlers for Ctrl-C and SIGTERM. Call it once, from a process that exits with the returned code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    PROGRAM.run(|| commands::run_command(&PROGRAM, arguments.into_iter().collect()))
}

/// Reads the body of a request as every endpoint of `veridic serve` does. For the fuzz target; it answers nothing.
#[cfg(feature = "server")]
#[doc(hidden)]
pub fn read_body(bytes: &[u8]) {
    server::read_body(bytes);
}
