//! The subcommands, one file each. Data goes to stdout, notes and progress to stderr.

mod bench;
mod calibrate;
mod claims;
mod compare;
mod completions;
mod extract;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod models;
mod nli;
mod prompts;
mod report;
mod rules;
mod run;
mod score;
#[cfg(feature = "server")]
mod serve;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use veridic::corpus::write::OutputFormat;

use crate::args::{self, Arguments, Command};
use crate::show;
use crate::stopping::end_on_signal;

/// Parses the command line and runs its subcommand.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<ExitCode> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let name = arguments.get(1).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let matches = args::with_help(Arguments::command()).try_get_matches_from(&arguments);
    let command = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments.command,
        Err(shown) => return help_or_usage(&name, &shown),
    };
    match command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Run(run) => run::run(&run, &arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Nli(arguments) => nli::run(&arguments),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => serve::run(&arguments),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Extract(arguments) => extract::run(&arguments),
        Command::Prompts(arguments) => prompts::run(&arguments),
        Command::Bench(bench) => {
            end_on_signal(|| {
                "stopped; no figures were computed. What `--answers FILE` has is kept for the next run"
                    .to_owned()
            })?;
            bench::run(&bench)
        }
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Models(models) => models::run(&models, &arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
fn help_or_usage(command: &str, shown: &clap::Error) -> Result<ExitCode> {
    if let Some(ContextValue::String(flag)) = shown.get(ContextKind::InvalidArg)
        && shown.kind() == ErrorKind::UnknownArgument
        && let Some(instead) = args::instead_of(command, flag.split('=').next().unwrap_or(flag))
    {
        show::note(&format!("veridic: {flag} is no flag here: {instead}"));
        return Ok(ExitCode::from(2));
    }
    let printed = shown.print();
    match u8::try_from(shown.exit_code()) {
        Ok(0) => Ok(printed.map(|()| ExitCode::SUCCESS)?),
        code => Ok(ExitCode::from(code.unwrap_or(2))),
    }
}

/// Reports how many rows of the input are error rows in the output; the exit code is 2 if there are any.
fn error_rows(name: &str, failed: usize, rows: usize) -> ExitCode {
    if failed == 0 {
        return ExitCode::SUCCESS;
    }
    show::note(&format!("veridic: {name}: {failed} of {rows} rows are error rows in the output"));
    ExitCode::from(2)
}

/// The format of an output file: the chosen one, or the one of its extension.
fn output_format(choice: Option<OutputFormat>, output: &Path) -> Result<OutputFormat> {
    Ok(choice.map_or_else(|| OutputFormat::of(output), Ok)?)
}
