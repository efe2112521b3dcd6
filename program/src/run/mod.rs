//! `run INPUT... -o OUTPUT`: judges a corpus. An output file appears under its name only when it is complete; a run that was
//! interrupted, or in which rows failed, keeps its journal, from which `--resume` continues.

mod args;

use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use veridic::Scorer;
use veridic::corpus::rates::Rates;
use veridic::corpus::read::{RowNames, Rows, Source};
use veridic::corpus::run::{self, FailOn, FailWhen, OnError, RowCounts, RunEnd, RunEvent, RunPlan, Target};
use veridic::corpus::write::{OutputFormat, RowWriter};
use veridic::corpus::{Journal, RowJudge};
use veridic::notes;
use veridic::rules::ClaimsChoice;

pub use self::args::{OnErrorChoice, RunArgs, fail_on_help};
use crate::args::ProgressChoice;
use crate::files;
use crate::observer::{RunObserver, Statistics};
use crate::output::{note, note_unless};
use crate::progress::{Progress, Whole};
use crate::settings::Audience;
use crate::signals::{StopRequest, on_stop_signal, with_flag};

/// Judges a corpus with the given flags. `typed` is the command line, quoted when the run is stopped; `load` loads the judge
/// once the files have been checked.
///
/// # Errors
/// If flags contradict each other, files cannot be read or written, or a model fails.
pub fn run<A: Audience, J: RowJudge, O: RunObserver>(
    args: &RunArgs<A>,
    typed: &[OsString],
    load: impl FnOnce() -> Result<J>,
    observe: impl FnOnce(&J) -> O,
) -> Result<ExitCode> {
    let format = row_format(args)?;
    let mut plan = run_plan(args)?;
    let source = Source::find(&args.inputs, args.rows.input_format)?;
    let target = target(args)?;
    let source = match &target {
        Some(target) => source.without(&target.names())?,
        None => source,
    };
    let rows = source.rows();
    let judge = load()?;
    plan.names = judge.row_names(plan.names);
    check_flags(&plan.fail_when, args.citations, &judge)?;
    let mut journal = target.as_ref().map(|target| Journal::open(target.journal())).transpose()?;
    let out: Box<dyn Write + Send> = match &target {
        Some(target) => Box::new(target.create()?),
        None => Box::new(std::io::stdout()),
    };
    let writer = RowWriter::new(format, args.table.shape(), out);
    let progress = Progress::new(Whole::Read(rows.share()), args.progress, args.settings.quiet);
    let (stop, last_words) = (StopRequest::default(), stopped(args, target.clone(), typed));
    let signal = stop.clone();
    on_stop_signal(move || signal.request(), last_words.clone())?;
    let mut observer = observe(&judge);
    let watch = Watch { progress: &progress, observer: &observer, stop: &stop };
    let end = watch.run(&judge, rows, &plan, journal.as_mut(), writer);
    observer.end(&end);
    progress.clear();
    observer.notes().iter().for_each(|note| note_unless(args.settings.quiet, note));
    let statistics = observer.statistics();
    if end.as_ref().is_ok_and(|end| !end.stopped) {
        let end = end?;
        note_unread_rows(judge.scorer(), &end.counts, args.settings.quiet);
        let code = finish(args, target.as_ref(), &progress, &end, &statistics)?;
        if end.counts.failed == 0 {
            journal.map_or(Ok(()), Journal::remove)?;
        }
        return Ok(code);
    }
    target.iter().for_each(Target::give_up);
    journal.map_or(Ok(()), Journal::remove_if_empty)?;
    progress.finish_run(false, args.settings.abstains(), &end?, &statistics);
    bail!(last_words())
}

/// Refuses `--fail-on wrong-citation` if no citation is checked, and a `--fail-under` outside the score's range.
///
/// # Errors
/// As described.
pub fn check_flags(fail_when: &FailWhen, citations: bool, judge: &impl RowJudge) -> Result<()> {
    ensure!(
        citations || !fail_when.on.contains(&FailOn::WrongCitation),
        "--fail-on wrong-citation needs --citations: add it"
    );
    let Some(least) = fail_when.score_under else { return Ok(()) };
    let rules = &judge.scorer().settings().rules;
    if judge.judges_claims() && rules.scores_are_probabilities() {
        ensure!(
            (0.0..=1.0).contains(&least),
            "--fail-under {least}: scores are probabilities, between 0 and 1"
        );
    } else {
        ensure!((-1.0..=1.0).contains(&least), "--fail-under {least}: scores are between -1 and 1");
    }
    Ok(())
}

/// Prints how many rows are in languages that the model's card does not list.
fn note_unread_rows(scorer: &Scorer, counts: &RowCounts, quiet: bool) {
    if counts.unread > 0 {
        let (nli, listed) = (scorer.models().nli, scorer.stamp().rules.languages.unwrap_or_default());
        note_unless(quiet, &notes::unread_rows(&nli.id, &listed, counts.unread, counts.judged));
    }
}

/// Who watches a run: a person, an observer, and a signal.
struct Watch<'w, O> {
    progress: &'w Progress,
    observer: &'w O,
    stop: &'w StopRequest,
}

