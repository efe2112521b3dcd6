//! The command line: raw flags to one validated plan, one file a subcommand. Data goes to stdout,
//! notes and progress to stderr.

mod args;
mod bench;
mod bertscore;
mod calibrate;
mod claims;
mod compare;
mod completions;
mod extract;
mod extraction;
mod files;
mod merge;
mod models;
mod nli;
mod pictures;
mod plan;
mod progress;
mod report;
mod run;
mod score;
#[cfg(feature = "server")]
mod serve;
mod show;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches};

use self::args::{Arguments, Command};
pub(crate) use self::show::note;

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

/// Whether the reader of our output went away, as `head` does.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |e: &std::io::Error| e.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(closed))
}
