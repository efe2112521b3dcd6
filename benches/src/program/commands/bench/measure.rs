//! Runs a benchmark of scores: scores the texts unless their scores are given, applies the protocol and prints the figures.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;
use veridic::corpus::RowJudge;
use veridic::result::Verdict;
use veridic_program::args::Format;
use veridic_program::output;
use veridic_stats::plots::ScoredList;

use super::args::MeasureArgs;
use super::data::{Data, Scores, check, metric_names, named};
use super::evaluated::{evaluate_each, leave_out_failed};
use super::report::{DataReport, ScoresReport, exit_code};
use super::{paper, prompts};
use crate::program::settings::Metrics;
use crate::program::{plan, plot_files};
use crate::protocol::{Benchmark, Figures, PublishedTable, Reading, against_the_papers};

/// The output of `--format json`.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    figures: &'r Figures,
    data: DataReport<'r>,
    scores: ScoresReport,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    published: &'r [PublishedTable],
}

pub(super) fn run<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<ExitCode> {
    finish(benchmark, Data::read(benchmark, args)?, args)
}

/// Scores the cases unless their scores are known, and prints the figures.
pub(super) fn finish<B: Benchmark>(
    benchmark: &B,
    data: Data<B::Label>,
    args: &MeasureArgs,
) -> Result<ExitCode> {
    let Data { mut reading, scores } = data;
    if let Some(file) = &args.prompts {
        return prompts::write(benchmark, &reading, args, file);
    }
    let scores = match scores {
        Some(scores) => scores,
        None => scored(benchmark, &mut reading, args)?,
    };
    let Scores { of_cases, source } = scores;
    let figures = benchmark.figures(&reading.cases, &of_cases).map_err(|error| named(error, &args.data))?;
    if let Some(folder) = &args.plots {
        let labels: Vec<bool> = reading.cases.iter().map(|case| case.is_consistent).collect();
        let list = ScoredList { name: &source.name(), scores: &of_cases, labels: &labels };
        plot_files::write(folder, &plot_files::all_of(&list)?, args.settings.quiet)?;
    }
    match args.format {
        Format::Text => {
            let shown = benchmark.show(&source.name(), &figures);
            let mut lines = shown.lines;
            if args.paper {
                let table = against_the_papers(&shown.beside, &source.set_up());
                lines = [table, paper::warnings(lines)].concat();
            }
            output::lines(&[lines, source.answer_lines()].concat())?;
        }
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, args), benchmark.about().published);
            output::json(&Report { figures: &figures, data, scores: source, published })?;
        }
    }
    Ok(exit_code(&reading))
}

/// Scores by the chosen metric, or else by the benchmark's default one. Texts whose verdict is unsure are left out.
fn scored<B: Benchmark>(
    benchmark: &B,
    reading: &mut Reading<B::Label>,
    args: &MeasureArgs,
) -> Result<Scores> {
    let names = metric_names(benchmark, args);
    let evaluator = plan::evaluator(&args.settings.clone().with_metrics(&names))?;
    let results = evaluate_each(&evaluator, &reading.cases, args)?;
    evaluator.notes().iter().for_each(|note| output::note_unless(args.settings.quiet, note));
    let source = ScoresReport::Scored {
        metric: names.into_iter().next().filter(|_| !evaluator.judges_claims()),
        profile: Box::new(evaluator.profile_stamp()),
        models: Box::new(evaluator.scorer().models()),
        answers: evaluator.answer_counts(),
        set_up: paper::set_up(&evaluator),
    };
    let mut results = leave_out_failed(reading, vec![results])?.swap_remove(0);
    check(benchmark, reading, args)?;
    for (case, judged) in reading.cases.iter_mut().zip(&results) {
        case.answers = judged.answers.clone();
    }
    if args.settings.abstains() {
        let is_unsure: Vec<bool> =
            results.iter().map(|judged| judged.verdict == Some(Verdict::Unsure)).collect();
        let (unsure, all) = (is_unsure.iter().filter(|unsure| **unsure).count(), results.len());
        ensure!(unsure < all, "--abstain: the verdicts on all {unsure} texts are unsure");
        reading.leave_out_unsure(&is_unsure);
        results.retain(|judged| judged.verdict != Some(Verdict::Unsure));
        let note = format!("left out: {unsure} of {all} texts, with the verdict unsure");
        output::note_unless(args.settings.quiet, &note);
    }
    Ok(Scores { of_cases: results.iter().map(|judged| judged.score).collect(), source })
}
