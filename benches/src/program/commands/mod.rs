//! The commands, one file each; the benchmarks have a folder. Data goes to stdout, notes and progress to stderr.

pub(crate) mod bench;
mod calibrate;
mod compare;
mod extract;
mod prompts;
mod score;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::CommandFactory;
use veridic::corpus::RowJudge;
use veridic_program::signals::end_on_signal;
use veridic_program::start::Program;
use veridic_program::{completions, run};

use veridic_program::run::RunArgs;

use super::args::{Arguments, Command};
use super::observer::MetricObserver;
use super::plan;
use super::settings::Measuring;

/// Parses the command line and runs its command.
pub(super) fn run_command(program: &Program, arguments: Vec<OsString>) -> Result<ExitCode> {
    let command = match program.parse::<Arguments>(&arguments)? {
        Ok(arguments) => arguments.command,
        Err(code) => return Ok(code),
    };
    match command {
        Command::Score(arguments) => score::run(&arguments),
        Command::Run(run) => run_metrics(&run, &arguments),
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

/// Measures the rows of a corpus: the command `run` with an evaluator for its judge.
fn run_metrics(args: &RunArgs<Measuring>, typed: &[OsString]) -> Result<ExitCode> {
    let load = || {
        let evaluator = plan::evaluator(&args.settings)?;
        ensure!(
            evaluator.judges_claims() || !args.citations,
            "--citations checks claims, which the metric fenice judges: add it"
        );
        ensure!(
            evaluator.judges_claims() || args.fail_on.is_empty(),
            "--fail-on looks at verdicts, which the metric fenice gives: add it"
        );
        Ok(evaluator)
    };
    run::run(args, typed, load, MetricObserver::of)
}