impl<O: RunObserver> Watch<'_, O> {
    /// Judges the rows until the input ends or a signal stops the run: after the current batch, or during it if the batch
    /// takes too long.
    fn run(
        &self,
        judge: &impl RowJudge,
        rows: Rows,
        plan: &RunPlan,
        journal: Option<&mut Journal>,
        writer: RowWriter,
    ) -> Result<RunEnd> {
        Ok(run::run(judge, rows, plan, journal, writer, &|event| self.event(event))?)
    }

    fn event(&self, event: RunEvent<'_>) -> ControlFlow<()> {
        let must_stop = match event {
            RunEvent::Work(event) => {
                self.progress.event(event)?;
                self.stop.is_over()
            }
            RunEvent::Judged { id, result } => {
                self.observer.judged(id, result);
                false
            }
            RunEvent::Counted { fields } => {
                self.observer.counted(fields);
                false
            }
            RunEvent::Rows(rows) => {
                self.progress.rows(rows);
                self.stop.is_requested()
            }
        };
        if must_stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns the message for a stopped run: what is kept, and how to resume.
fn stopped(
    args: &RunArgs<impl Audience>,
    target: Option<Target>,
    typed: &[OsString],
) -> impl Fn() -> String + Clone + Send + Sync + 'static {
    let (output, continued) = (files::output_name(&args.output), with_flag(typed, "--resume"));
    move || match &target {
        Some(target) if target.keeps_results() => format!(
            "stopped; {output} is not written yet, and the rows judged so far are kept in {}. Continue with: {continued}",
            target.journal().display()
        ),
        Some(_) => format!("stopped; no row was judged yet, and {output} is not written"),
        None => format!("stopped; {output} has only some of the rows, and the run cannot be resumed"),
    }
}

/// Returns the target of an output file; `None` for standard output, which has no journal.
fn target(args: &RunArgs<impl Audience>) -> Result<Option<Target>> {
    if args.output.as_os_str() != "-" {
        return Ok(Some(Target::new(&args.output, args.resume)?));
    }
    ensure!(
        !args.resume,
        "--resume continues from the journal beside an output file, and `-o -` has none: name a file"
    );
    Ok(None)
}

/// Moves the output into place, prints the summary and returns the exit code.
fn finish(
    args: &RunArgs<impl Audience>,
    target: Option<&Target>,
    progress: &Progress,
    end: &RunEnd,
    statistics: &Statistics,
) -> Result<ExitCode> {
    let output = files::output_name(&args.output);
    let changed = target.map_or(Ok(true), Target::finish)?;
    let is_json = args.progress == ProgressChoice::Json;
    progress.finish_run(true, args.settings.abstains(), end, statistics);
    if !changed && !args.settings.quiet && !is_json {
        note(&format!("{output} was complete and is unchanged"));
    }
    notes_on_rows(end, args.settings.quiet || is_json);
    let fails = end.failing.rows > 0;
    if fails && !is_json {
        let (failing, rows) = (&end.failing, end.counts.judged);
        let (fail, flags) = (if failing.rows == 1 { "fails" } else { "fail" }, fail_flags(args).join(" or "));
        note(&format!("veridic: {} of {rows} rows {fail} {flags}: {}", failing.rows, failing.listed()));
    }
    if end.counts.failed == 0 || args.on_error == OnErrorChoice::Skip {
        return Ok(ExitCode::from(u8::from(fails)));
    }
    let (failed, rows) = (end.counts.failed, end.counts.rows());
    let mended = if target.is_some() { "; once they are mended, continue with --resume" } else { "" };
    note(&format!("veridic: {failed} of {rows} rows failed: see `error` in {output}{mended}"));
    Ok(ExitCode::from(2))
}

/// Returns the flags that can make rows fail, as typed.
fn fail_flags(args: &RunArgs<impl Audience>) -> Vec<String> {
    let under = args.fail_under.map(|least| format!("--fail-under {least}"));
    let on = args.fail_on.iter().map(|on| format!("--fail-on {on}"));
    under.into_iter().chain(on).collect()
}

/// Notes repeated ids, and a grouping field that no row has.
fn notes_on_rows(end: &RunEnd, quiet: bool) {
    let repeated = &end.repeated_ids;
    if repeated.rows > 0 {
        let repeat = if repeated.rows == 1 { "row repeats" } else { "rows repeat" };
        let (rows, ids) = (repeated.rows, repeated.listed());
        note_unless(quiet, &format!("{rows} {repeat} the id of a row before: {ids}"));
    }
    if let Some(field) = end.summary.rates().and_then(Rates::missing_field) {
        note_unless(quiet, &format!("--group-by {field}: no row has this field"));
    }
}

fn row_format(args: &RunArgs<impl Audience>) -> Result<OutputFormat> {
    let format = files::output_format(args.table.output_format, &args.output)?;
    ensure!(
        args.shard.is_none() || (format == OutputFormat::JsonLines && args.table.explode.is_none()),
        "--shard writes whole rows as .jsonl; `veridic merge` writes the other formats"
    );
    Ok(format)
}

fn run_plan(args: &RunArgs<impl Audience>) -> Result<RunPlan> {
    let mut names = RowNames::new(args.rows.document_field.clone(), args.rows.summary_field.clone())?;
    if let Some(keep) = &args.keep {
        names.keep = Some(keep.iter().filter(|name| !name.is_empty()).cloned().collect());
    }
    names.claims = args.settings.claims() == Some(ClaimsChoice::Given);
    names.citations = args.citations;
    let on_error = match args.on_error {
        OnErrorChoice::Fail => OnError::Fail,
        OnErrorChoice::Skip => OnError::Skip,
        OnErrorChoice::Record => OnError::Record,
    };
    let is_kept = |field: &String| args.keep.as_ref().is_none_or(|keep| keep.contains(field));
    if let Some(field) = args.group_by.as_ref().filter(|field| !is_kept(field)) {
        bail!("--group-by {field}: --keep leaves this field out, add it");
    }
    let fail_when = FailWhen { score_under: args.fail_under, on: args.fail_on.clone() };
    Ok(RunPlan { names, on_error, shard: args.shard, fail_when, group_by: args.group_by.clone() })
}
