//! The way of a benchmark of scores: read and check everything, score it or read the scores, apply the protocol,
//! print.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use veridic::Pair;
use veridic::corpus::read::Source;
use veridic::metrics::Evaluator;
use veridic::pipeline::{Models, ProfileStamp};
use veridic_bench::{BenchError, Benchmark, Case, MatchedBy, PublishedTable, Reading, ScoreList};
use veridic_stats::plots::ScoredList;

use crate::args::{Format, MeasureArgs, ProgressChoice};
use crate::progress::{Progress, Whole};
use crate::{files, plan, plot_files, show};

/// Texts that travel together. Changes speed and memory, never a result.
const TEXTS_TOGETHER: usize = 16;

/// Texts that cannot be judged, of which each is told.
const MOST_TOLD: usize = 5;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r, F> {
    #[serde(flatten)]
    figures: &'r F,
    data: DataReport<'r>,
    scores: ScoresReport,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    published: &'r [PublishedTable],
}

/// What was measured on.
#[derive(Serialize)]
pub(super) struct DataReport<'r> {
    files: Vec<String>,
    rows: usize,
    texts_measured: usize,
    rows_left_out: &'r BTreeMap<String, usize>,
}

/// Where scores are from.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ScoresReport {
    File {
        file: String,
        matched_by: MatchedBy,
    },
    Scored {
        /// The metric whose first number it is; none is FENICE's claims.
        #[serde(skip_serializing_if = "Option::is_none")]
        metric: Option<String>,
        profile: Box<ProfileStamp>,
        models: Box<Models>,
    },
}

pub(super) fn run<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<ExitCode> {
    let (reading, known) = read(benchmark, args)?;
    finish(benchmark, &reading, known, args)
}

/// What comes after reading.
pub(super) fn finish<B: Benchmark>(
    benchmark: &B,
    reading: &Reading<B::Keys>,
    known: Option<KnownScores>,
    args: &MeasureArgs,
) -> Result<ExitCode> {
    let (scores, told) = match known {
        Some((scores, told)) => (scores, told),
        None => scored(benchmark, &reading.cases, args)?,
    };
    let figures = benchmark.figures(&reading.cases, &scores).map_err(|error| named(error, &args.data))?;
    if let Some(folder) = &args.plots {
        let labels: Vec<bool> = reading.cases.iter().map(|case| benchmark.label(&case.keys)).collect();
        let list = ScoredList { name: &told.name(), scores: &scores, labels: &labels };
        plot_files::write(folder, &plot_files::all_of(&list)?, args.model.quiet)?;
    }
    match args.format {
        Format::Text => show::lines(&benchmark.table(&told.name(), &figures))?,
        Format::Json => {
            let (data, published) = (DataReport::of(reading, args), benchmark.published());
            show::json(&Report { figures: &figures, data, scores: told, published })?;
        }
    }
    Ok(exit_code(reading))
}

/// A score a case, and where they are from.
pub(super) type KnownScores = (Vec<f64>, ScoresReport);

/// Scores by the metric that is asked for, else by the benchmark's usual one.
fn scored<B: Benchmark>(benchmark: &B, cases: &[Case<B::Keys>], args: &MeasureArgs) -> Result<KnownScores> {
    let names = match (args.profile.metric.as_slice(), benchmark.usual_metric()) {
        ([], Some(usual)) => vec![usual.to_owned()],
        (names, _) => names.to_vec(),
    };
    let evaluator = plan::evaluator_by(&names, &args.model, &args.profile)?;
    let scorer = evaluator.scorer();
    let told = ScoresReport::Scored {
        metric: names.into_iter().next().filter(|_| !evaluator.judges()),
        profile: Box::new(scorer.stamp()),
        models: Box::new(scorer.models()),
    };
    Ok((score(&evaluator, cases, args)?, told))
}

/// The cases that are measured, and their scores where they are given. What cannot be judged is left out, and what
/// has no figures is refused here, before the long work.
pub(super) fn read<B: Benchmark>(
    benchmark: &B,
    args: &MeasureArgs,
) -> Result<(Reading<B::Keys>, Option<KnownScores>)> {
    ensure!(args.limit != Some(0), "--limit 0 leaves nothing to measure");
    let mut reading = read_data(benchmark, args)?;
    let mut known = args.scores.as_ref().map(|file| read_scores(file, &reading)).transpose()?;
    if let Some(limit) = args.limit {
        let taken = veridic_bench::pick(benchmark, &reading.cases, limit, args.seed);
        reading.cases = take(reading.cases, &taken);
        known = known.map(|(scores, told)| (take(scores, &taken), told));
    }
    if known.is_none() {
        leave_out_unjudgeable(&mut reading)?;
    }
    check(benchmark, &reading, args)?;
    Ok((reading, known))
}

