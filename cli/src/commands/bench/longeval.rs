//! `veridic bench longeval`: scores of long documents as a whole, or of their extracts by several methods and budgets.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use veridic::extract::Rule;
use veridic_bench::longeval::{LongEval, beside_grid, grid};
use veridic_bench::{Benchmark, against_the_papers};

use super::{measure, paper};
use crate::args::BenchLongevalArgs;
use crate::plan;

pub(super) fn run(args: &BenchLongevalArgs) -> Result<ExitCode> {
    let BenchLongevalArgs { dimension, methods, budgets, measure } = args;
    let benchmark = LongEval { dimension: *dimension };
    if methods.is_empty() {
        return measure::run(&benchmark, measure);
    }
    measure::refuse_abstaining(measure)?;
    ensure!(measure.plots.is_none(), "--plots draws one list of scores: leave out --methods or --plots");
    ensure!(
        measure.profile.extract.is_none(),
        "--extract is one setting, --methods are several: leave one of them out"
    );
    let (reading, _) = measure::read(&benchmark, measure)?;
    let mut evaluator = plan::evaluator(&measure.model, &measure.profile)?.extracting(None);
    let set_up = format!("{}, or an extract by the row's method and budget", paper::set_up(&evaluator));
    let mut lists = vec![("whole".to_owned(), measure::score(&evaluator, &reading.cases, measure)?)];
    for (method, &budget) in
        methods.iter().flat_map(|method| budgets.iter().map(move |budget| (*method, budget)))
    {
        let encoder = &measure.profile.bertscore.encoder;
        let extraction = plan::extraction((method, Rule::Authors, budget), None, encoder, &measure.model)?;
        evaluator = evaluator.extracting(Some(extraction));
        let name = format!("{} {budget}", method.name());
        lists.push((name, measure::score(&evaluator, &reading.cases, measure)?));
    }
    let table = |compared: &[_]| match beside_grid(compared) {
        Some(beside) if measure.paper => against_the_papers(&[beside], &set_up),
        _ => grid(compared),
    };
    measure::compare(&benchmark, &reading, &lists, measure, table, benchmark.published())
}
