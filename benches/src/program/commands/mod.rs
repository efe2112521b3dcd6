//! The commands, one file each; the benchmarks have a folder. Data goes to stdout, notes and progress to stderr.

pub(crate) mod bench;
mod calibrate;
mod compare;
mod extract;
mod prompts;
mod score;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory;
use veridic_cli::stopping::end_on_signal;
use veridic_cli::{completions, program, run};

use super::args::{Arguments, Command};
use super::plan;

/// Parses the command line and runs its command.
pub(super) fn run_command(arguments: Vec<OsString>) -> Result<ExitCode> {
    let command = match program::parse::<Arguments>(&arguments)? {
        Ok(arguments) => arguments.command,
        Err(code) => return Ok(code),
    };
    match command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Run(run) => run::run(&run, &arguments, || plan::evaluator(&run.settings)),
        Command::Prompts(arguments) => prompts::run(&arguments),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        Command::Bench(benchmark) => {
            end_on_signal(|| {
                "stopped; no figures were computed. What `--answers FILE` has is kept for the next run"
                    .to_owned()
            })?;
            bench::run(&benchmark)
        }
    }
}
