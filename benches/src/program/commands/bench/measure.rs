//! Runs a benchmark of scores: reads and checks all files, scores the texts or reads their scores, applies the protocol
//! and prints the figures.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::llm::StepCounts;
use crate::{
    BenchError, Benchmark, Case, Compared, Figures, MatchedBy, PublishedTable, Reading, RunSetUp, ScoreList,
    against_the_papers, stratified_sample,
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Serialize;
use veridic::corpus::RowJudge;
use veridic::corpus::read::{Rows, Source};
use veridic::result::{Models, ProfileStamp, Verdict};
use veridic_stats::plots::ScoredList;

use super::evaluated::{Judged, evaluate_each, leave_out_failed, report_left_out};
use super::{paper, prompts};
use veridic::rules::ClaimsChoice;

use crate::program::args::MeasureArgs;
use crate::program::settings::Metrics;
use crate::program::{plan, plot_files};
use veridic_program::args::Format;
use veridic_program::{files, output};

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

/// The output of `--format json` for several lists of scores.
#[derive(Serialize)]
struct ComparisonReport<'r, P> {
    settings: &'r [Compared],
    data: DataReport<'r>,
    published: P,
}

/// The data that were measured.
#[derive(Serialize)]
pub(super) struct DataReport<'r> {
    files: Vec<String>,
    rows: usize,
    texts_measured: usize,
    rows_left_out: &'r BTreeMap<String, usize>,
}

/// The source of scores.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ScoresReport {
    File {
        file: String,
        matched_by: MatchedBy,
        /// The outcomes of the answers given in the data.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        answers: Vec<StepCounts>,
    },
    Scored {
        /// The metric whose first number is the score; absent for FENICE's claims.
        #[serde(skip_serializing_if = "Option::is_none")]
        metric: Option<String>,
        profile: Box<ProfileStamp>,
        models: Box<Models>,
        /// The outcomes of requests to a language model.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        answers: Vec<StepCounts>,
        /// A one-line description for people.
        #[serde(skip)]
        set_up: String,
    },
}

pub(crate) fn run(benchmark: &dyn Benchmark, args: &MeasureArgs) -> Result<ExitCode> {
    let (reading, known) = read(benchmark, args)?;
    finish(benchmark, reading, known, args)
}

/// Scores the cases unless their scores are known, and prints the figures.
pub(super) fn finish(
    benchmark: &dyn Benchmark,
    mut reading: Reading,
    known: Option<KnownScores>,
    args: &MeasureArgs,
) -> Result<ExitCode> {
    if let Some(file) = &args.prompts {
        return prompts::write(benchmark, &reading, args, file);
    }
    let (scores, source) = match known {
        Some(known) => known,
        None => scored(benchmark, &mut reading, args)?,
    };
    let figures = benchmark.figures(&reading.cases, &scores).map_err(|error| named(error, &args.data))?;
    if let Some(folder) = &args.plots {
        let labels: Vec<bool> = reading.cases.iter().map(|case| case.label.consistent).collect();
        let list = ScoredList { name: &source.name(), scores: &scores, labels: &labels };
        plot_files::write(folder, &plot_files::all_of(&list)?, args.settings.quiet)?;
    }
    match args.format {
        Format::Text => {
            let shown = benchmark.show(&source.name(), &figures);
            let lines = match args.paper {
                true => {
                    let table = against_the_papers(&shown.beside, &source.set_up());
                    [table, paper::warnings(shown.lines)].concat()
                }
                false => shown.lines,
            };
            output::lines(&[lines, source.answer_lines()].concat())?;
        }
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, args), benchmark.about().published);
            output::json(&Report { figures: &figures, data, scores: source, published })?;
        }
    }
    Ok(exit_code(&reading))
}

/// Measures several lists of scores, each with its name, and prints them as `table` shows them.
pub(super) fn compare(
    benchmark: &dyn Benchmark,
    reading: &Reading,
    lists: &[(String, Vec<f64>)],
    args: &MeasureArgs,
    table: impl Fn(&[Compared]) -> Vec<String>,
    published: impl Serialize,
) -> Result<ExitCode> {
    let compared = crate::compare(benchmark, &reading.cases, lists)?;
    match args.format {
        Format::Text => output::lines(&table(&compared))?,
        Format::Json => {
            let data = DataReport::of(reading, args);
            output::json(&ComparisonReport { settings: &compared, data, published })?;
        }
    }
    Ok(exit_code(reading))
}

/// Returns a score for each case, and the source of the scores.
pub(super) type KnownScores = (Vec<f64>, ScoresReport);

/// Refuses an abstention rate if several lists of scores are compared on the same texts.
pub(super) fn refuse_abstaining(args: &MeasureArgs) -> Result<()> {
    ensure!(!args.settings.abstains(), "--abstain leaves texts out, and lists are compared on the same ones");
    Ok(())
}

