//! The subcommands, one file each. Data goes to stdout, notes and progress to stderr.

mod claims;
mod error_rows;
mod hook;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod models;
mod nli;
mod report;
mod rules;
mod run;
mod score;
mod score_files;
#[cfg(feature = "server")]
mod serve;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;

use crate::args::{Arguments, Command};
use veridic_program::completions;
use veridic_program::start::Program;

/// Parses the command line and runs its subcommand.
pub(crate) fn run_command(program: &Program, arguments: Vec<OsString>) -> Result<ExitCode> {
    let command = match program.parse::<Arguments>(&arguments)? {
        Ok(arguments) => arguments.command,
        Err(code) => return Ok(code),
    };
    match command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Run(run) => run::run(&run, &arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Nli(arguments) => nli::run(&arguments),
        Command::Hook(arguments) => hook::run(&arguments),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Models(models) => models::run(&models, &arguments),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
    }
}
