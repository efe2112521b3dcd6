//! `veridic run INPUT... -o OUTPUT`. An output file appears under its name only when it is complete; an interrupted run
//! keeps its journal, from which `--resume` continues.

use std::ffi::OsString;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use veridic::Evaluate;
use veridic::corpus::rates::Rates;
use veridic::corpus::read::{RowNames, Rows, Source};
use veridic::corpus::run::{FailWhen, OnError, RunEnd, RunEvent, RunPlan, Target};
use veridic::corpus::write::{OutputFormat, RowWriter};
use veridic::corpus::{Journal, run};
use veridic::rules::ClaimsChoice;

use super::output_format;
use crate::args::{Audience, OnErrorChoice, ProgressChoice, RunArgs};
use crate::progress::{Progress, Whole};
use crate::stopping::{StopRequest, on_stop_signal, with_flag};
use crate::telemetry::{Evaluated, Span, Telemetry};
use crate::{files, plan, show};

/// The telemetry error kind of a row that was not judged.
const ROW_ERROR: &str = "row_not_judged";

/// Judges a corpus with the given flags. `typed` is the command line, quoted when the run is stopped; `evaluator` loads the
/// evaluator once the files have been checked.
///
/// # Errors
/// If flags contradict each other, files cannot be read or written, or a model fails.
pub fn run<A: Audience, E: Evaluate>(
    args: &RunArgs<A>,
    typed: &[OsString],
    evaluator: impl FnOnce() -> Result<E>,
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
    let evaluator = evaluator()?;
    plan.names = evaluator.row_names(plan.names);
    plan::check_flags(&plan.fail_when, args.citations, &evaluator)?;
    let mut journal = target.as_ref().map(|target| Journal::open(target.journal())).transpose()?;
    let out: Box<dyn Write + Send> = match &target {
        Some(target) => Box::new(target.create()?),
        None => Box::new(std::io::stdout()),
    };
    let writer = RowWriter::new(format, args.table.explode.is_some(), out);
    let progress = Progress::new(Whole::Read(rows.share()), args.progress, args.settings.quiet);
    let telemetry = Telemetry::from_environment(show::note);
    let span = telemetry.run();
    let (stop, stopped) = (StopRequest::default(), stopped(args, target.clone(), typed));
    let signal = stop.clone();
    on_stop_signal(move || signal.request(), stopped.clone())?;
    let watched = (&progress, (&telemetry, &span), &stop);
    let end = evaluate(&evaluator, rows, &plan, journal.as_mut(), writer, watched);
    end_span(span, &end);
    telemetry.end();
    progress.clear();
    evaluator.notes().iter().for_each(|note| show::note_unless(args.settings.quiet, note));
    match &end {
        Ok(end) if !end.stopped => {
            show::unread_rows(evaluator.scorer(), &end.counts, args.settings.quiet);
        }
        _ => {
            target.iter().for_each(Target::give_up);
            journal.map_or(Ok(()), Journal::remove_if_empty)?;
        }
    }
    let end = end?;
    if end.stopped {
        progress.finish_run(false, args.settings.abstains(), &end);
        bail!(stopped());
    }
    finish(args, target.as_ref(), &progress, end)
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

/// Evaluates the rows until the input ends or a signal stops the run: after the current batch, or during it if the batch
/// takes too long.
fn evaluate(
    evaluator: &impl Evaluate,
    rows: Rows,
    plan: &RunPlan,
    journal: Option<&mut Journal>,
    writer: RowWriter,
    (progress, (telemetry, span), stop): (&Progress, (&Telemetry, &Span), &StopRequest),
) -> Result<RunEnd> {
    let flow = |stop: bool| if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let on_event = |event: RunEvent<'_>| match event {
        RunEvent::Work(event) => {
            progress.event(event)?;
            flow(stop.is_over())
        }
        RunEvent::Evaluated { id, result } => {
            telemetry.evaluated(span, &Evaluated { id, result: result.map_err(|_| ROW_ERROR) });
            ControlFlow::Continue(())
        }
        RunEvent::Rows(rows) => {
            progress.rows(rows);
            flow(stop.is_requested())
        }
    };
    Ok(run::run(evaluator, rows, plan, journal, writer, &on_event)?)
}

/// Ends the span of the run with its outcome.
fn end_span(span: Span, end: &Result<RunEnd>) {
    match end {
        Ok(end) => span.counted(&[
            ("veridic.rows.judged", end.counts.judged),
            ("veridic.rows.known", end.counts.known),
            ("veridic.rows.failed", end.counts.failed),
        ]),
        Err(error) => span.failed(&error.to_string()),
    }
}

/// Moves the output into place, prints the summary and returns the exit code.
fn finish(
    args: &RunArgs<impl Audience>,
    target: Option<&Target>,
    progress: &Progress,
    end: RunEnd,
) -> Result<ExitCode> {
    let output = files::output_name(&args.output);
    let changed = target.map_or(Ok(true), Target::finish)?;
    let is_json = args.progress == ProgressChoice::Json;
    progress.finish_run(true, args.settings.abstains(), &end);
    if !changed && !args.settings.quiet && !is_json {
        show::note(&format!("{output} was complete and is unchanged"));
    }
    notes_on_rows(&end, args.settings.quiet || is_json);
    let fails = end.failing.rows > 0;
    if fails && !is_json {
        let (failing, rows) = (&end.failing, end.counts.judged);
        let (fail, flags) = (if failing.rows == 1 { "fails" } else { "fail" }, fail_flags(args).join(" or "));
        show::note(&format!("veridic: {} of {rows} rows {fail} {flags}: {}", failing.rows, failing.listed()));
    }
    if end.counts.failed == 0 || args.on_error == OnErrorChoice::Skip {
        return Ok(ExitCode::from(u8::from(fails)));
    }
    show::note(&format!(
        "veridic: {} of {} rows failed: see `error` in {output}",
        end.counts.failed,
        end.counts.rows()
    ));
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
        show::note_unless(quiet, &format!("{rows} {repeat} the id of a row before: {ids}"));
    }
    if let Some(field) = end.summary.rates().and_then(Rates::missing_field) {
        show::note_unless(quiet, &format!("--group-by {field}: no row has this field"));
    }
}

fn row_format(args: &RunArgs<impl Audience>) -> Result<OutputFormat> {
    let format = output_format(args.table.output_format, &args.output)?;
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
