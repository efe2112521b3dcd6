//! `veridic nli`: what the model says about raw pairs.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use veridic::corpus::{field_text, parse_rows};
use veridic::pipeline::{Question, check_text, raw_pair};
use veridic::schedule::{Executor, Job, carry_on};
use veridic_models::{ModelError, NliModel, Truncation};

use super::args::{NliArgs, ProgressChoice, TruncateChoice};
use super::progress::{Progress, Whole};
use super::{files, plan, show};

/// Pairs that are computed together. Changes speed and memory, never a result.
const PAIRS_TOGETHER: usize = 1024;

struct TextPair {
    line: usize,
    premise: String,
    hypothesis: String,
}

#[derive(Serialize)]
struct ErrorRow {
    error: String,
}

pub(super) fn run(args: &NliArgs) -> Result<ExitCode> {
    match (&args.input, &args.premise, &args.hypothesis) {
        (Some(input), ..) => run_file(args, input),
        (None, Some(premise), Some(hypothesis)) => run_one(args, premise, hypothesis),
        _ => bail!("give --premise and --hypothesis, or --input FILE"),
    }
}

fn run_one(args: &NliArgs, premise: &str, hypothesis: &str) -> Result<ExitCode> {
    check(premise, hypothesis).map_err(|reason| anyhow!(reason))?;
    let model = plan::nli_model(&args.model)?;
    let job = job(&model, args, premise, hypothesis)?;
    let executor = Executor::new(&model, None);
    let outcomes = executor.run(&[job], &carry_on)?.expect("no event ends the work");
    match outcomes[0] {
        Some(probabilities) => show::probabilities(&probabilities)?,
        None => bail!(not_finite(&model)),
    }
    Ok(ExitCode::SUCCESS)
}

fn run_file(args: &NliArgs, input: &std::path::Path) -> Result<ExitCode> {
    let name = files::name(input);
    let pairs = read(&files::read_text(input)?).with_context(|| name.clone())?;
    let model = plan::nli_model(&args.model)?;
    let progress = Progress::new(Whole::Rows(pairs.len()), ProgressChoice::Auto, args.model.quiet);
    // Printed at the end: a model that fails on the way leaves no partial output.
    let (mut lines, mut failed) = (Vec::with_capacity(pairs.len()), 0);
    for pairs in pairs.chunks(PAIRS_TOGETHER) {
        failed += compute(&model, args, pairs, &progress, &mut lines).with_context(|| name.clone())?;
        progress.rows_done(pairs.len());
    }
    progress.clear();
    show::lines(&lines)?;
    progress.finish();
    if failed > 0 {
        show::note(&format!(
            "veridic: {name}: {failed} of {} pairs are error rows in the output",
            pairs.len()
        ));
        return Ok(ExitCode::from(2));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(text: &str) -> Result<Vec<TextPair>> {
    let pairs = parse_rows(text, |mut fields| {
        let premise = field_text(&mut fields, "premise")?;
        let hypothesis = field_text(&mut fields, "hypothesis")?;
        check(&premise, &hypothesis)?;
        Ok((premise, hypothesis))
    })?;
    let pair = |(line, (premise, hypothesis))| TextPair { line, premise, hypothesis };
    Ok(pairs.into_iter().map(pair).collect())
}

fn check(premise: &str, hypothesis: &str) -> Result<(), String> {
    let checked = check_text("premise", premise).and_then(|()| check_text("hypothesis", hypothesis));
    checked.map_err(|error| error.to_string())
}

fn not_finite(model: &NliModel) -> ModelError {
    ModelError::NotFinite { file: model.weights_file().to_owned(), sequence: 0 }
}

/// Computes pairs and adds their lines; returns how many were over the limit.
fn compute(
    model: &NliModel,
    args: &NliArgs,
    pairs: &[TextPair],
    progress: &Progress,
    lines: &mut Vec<String>,
) -> Result<usize> {
    let mut jobs: Vec<Job> = Vec::with_capacity(pairs.len());
    let mut rows: Vec<Result<usize, ModelError>> = Vec::with_capacity(pairs.len());
    let tokenized: Vec<Result<Job, ModelError>> =
        pairs.par_iter().map(|pair| job(model, args, &pair.premise, &pair.hypothesis)).collect();
    for (pair, job) in pairs.iter().zip(tokenized) {
        match job {
            Ok(job) => {
                rows.push(Ok(jobs.len()));
                jobs.push(job);
            }
            Err(error @ ModelError::TooLong { .. }) => rows.push(Err(error)),
            Err(error) => return Err(anyhow!(error).context(format!("line {}", pair.line))),
        }
    }
    let executor = Executor::new(model, args.model.batch_tokens.map(std::num::NonZeroUsize::get));
    let outcomes = executor.run(&jobs, &|event| progress.event(event))?;
    let outcomes = outcomes.expect("no event ends the work");
    let mut failed = 0;
    for (pair, row) in pairs.iter().zip(rows) {
        lines.push(match row.map(|index| outcomes[index]) {
            Ok(Some(probabilities)) => json(&probabilities)?,
            Ok(None) => {
                bail!(anyhow!(not_finite(model)).context(format!("line {}", pair.line)))
            }
            Err(error) => {
                failed += 1;
                json(&ErrorRow { error: format!("{error}; --truncate cuts it") })?
            }
        });
    }
    Ok(failed)
}

fn job(model: &NliModel, args: &NliArgs, premise: &str, hypothesis: &str) -> Result<Job, ModelError> {
    let truncation = match args.truncate {
        None => Truncation::Refuse,
        Some(TruncateChoice::LongestFirst) => Truncation::LongestFirst,
        Some(TruncateChoice::Premise) => Truncation::Premise,
    };
    raw_pair(model, Question { premise, hypothesis }, args.model.max_tokens, truncation)
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).context("cannot write JSON")
}