/// All cases of the data.
fn read_data<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<Reading<B::Keys>> {
    let rows = Source::find(&args.data, args.input_format)?.rows();
    let reading = veridic_bench::read(benchmark, rows).map_err(|error| named(error, &args.data))?;
    if !args.model.quiet {
        for (reason, rows) in &reading.left_out {
            show::note(&format!("note: left out: {rows} rows of {reason}"));
        }
    }
    Ok(reading)
}

/// Texts that cannot be judged are told and left out; that the figures are over a part, the exit code tells.
fn leave_out_unjudgeable<K>(reading: &mut Reading<K>) -> Result<()> {
    let refused = reading.leave_out_unjudgeable();
    ensure!(!reading.cases.is_empty(), "no text can be judged; the first: {}", refused[0]);
    tell_left_out(&refused, "texts");
    Ok(())
}

/// Says why each of them is left out, and of many how many more; `what` they are called.
pub(super) fn tell_left_out<E: Display>(refused: &[E], what: &str) {
    for error in refused.iter().take(MOST_TOLD) {
        show::note(&format!("veridic: left out: {error}"));
    }
    if refused.len() > MOST_TOLD {
        show::note(&format!("veridic: left out: {} {what} more", refused.len() - MOST_TOLD));
    }
}

/// 2 where texts could not be judged, so that the figures are over a part of the data.
pub(super) fn exit_code<K>(reading: &Reading<K>) -> ExitCode {
    ExitCode::from(if reading.has_unjudgeable() { 2 } else { 0 })
}

fn check<B: Benchmark>(benchmark: &B, reading: &Reading<B::Keys>, args: &MeasureArgs) -> Result<()> {
    benchmark.check(&reading.cases).map_err(|error| match args.limit {
        Some(limit) => anyhow!("--limit {limit} takes too few rows for the figures: {error}"),
        None => named(error, &args.data),
    })
}

/// The error with the names of its files, where it does not name a row of them.
pub(super) fn named(error: BenchError, files: &[PathBuf]) -> anyhow::Error {
    let names = || files.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    match error {
        BenchError::Unreadable(_) | BenchError::Row { .. } => error.into(),
        BenchError::Data(_) | BenchError::Undefined(_) => anyhow!(error).context(names()),
    }
}

pub(super) fn read_scores<K>(file: &Path, reading: &Reading<K>) -> Result<KnownScores> {
    let name = files::name(file);
    let list = if file.extension() == Some(OsStr::new("txt")) {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        ScoreList::of_numbers(&text).with_context(|| name.clone())?
    } else {
        ScoreList::of_rows(files::score_rows(file)?)?
    };
    let (scores, matched_by) = list.assign(reading).with_context(|| name.clone())?;
    Ok((scores, ScoresReport::File { file: name, matched_by }))
}

/// The things of these places, which are in order.
fn take<T>(things: Vec<T>, places: &[usize]) -> Vec<T> {
    let mut places = places.iter().peekable();
    let numbered = things.into_iter().enumerate();
    numbered.filter_map(|(place, thing)| places.next_if_eq(&&place).map(|_| thing)).collect()
}

/// A score a case, in their order.
pub(super) fn score<K>(evaluator: &Evaluator, cases: &[Case<K>], args: &MeasureArgs) -> Result<Vec<f64>> {
    let progress = Progress::new(Whole::Rows(cases.len()), ProgressChoice::Auto, args.model.quiet);
    let mut scores = Vec::with_capacity(cases.len());
    for cases in cases.chunks(TEXTS_TOGETHER) {
        let pairs: Vec<Pair<'_>> = cases.iter().map(pair).collect();
        let results = evaluator.evaluate(&pairs, &|event| progress.event(event));
        for (case, result) in cases.iter().zip(results) {
            let result = result.map_err(|error| anyhow!(error).context(case.origin.to_string()))?;
            scores.push(f64::from(result.score));
        }
        progress.rows_done(cases.len());
    }
    progress.finish();
    plan::tell_notes(evaluator.scorer());
    Ok(scores)
}

fn pair<K>(case: &Case<K>) -> Pair<'_> {
    Pair { metric_inputs: &case.aids, ..Pair::new(&case.document, &case.text) }
}

impl<'r> DataReport<'r> {
    pub(super) fn of<K>(reading: &'r Reading<K>, args: &MeasureArgs) -> Self {
        Self {
            files: args.data.iter().map(|path| files::name(path)).collect(),
            rows: reading.rows,
            texts_measured: reading.cases.len(),
            rows_left_out: &reading.left_out,
        }
    }
}

impl ScoresReport {
    /// What a table calls them.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File { file, .. } => file.clone(),
            Self::Scored { metric, profile, models } => {
                let metric = metric.as_ref().map(|metric| format!("{metric}, ")).unwrap_or_default();
                format!("{metric}{}, {}", profile.profile.name, models.nli.id)
            }
        }
    }
}
