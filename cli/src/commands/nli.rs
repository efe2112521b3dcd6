//! `veridic nli`: the NLI model's probabilities of raw pairs. A pair of a file that cannot be computed yields an error row
//! in the same position, and the exit code is 2.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use veridic::corpus::{each_row, field_text};
use veridic::pipeline::{NliPair, check_text, tokenize_pair};
use veridic::schedule::{Executor, Job, ignore_events};
use veridic_models::{ModelError, NliModel, Truncation};

use super::error_rows::error_rows;
use crate::args::{NliArgs, TruncateChoice};
use crate::show;
use veridic_program::args::{Format, ProgressChoice};
use veridic_program::progress::{Progress, Whole};
use veridic_program::{files, load, output};

/// The number of pairs computed together. It affects speed and memory, never a result.
const PAIRS_TOGETHER: usize = 1024;

struct TextPair {
    line: usize,
    premise: String,
    hypothesis: String,
}

/// A pair, or why it cannot be computed.
type Row = Result<TextPair, String>;

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
    let (model, max_tokens) = load::nli_model(&args.settings)?;
    let judge = PairJudge::of(args, &model, max_tokens)?;
    let job = judge.job(premise, hypothesis)?;
    let outcomes = judge.executor.run(&[&job], &ignore_events)?.expect("no event ends the work");
    match (outcomes[0], args.format) {
        (Some(probabilities), Format::Text) => show::probabilities(&probabilities)?,
        (Some(probabilities), Format::Json) => output::json(&probabilities)?,
        (None, _) => bail!(judge.not_finite()),
    }
    Ok(ExitCode::SUCCESS)
}

fn run_file(args: &NliArgs, input: &std::path::Path) -> Result<ExitCode> {
    let name = files::name(input);
    let rows = read(&files::read_text(input)?);
    let (model, max_tokens) = load::nli_model(&args.settings)?;
    let judge = PairJudge::of(args, &model, max_tokens)?;
    let progress = Progress::new(Whole::Rows(rows.len()), ProgressChoice::Auto, args.settings.quiet);
    // Printed at the end, so that a model that fails midway leaves no partial output.
    let (mut lines, mut failed) = (Vec::with_capacity(rows.len()), 0);
    for rows in rows.chunks(PAIRS_TOGETHER) {
        failed += judge.compute(rows, &progress, &mut lines).with_context(|| name.clone())?;
        progress.rows_done(rows.len());
    }
    progress.clear();
    output::lines(&lines)?;
    progress.finish();
    Ok(error_rows(&name, failed, rows.len()))
}

fn read(text: &str) -> Vec<Row> {
    let rows = each_row(text, |mut fields| {
        let premise = field_text(&mut fields, "premise")?;
        let hypothesis = field_text(&mut fields, "hypothesis")?;
        check(&premise, &hypothesis)?;
        Ok((premise, hypothesis))
    });
    rows.map(|(line, row)| match row {
        Ok((premise, hypothesis)) => Ok(TextPair { line, premise, hypothesis }),
        Err(reason) => Err(format!("line {line}: {reason}")),
    })
    .collect()
}

fn check(premise: &str, hypothesis: &str) -> Result<(), String> {
    let checked = check_text("premise", premise).and_then(|()| check_text("hypothesis", hypothesis));
    checked.map_err(|error| error.to_string())
}

/// Computes pairs within the limit of the model, as the flags say.
struct PairJudge<'m> {
    model: &'m NliModel,
    executor: Executor<'m>,
    max_tokens: usize,
    truncation: Truncation,
}

impl<'m> PairJudge<'m> {
    fn of(args: &NliArgs, model: &'m NliModel, max_tokens: usize) -> Result<Self> {
        let truncation = match args.truncate {
            None => Truncation::Refuse,
            Some(TruncateChoice::LongestFirst) => Truncation::LongestFirst,
            Some(TruncateChoice::Premise) => Truncation::Premise,
        };
        let batch_tokens = args.settings.model_settings()?.batch_tokens.map(std::num::NonZeroUsize::get);
        Ok(Self { model, executor: Executor::new(model, batch_tokens), max_tokens, truncation })
    }

    fn job(&self, premise: &str, hypothesis: &str) -> Result<Job, ModelError> {
        tokenize_pair(self.model, NliPair { premise, hypothesis }, Some(self.max_tokens), self.truncation)
    }

    /// Returns the job of a row, or why it has none.
    fn job_of(&self, row: &Row) -> Result<Job, String> {
        let TextPair { premise, hypothesis, .. } = row.as_ref().map_err(String::clone)?;
        self.job(premise, hypothesis).map_err(|error| match error {
            ModelError::TooLong { .. } => format!("{error}; --truncate cuts it"),
            error => error.to_string(),
        })
    }

    /// Computes rows and appends their lines; returns the number of error rows.
    fn compute(&self, rows: &[Row], progress: &Progress, lines: &mut Vec<String>) -> Result<usize> {
        let jobs: Vec<Result<Job, String>> = rows.par_iter().map(|row| self.job_of(row)).collect();
        let good: Vec<&Job> = jobs.iter().flatten().collect();
        let outcomes = self.executor.run(&good, &|event| progress.event(event))?;
        // One outcome per row that has a job.
        let mut outcomes = outcomes.expect("no event ends the work").into_iter();
        let mut failed = 0;
        for (row, job) in rows.iter().zip(jobs) {
            lines.push(match job.map(|_| outcomes.next().flatten()) {
                Ok(Some(probabilities)) => output::to_json(&probabilities)?,
                Ok(None) => {
                    let line = row.as_ref().map_or(0, |pair| pair.line);
                    bail!(anyhow!(self.not_finite()).context(format!("line {line}")))
                }
                Err(error) => {
                    failed += 1;
                    output::to_json(&ErrorRow { error })?
                }
            });
        }
        Ok(failed)
    }

    fn not_finite(&self) -> ModelError {
        ModelError::NotFinite { file: self.model.weights_file().to_owned(), sequence: 0 }
    }
}
