//! The program `veridic-bench`: the command line of the laboratory, on the parts of the program `veridic`.

pub(crate) mod args;
mod asking;
mod collecting;
pub(crate) mod commands;
mod encoder;
#[cfg(feature = "judge")]
mod judge;
mod left_out;
mod observer;
pub(crate) mod plan;
mod plot_files;
pub(crate) mod settings;

use std::ffi::OsString;
use std::process::ExitCode;

use veridic_program::start::Program;

/// Runs the program with a command line that starts with the program's name. It uses this process's standard streams; call it
/// once, from a process that exits with the returned code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let program = Program { find: crate::plan::find, elsewhere: "", hints: &[] };
    program.run(|| commands::run_command(&program, arguments.into_iter().collect()))
}
