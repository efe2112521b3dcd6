//! `--prompts FILE`: the requests to a language model that the texts of a benchmark need, instead of its figures.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use veridic::Pair;

use super::args::MeasureArgs;
use super::{data, evaluated};
use crate::Evaluator;
use crate::program::collecting::Collecting;
use crate::program::settings::Metrics;
use crate::program::{asking, plan};
use crate::protocol::{Benchmark, Case, Reading};

pub(super) fn write<B: Benchmark>(
    benchmark: &B,
    reading: &Reading<B::Label>,
    args: &MeasureArgs,
    file: &Path,
) -> Result<ExitCode> {
    let mut collecting = start(file, args)?;
    let evaluator = evaluator(&collecting, &data::metric_names(benchmark, args), args)?;
    collect(&mut collecting, &evaluator, &reading.cases);
    collecting.finish(&evaluator.answer_counts(), args.settings.quiet)
}

pub(super) fn start(file: &Path, args: &MeasureArgs) -> Result<Collecting> {
    Collecting::start(file, args.batch_model.as_deref(), &args.settings.metrics())
}

/// Creates an evaluator by these metrics whose requests are collected.
pub(super) fn evaluator(collecting: &Collecting, names: &[String], args: &MeasureArgs) -> Result<Evaluator> {
    let settings = args.settings.clone().with_metrics(names);
    let model = asking::worded(collecting.model(), &settings)?;
    plan::evaluator_asking(&settings, model)
}

/// Takes the requests of all cases by an evaluator.
fn collect<Label>(collecting: &mut Collecting, evaluator: &Evaluator, cases: &[Case<Label>]) {
    for cases in cases.chunks(evaluated::BATCH_TEXTS) {
        let pairs: Vec<Pair<'_>> = cases.iter().map(evaluated::pair).collect();
        let names: Vec<String> = cases.iter().map(|case| case.origin.to_string()).collect();
        collecting.evaluate(evaluator, &pairs, &names);
    }
}