/// Returns the names of the chosen metrics, or else of the benchmark's default one.
pub(super) fn metric_names(benchmark: &dyn Benchmark, args: &MeasureArgs) -> Vec<String> {
    match (args.settings.metrics().metric.as_slice(), benchmark.about().usual_metric) {
        ([], Some(usual)) => vec![usual.to_owned()],
        (names, _) => names.to_vec(),
    }
}

/// Scores by the chosen metric, or else by the benchmark's default one. Texts whose verdict is unsure are left out.
fn scored(benchmark: &dyn Benchmark, reading: &mut Reading, args: &MeasureArgs) -> Result<KnownScores> {
    let names = metric_names(benchmark, args);
    let evaluator = plan::evaluator(&args.settings.clone().with_metrics(&names))?;
    let scorer = evaluator.scorer();
    let results = evaluate_each(&evaluator, &reading.cases, args)?;
    evaluator.notes().iter().for_each(|note| output::note_unless(args.settings.quiet, note));
    let source = ScoresReport::Scored {
        metric: names.into_iter().next().filter(|_| !evaluator.judges_claims()),
        profile: Box::new(evaluator.profile_stamp()),
        models: Box::new(scorer.models()),
        answers: evaluator.answer_counts(),
        set_up: paper::set_up(&evaluator),
    };
    let results = leave_out_failed(reading, vec![results])?.swap_remove(0);
    check(benchmark, reading, args)?;
    for (case, judged) in reading.cases.iter_mut().zip(&results) {
        case.answers = judged.answers.clone();
    }
    if !args.settings.abstains() {
        return Ok((scores_of(&results), source));
    }
    let is_unsure: Vec<bool> = results.iter().map(|judged| judged.verdict == Some(Verdict::Unsure)).collect();
    let unsure = is_unsure.iter().filter(|unsure| **unsure).count();
    ensure!(unsure < results.len(), "--abstain: the verdicts on all {unsure} texts are unsure");
    reading.leave_out_unsure(&is_unsure);
    output::note_unless(
        args.settings.quiet,
        &format!("left out: {unsure} of {} texts, with the verdict unsure", results.len()),
    );
    let sure: Vec<Judged> =
        results.into_iter().filter(|judged| judged.verdict != Some(Verdict::Unsure)).collect();
    Ok((scores_of(&sure), source))
}

/// Returns the cases to measure, and their scores if they are given. Texts that cannot be judged are left out, and cases
/// without figures are refused before they are scored.
pub(super) fn read(benchmark: &dyn Benchmark, args: &MeasureArgs) -> Result<(Reading, Option<KnownScores>)> {
    ensure!(args.limit != Some(0), "--limit 0 leaves nothing to measure");
    paper::check(benchmark, args)?;
    let mut reading = read_data(benchmark, args)?;
    let mut known = match &args.scores {
        Some(file) => Some(read_scores(file, &reading)?),
        None => given_answers(&mut reading, args),
    };
    if let Some(limit) = args.limit {
        let sample = stratified_sample(&reading.cases, limit, args.seed);
        reading.cases = at(reading.cases, &sample);
        known = known.map(|(scores, source)| (at(scores, &sample), source));
    }
    if known.is_none() {
        require_given_claims(&reading.cases, args)?;
        leave_out_unjudgeable(&mut reading, plan::scores_blank_summaries(&metric_names(benchmark, args)))?;
    }
    check(benchmark, &reading, args)?;
    Ok((reading, known))
}

/// The rows of the data, for benchmarks that read them twice.
pub(super) fn reread(args: &MeasureArgs) -> Result<Rows> {
    ensure!(
        args.data.iter().all(|path| path.as_os_str() != "-"),
        "--data -: these rows are read twice, which is not possible from standard input: give files"
    );
    Ok(Source::find(&args.data, args.input_format)?.rows())
}

/// All cases of the data.
fn read_data(benchmark: &dyn Benchmark, args: &MeasureArgs) -> Result<Reading> {
    let rows = Source::find(&args.data, args.input_format)?.rows();
    let reading = crate::read(benchmark, rows).map_err(|error| named(error, &args.data))?;
    if !args.settings.quiet {
        for (reason, rows) in &reading.left_out {
            output::note(&format!("note: left out: {rows} rows of {reason}"));
        }
    }
    Ok(reading)
}

/// Refuses `--claims given` if a text has no given claims.
fn require_given_claims(cases: &[Case], args: &MeasureArgs) -> Result<()> {
    let lacks_claims = |case: &&Case| case.given.claims.is_none();
    match cases.iter().find(lacks_claims).filter(|_| args.settings.claims() == Some(ClaimsChoice::Given)) {
        Some(case) => bail!(
            "{}: --claims given needs a list of texts in the field `claims`, and one text a row",
            case.origin
        ),
        None => Ok(()),
    }
}

/// Reports the texts that cannot be judged and leaves them out; the exit code then shows that the figures cover only a part.
fn leave_out_unjudgeable(reading: &mut Reading, keep_blank: bool) -> Result<()> {
    let refused = reading.leave_out_unjudgeable(keep_blank);
    ensure!(!reading.cases.is_empty(), "no text can be judged; the first: {}", refused[0]);
    report_left_out(&refused, "texts");
    Ok(())
}

