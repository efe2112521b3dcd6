//! `veridic score DOCUMENT SUMMARY`. The exit code is 1 under `--fail-under`, or if the verdict is one of `--fail-on`.

use std::process::ExitCode;

use anyhow::{Result, anyhow, ensure};
use veridic::Evaluate;
use veridic::corpus::run::{FailWhen, Outcome};
use veridic::notes;
use veridic::pipeline::{MetricInputs, corrected};
use veridic::rules::ClaimsChoice;
use veridic::schedule::ignore_events;
use veridic::{Error, Pair, SourceText, Sources};
use veridic_bench::Evaluator;
use veridic_bench::plan::KeyFacts;

use super::report;
use crate::args::{ScoreArgs, ScoreFormat, SourceFile};
use crate::{files, plan, show};

pub(super) fn run(args: &ScoreArgs) -> Result<ExitCode> {
    let files =
        args.document.iter().chain(args.sources.iter().map(|source| &source.file)).chain([&args.summary]);
    let on_standard_input = files.filter(|file| file.as_os_str() == "-").count();
    ensure!(on_standard_input < 2, "only one of document and summary can be read from standard input");
    ensure!(
        args.settings.claims() != Some(ClaimsChoice::Given),
        "--claims given: needs rows that have the field `claims`, which `veridic run` reads"
    );
    ensure!(
        !args.citations || args.document.is_none(),
        "--citations needs to know the sources: give each with --source, instead of DOCUMENT"
    );
    let (document, sources) = document(args)?;
    let summary = files::read_text(&args.summary)?;
    let reference = args.reference.as_deref().map(files::read_text).transpose()?;
    let key_facts = match &args.settings.metrics.key_facts {
        KeyFacts::File(file) => files::read_lines(file)?,
        _ => Vec::new(),
    };
    let inputs = MetricInputs { reference, key_facts, ..MetricInputs::default() };
    let pair = Pair {
        metric_inputs: &inputs,
        sources: sources.as_ref(),
        citations: args.citations,
        ..Pair::new(&document, &summary)
    };
    pair.check().map_err(|error| with_file(args, error))?;
    let evaluator = plan::evaluator_of_one(&args.settings)?;
    let fail_when = FailWhen { score_under: args.fail_under, on: args.fail_on.clone() };
    plan::check_fail_when(&fail_when, (args.citations, &evaluator))?;
    plan::check_citations(args.citations, &evaluator)?;
    check_format(args.format, &evaluator)?;
    let mut results = evaluator.evaluate(&[pair], &ignore_events);
    show::answer_notes(&evaluator, args.settings.quiet);
    let result = results.swap_remove(0).map_err(|error| with_file(args, error))?;
    if let Some(unread) = result.judged.as_ref().and_then(notes::Unread::of) {
        show::note_unless(args.settings.quiet, &unread.message());
    }
    match args.format {
        ScoreFormat::Text => show::evaluation(&result, args.explain)?,
        ScoreFormat::Json => show::json(&result)?,
        ScoreFormat::Html => report::print_one(
            &show::to_json(&result)?,
            &files::short_name(&args.summary),
            document.clone(),
            summary.clone(),
        )?,
        ScoreFormat::Corrected => {
            let claims = result.judged.as_ref().map_or(&[][..], |judged| &judged.claims);
            show::corrected(&corrected(&summary, claims), args.settings.quiet)?;
        }
    }
    let fails = fail_when.fails(&Outcome::of(&result));
    Ok(ExitCode::from(u8::from(fails)))
}

/// The text of the document, and its sources if it was given as several files.
fn document(args: &ScoreArgs) -> Result<(String, Option<Sources>)> {
    if let Some(document) = &args.document {
        return Ok((files::read_text(document)?, None));
    }
    let mut texts = Vec::with_capacity(args.sources.len());
    for (number, SourceFile { id, file }) in (1..).zip(&args.sources) {
        let source = SourceText::numbered(number, files::read_text(file)?);
        texts.push(SourceText { id: id.clone().unwrap_or_else(|| source.id.clone()), ..source });
    }
    let (document, sources) =
        Sources::join(&texts).map_err(|error| anyhow!("the list of --source {error}"))?;
    Ok((document, Some(sources)))
}

/// Refuses formats that show claims where no claims are judged.
fn check_format(format: ScoreFormat, evaluator: &Evaluator) -> Result<()> {
    let needs_claims = match format {
        ScoreFormat::Text | ScoreFormat::Json => return Ok(()),
        ScoreFormat::Html => "--format html shows claims",
        ScoreFormat::Corrected => "--format corrected corrects claims",
    };
    ensure!(evaluator.judges(), "{needs_claims}: add the metric fenice");
    ensure!(
        format != ScoreFormat::Corrected || evaluator.scorer().settings().rules.contrast,
        "--format corrected needs what the document says instead: add --set contrast=on"
    );
    Ok(())
}

/// Adds the file that an error is about.
fn with_file(args: &ScoreArgs, error: Error) -> anyhow::Error {
    match &error {
        Error::Text { role: "document", .. } => match &args.document {
            Some(document) => anyhow::Error::new(error).context(files::name(document)),
            None => anyhow::Error::new(error),
        },
        Error::Text { .. } | Error::ClaimTooLong { .. } => {
            anyhow::Error::new(error).context(files::name(&args.summary))
        }
        _ => anyhow::Error::new(error),
    }
}
