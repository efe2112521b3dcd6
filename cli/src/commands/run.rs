//! `veridic run INPUT... -o OUTPUT`

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};
use veridic::corpus::Journal;
use veridic::corpus::read::{RowNames, Source};
use veridic::corpus::run::{self, OnError, RunEnd, RunEvent, RunPlan, Target};
use veridic::corpus::write::{OutputFormat, RowWriter};

use crate::args::{ClaimsChoice, OnErrorChoice, ProgressChoice, RunArgs};
use crate::progress::{Progress, Whole};
use crate::{files, plan, show};

pub(super) fn run(args: &RunArgs) -> Result<ExitCode> {
    let format = output_format(args)?;
    let plan = run_plan(args)?;
    let source = Source::find(&args.inputs, args.input_format)?;
    let target = target(args)?;
    let source = match &target {
        Some(target) => source.without(&target.names())?,
        None => source,
    };
    let rows = source.rows();
    let evaluator = plan::evaluator(&args.model, &args.profile)?;
    plan::check_fail_on(args.fail_on, &evaluator)?;
    let mut journal = target.as_ref().map(|target| Journal::open(target.journal())).transpose()?;
    let out: Box<dyn Write + Send> = match &target {
        Some(target) => Box::new(target.create()?),
        None => Box::new(std::io::stdout()),
    };
    let writer = RowWriter::new(format, args.table.explode.is_some(), out);
    let progress = Progress::new(Whole::Read(rows.share()), args.progress, args.model.quiet);
    let end = stoppable(|stop| {
        let on_event = |event| match event {
            RunEvent::Work(event) => progress.event(event),
            RunEvent::Rows(rows) => {
                progress.rows(rows);
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
        };
        Ok(run::run(&evaluator, rows, &plan, journal.as_mut(), writer, &on_event)?)
    });
    plan::tell_notes(evaluator.scorer());
    let is_complete = end.as_ref().is_ok_and(|end| !end.stopped);
    if let Ok(end) = &end
        && is_complete
    {
        progress.clear();
        plan::tell_unread(evaluator.scorer(), &end.counts, args.model.quiet);
    }
    if !is_complete {
        progress.clear();
        target.iter().for_each(Target::give_up);
        journal.map_or(Ok(()), Journal::remove_if_empty)?;
    }
    finish(args, target.as_ref(), &progress, end?)
}

/// Where the output goes; none for standard output, beside which nothing is kept.
fn target(args: &RunArgs) -> Result<Option<Target>> {
    if args.output.as_os_str() != "-" {
        return Ok(Some(Target::new(&args.output, args.resume)?));
    }
    ensure!(
        !args.resume,
        "--resume goes on with an output file and the journal beside it: with `-o -` nothing is kept; name a file"
    );
    Ok(None)
}

/// Does the work; the first Ctrl-C, or a polite request to end, sets `stop`, the second ends the program.
fn stoppable<T>(work: impl FnOnce(&AtomicBool) -> Result<T>) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    work(&stop)
}

fn finish(args: &RunArgs, target: Option<&Target>, progress: &Progress, end: RunEnd) -> Result<ExitCode> {
    let output = files::name_of_output(&args.output);
    if end.stopped {
        progress.finish_run(false, &end.summary);
        match target {
            Some(_) => {
                bail!(
                    "stopped; {output} is not written yet: the same command with --resume goes on from here"
                )
            }
            None => bail!("stopped; {output} has a part of the rows, and nothing is kept to go on with"),
        }
    }
    let changed = target.map_or(Ok(true), Target::finish)?;
    progress.finish_run(true, &end.summary);
    if !changed && !args.model.quiet && args.progress != ProgressChoice::Json {
        show::note(&format!("{output} was complete and stays as it is"));
    }
    if end.counts.failed == 0 || args.on_error == OnErrorChoice::Skip {
        let is_named = args.fail_on.is_some_and(|on| on.counted(&end.counts) > 0);
        return Ok(ExitCode::from(u8::from(is_named)));
    }
    show::note(&format!(
        "veridic: {} of {} rows failed: see `error` in {output}",
        end.counts.failed,
        end.counts.rows()
    ));
    Ok(ExitCode::from(2))
}

fn output_format(args: &RunArgs) -> Result<OutputFormat> {
    let format = match args.table.output_format {
        Some(format) => format,
        None => OutputFormat::of(&args.output)?,
    };
    ensure!(
        args.shard.is_none() || (format == OutputFormat::JsonLines && args.table.explode.is_none()),
        "--shard writes whole rows as .jsonl; `veridic merge` writes the other formats"
    );
    Ok(format)
}

fn run_plan(args: &RunArgs) -> Result<RunPlan> {
    let mut names = RowNames::new(args.document_field.clone(), args.summary_field.clone())?;
    if let Some(keep) = &args.keep {
        names = names.keep(keep.iter().filter(|name| !name.is_empty()).cloned().collect());
    }
    if args.profile.claims == Some(ClaimsChoice::Given) {
        names = names.with_claims();
    }
    if !args.profile.metric.is_empty() {
        names = names.with_metric_inputs();
    }
    let on_error = match args.on_error {
        OnErrorChoice::Fail => OnError::Fail,
        OnErrorChoice::Skip => OnError::Skip,
        OnErrorChoice::Record => OnError::Record,
    };
    Ok(RunPlan { names, on_error, shard: args.shard })
}