/// Returns 2 if texts could not be judged, failed or have no answers, since the figures then cover only part of the data; the
/// last line says so.
pub(super) fn exit_code(reading: &Reading) -> ExitCode {
    let lacking: Vec<(&str, usize)> = reading.lacking().collect();
    if lacking.is_empty() {
        return ExitCode::SUCCESS;
    }
    let count: usize = lacking.iter().map(|(_, count)| count).sum();
    let reasons: Vec<String> = lacking.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
    let (all, reasons) = (reading.texts, reasons.join(", "));
    output::note(&format!("veridic: the figures lack {count} of {all} texts: {reasons}"));
    ExitCode::from(2)
}

fn check(benchmark: &dyn Benchmark, reading: &Reading, args: &MeasureArgs) -> Result<()> {
    benchmark.check(&reading.cases).map_err(|error| match args.limit {
        Some(limit) => anyhow!("--limit {limit} takes too few rows for the figures: {error}"),
        None => named(error, &args.data),
    })
}

/// Adds the names of the files to an error, unless it names one of their rows.
pub(crate) fn named(error: BenchError, files: &[PathBuf]) -> anyhow::Error {
    let names = || files.iter().map(|path| files::name(path)).collect::<Vec<_>>().join(", ");
    match error {
        BenchError::Unreadable(_) | BenchError::Row { .. } => error.into(),
        BenchError::Data(_) | BenchError::Undefined(_) => anyhow!(error).context(names()),
    }
}

pub(super) fn read_scores(file: &Path, reading: &Reading) -> Result<KnownScores> {
    let name = files::name(file);
    let list = if file.extension() == Some(OsStr::new("txt")) {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        ScoreList::of_numbers(&text).with_context(|| name.clone())?
    } else {
        ScoreList::of_rows(files::score_rows(file)?, reading.key_fields)?
    };
    let (scores, matched_by) = list.assign(reading).with_context(|| name.clone())?;
    Ok((scores, ScoresReport::File { file: name, matched_by, answers: Vec::new() }))
}

/// Returns the scores that follow from the answers given in the data, if those are measured.
fn given_answers(reading: &mut Reading, args: &MeasureArgs) -> Option<KnownScores> {
    let of_case = |case: &mut Case| {
        let given = case.label.given.clone()?;
        case.answers = given.answers;
        Some(given.score)
    };
    let scores = reading.cases.iter_mut().map(of_case).collect::<Option<Vec<f64>>>()?;
    let names: Vec<String> = args.data.iter().map(|path| files::name(path)).collect();
    let (read, unparsable) = (scores.len(), reading.unanswered());
    let requests = read + unparsable;
    let answers = StepCounts { step: "given answers", requests, read, unparsable, failed: 0, missing: 0 };
    let (file, matched_by) = (names.join(", "), MatchedBy::Order);
    Some((scores, ScoresReport::File { file, matched_by, answers: vec![answers] }))
}

fn scores_of(judged: &[Judged]) -> Vec<f64> {
    judged.iter().map(|judged| judged.score).collect()
}

/// Returns the items at these indices, which must be ascending.
fn at<T>(items: Vec<T>, indices: &[usize]) -> Vec<T> {
    let mut indices = indices.iter().peekable();
    let numbered = items.into_iter().enumerate();
    numbered.filter_map(|(index, item)| indices.next_if_eq(&&index).map(|_| item)).collect()
}

impl<'r> DataReport<'r> {
    pub(super) fn of(reading: &'r Reading, args: &MeasureArgs) -> Self {
        Self {
            files: args.data.iter().map(|path| files::name(path)).collect(),
            rows: reading.rows,
            texts_measured: reading.cases.len(),
            rows_left_out: &reading.left_out,
        }
    }
}

impl ScoresReport {
    /// Describes the answers given in the data, with their success ratio.
    fn answer_lines(&self) -> Vec<String> {
        match self {
            Self::File { answers, .. } => answers.iter().map(ToString::to_string).collect(),
            Self::Scored { .. } => Vec::new(),
        }
    }

    /// Returns their name in a table.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File { file, .. } => file.clone(),
            Self::Scored { metric, profile, models, .. } => {
                let judge = format!("{}, {}", profile.rules.profile, models.nli.id);
                // The source of the answers comes first in the stamp, before the wording of each step.
                let answered = || profile.answers.as_deref()?.split(' ').next().map(str::to_owned);
                match metric {
                    Some(metric) => format!("{metric}, {}", answered().unwrap_or(judge)),
                    None => judge,
                }
            }
        }
    }

    /// Describes in one line how they were computed.
    fn set_up(&self) -> RunSetUp {
        match self {
            Self::File { file, .. } => {
                RunSetUp::given(format!("the scores of {file}, which were computed elsewhere"))
            }
            Self::Scored { set_up, .. } => RunSetUp::scored(set_up),
        }
    }
}
