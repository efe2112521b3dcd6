//! The cases of a benchmark's files, with their scores if these are given. Texts that cannot be judged are left out, and
//! cases without figures are refused before they are scored.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use veridic::corpus::read::Source;
use veridic::rules::ClaimsChoice;
use veridic_program::{files, output};

use super::args::MeasureArgs;
use super::evaluated::report_left_out;
use super::paper;
use super::report::ScoresReport;
use crate::llm::StepCounts;
use crate::program::plan;
use crate::program::settings::Metrics;
use crate::protocol::{BenchError, Benchmark, Case, MatchedBy, Reading, ScoreList, stratified_sample};

/// What is measured.
pub(super) struct Data<Label> {
    pub(super) reading: Reading<Label>,
    /// `None` if they are still to be computed.
    pub(super) scores: Option<Scores>,
}

/// A score for each case, and the source of the scores.
pub(super) struct Scores {
    pub(super) of_cases: Vec<f64>,
    pub(super) source: ScoresReport,
}

impl<Label> Data<Label> {
    pub(super) fn read<B: Benchmark<Label = Label>>(benchmark: &B, args: &MeasureArgs) -> Result<Self> {
        ensure!(args.limit != Some(0), "--limit 0 leaves nothing to measure");
        paper::check_tables(args.paper, benchmark.about().published)?;
        let mut reading = read_cases(benchmark, args)?;
        let mut scores = match &args.scores {
            Some(file) => Some(Scores::read(file, &reading)?),
            None => Scores::given(&mut reading, args),
        };
        if let Some(limit) = args.limit {
            let sample = stratified_sample(&reading.cases, limit, args.seed);
            reading.cases = at(reading.cases, &sample);
            if let Some(scores) = &mut scores {
                scores.of_cases = sample.iter().map(|case| scores.of_cases[*case]).collect();
            }
        }
        if scores.is_none() {
            require_given_claims(&reading.cases, args)?;
            leave_out_unjudgeable(&mut reading, &metric_names(benchmark, args))?;
        }
        check(benchmark, &reading, args)?;
        Ok(Self { reading, scores })
    }
}

impl Scores {
    pub(super) fn read<Label>(file: &Path, reading: &Reading<Label>) -> Result<Self> {
        let name = files::name(file);
        let list = if file.extension() == Some(OsStr::new("txt")) {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            ScoreList::of_numbers(&text).with_context(|| name.clone())?
        } else {
            ScoreList::of_rows(files::score_rows(file)?, reading.key_fields)?
        };
        let (of_cases, matched_by) = list.assign(reading).with_context(|| name.clone())?;
        Ok(Self { of_cases, source: ScoresReport::File { file: name, matched_by, answers: Vec::new() } })
    }

    /// Returns the scores that follow from the answers given in the data, if those are measured.
    fn given<Label>(reading: &mut Reading<Label>, args: &MeasureArgs) -> Option<Self> {
        let of_case = |case: &mut Case<Label>| {
            let given = case.given_answers.clone()?;
            case.answers = given.answers;
            Some(given.score)
        };
        let of_cases = reading.cases.iter_mut().map(of_case).collect::<Option<Vec<f64>>>()?;
        let (read, unparsable) = (of_cases.len(), reading.unanswered());
        let requests = read + unparsable;
        let answers = StepCounts { step: "given answers", requests, read, unparsable, failed: 0, missing: 0 };
        let (file, matched_by) = (names(&args.data), MatchedBy::Order);
        Some(Self { of_cases, source: ScoresReport::File { file, matched_by, answers: vec![answers] } })
    }
}

/// Returns the names of the chosen metrics, or else of the benchmark's default one.
pub(super) fn metric_names(benchmark: &impl Benchmark, args: &MeasureArgs) -> Vec<String> {
    match (args.settings.metrics().metric.as_slice(), benchmark.about().usual_metric) {
        ([], Some(usual)) => vec![usual.to_owned()],
        (names, _) => names.to_vec(),
    }
}

/// Refuses an abstention rate if several lists of scores are compared on the same texts.
pub(super) fn refuse_abstaining(args: &MeasureArgs) -> Result<()> {
    ensure!(!args.settings.abstains(), "--abstain leaves texts out, and lists are compared on the same ones");
    Ok(())
}

pub(super) fn check<B: Benchmark>(
    benchmark: &B,
    reading: &Reading<B::Label>,
    args: &MeasureArgs,
) -> Result<()> {
    benchmark.check(&reading.cases).map_err(|error| match args.limit {
        Some(limit) => anyhow!("--limit {limit} takes too few rows for the figures: {error}"),
        None => named(error, &args.data),
    })
}

/// Adds the names of the files to an error, unless it names one of their rows.
pub(super) fn named(error: BenchError, files: &[PathBuf]) -> anyhow::Error {
    match error {
        BenchError::Unreadable(_) | BenchError::Row { .. } => error.into(),
        BenchError::Data(_) | BenchError::Undefined(_) => anyhow!(error).context(names(files)),
    }
}

fn names(files: &[PathBuf]) -> String {
    files.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ")
}

fn read_cases<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<Reading<B::Label>> {
    let rows = Source::find(&args.data, args.input_format)?.rows();
    let reading = crate::protocol::read(benchmark, rows).map_err(|error| named(error, &args.data))?;
    if !args.settings.quiet {
        for (reason, rows) in &reading.left_out {
            output::note(&format!("note: left out: {rows} rows of {reason}"));
        }
    }
    Ok(reading)
}

/// Refuses `--claims given` if a text has no given claims.
fn require_given_claims<Label>(cases: &[Case<Label>], args: &MeasureArgs) -> Result<()> {
    if args.settings.claims() != Some(ClaimsChoice::Given) {
        return Ok(());
    }
    match cases.iter().find(|case| case.given.claims.is_none()) {
        Some(case) => bail!(
            "{}: --claims given needs a list of texts in the field `claims`, and one text a row",
            case.origin
        ),
        None => Ok(()),
    }
}

/// Reports the texts that these metrics cannot judge and leaves them out; the exit code then shows that the figures cover
/// only a part.
fn leave_out_unjudgeable<Label>(reading: &mut Reading<Label>, metrics: &[String]) -> Result<()> {
    let refused = reading.leave_out_unjudgeable(plan::scores_blank_summaries(metrics));
    ensure!(!reading.cases.is_empty(), "no text can be judged; the first: {}", refused[0]);
    report_left_out(&refused, "texts");
    Ok(())
}

/// Returns the items at these indices, which must be ascending.
fn at<T>(items: Vec<T>, indices: &[usize]) -> Vec<T> {
    let mut indices = indices.iter().peekable();
    let numbered = items.into_iter().enumerate();
    numbered.filter_map(|(index, item)| indices.next_if_eq(&&index).map(|_| item)).collect()
}
