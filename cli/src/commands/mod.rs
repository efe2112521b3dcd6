//! What the subcommands do, one file each. Data goes to stdout,
//! notes and progress to stderr.

mod bench;
mod calibrate;
mod claims;
mod compare;
mod completions;
mod extract;
mod merge;
mod models;
mod nli;
mod report;
mod run;
mod score;
#[cfg(feature = "server")]
mod serve;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches};

use crate::args::{self, Arguments, Command};

/// Reads the command line and does what it says.
pub(crate) fn run() -> Result<ExitCode> {
    let matches = args::with_help(Arguments::command()).get_matches();
    match Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Nli(arguments) => nli::run(&arguments),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Models(arguments) => models::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
