//! The program `veridic-bench`: the command line of the laboratory, on the parts of the program `veridic`.

pub(crate) mod args;
mod asking;
mod collecting;
pub(crate) mod commands;
mod encoder;
#[cfg(feature = "judge")]
mod judge;
pub(crate) mod plan;
mod plot_files;
pub(crate) mod settings;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;
use veridic_cli::program::{self, Program};

/// Runs the program with a command line that starts with the program's name, as `veridic_cli::main` does for `veridic`.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let program = Program { command: args::Arguments::command, find: crate::plan::find };
    program::run(program, arguments, commands::run_command)
}
