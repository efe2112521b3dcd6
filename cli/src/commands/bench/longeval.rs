//! `veridic bench longeval`: long documents whole, or by extracts of several methods and budgets in one table.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;
use veridic::extract::Rule;
use veridic_bench::longeval::{Dimension, Figures, LongEval, grid};
use veridic_bench::{Benchmark, Compared, PublishedTable};

use super::measure::{self, DataReport, exit_code, read, score};
use crate::args::{BenchLongevalArgs, Format, RatingChoice};
use crate::{plan, show};

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r> {
    settings: &'r [Compared<Figures>],
    data: DataReport<'r>,
    published: &'r [PublishedTable],
}

pub(super) fn run(args: &BenchLongevalArgs) -> Result<ExitCode> {
    let benchmark = LongEval {
        dimension: match args.dimension {
            RatingChoice::Factuality => Dimension::Factuality,
            RatingChoice::Relevance => Dimension::Relevance,
        },
    };
    if args.methods.is_empty() {
        measure::run(&benchmark, &args.measure)
    } else {
        by_extract(&benchmark, args)
    }
}

fn by_extract(benchmark: &LongEval, args: &BenchLongevalArgs) -> Result<ExitCode> {
    let BenchLongevalArgs { methods, budgets, measure, .. } = args;
    ensure!(measure.plots.is_none(), "--plots draws one list of scores: leave out --methods or --plots");
    ensure!(
        measure.profile.extract.is_none(),
        "--extract is one setting, --methods are several: leave out one of both"
    );
    let (reading, _) = read(benchmark, measure)?;
    let mut evaluator = plan::evaluator(&measure.model, &measure.profile)?.extracting(None);
    let mut lists = vec![("whole".to_owned(), score(&evaluator, &reading.cases, measure)?)];
    for (method, &budget) in
        methods.iter().flat_map(|method| budgets.iter().map(move |budget| (*method, budget)))
    {
        let encoder = &measure.profile.bertscore.encoder;
        let extraction = plan::extraction((method, Rule::Authors, budget), None, encoder, &measure.model)?;
        evaluator = evaluator.extracting(Some(extraction));
        lists.push((format!("{} {budget}", method.name()), score(&evaluator, &reading.cases, measure)?));
    }
    let compared = veridic_bench::compare(benchmark, &reading.cases, &lists)?;
    match measure.format {
        Format::Text => show::lines(&grid(&compared))?,
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, measure), benchmark.published());
            show::json(&Report { settings: &compared, data, published })?;
        }
    }
    Ok(exit_code(&reading))
}
