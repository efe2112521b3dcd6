//! `veridic score DOCUMENT SUMMARY`. The exit code is 1 under `--fail-under`, or if the verdict is one of `--fail-on`.

use std::process::ExitCode;

use anyhow::{Result, anyhow, ensure};
use veridic::corpus::run::{FailWhen, Outcome};
use veridic::corrected::corrected;
use veridic::rules::ClaimsChoice;
use veridic::schedule::ignore_events;
use veridic::{Error, Pair, Scorer, SourceText, Sources, notes};

use super::report;
use crate::args::{ScoreArgs, ScoreFormat, SourceFile};
use crate::show;
use veridic_program::{files, load, output, run};

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
    let pair =
        Pair { sources: sources.as_ref(), citations: args.citations, ..Pair::new(&document, &summary) };
    pair.check().map_err(|error| with_file(args, error))?;
    let scorer = load::scorer(&args.settings)?;
    let fail_when = FailWhen { score_under: args.fail_under, on: args.fail_on.clone() };
    run::check_flags(&fail_when, args.citations, &scorer)?;
    check_format(args.format, &scorer)?;
    let result = scorer.score_batch(&[pair], &ignore_events).swap_remove(0);
    let result = result.map_err(|error| with_file(args, error))?;
    if let Some(unread) = notes::Unread::of(&result) {
        output::note_unless(args.settings.quiet, &unread.message());
    }
    match args.format {
        ScoreFormat::Text => show::judged(&result, args.explain)?,
        ScoreFormat::Json => output::json(&result)?,
        ScoreFormat::Html => report::print_one(
            &output::to_json(&result)?,
            &files::short_name(&args.summary),
            document.clone(),
            summary.clone(),
        )?,
        ScoreFormat::Corrected => {
            show::corrected(&corrected(&summary, &result.claims), args.settings.quiet)?;
        }
    }
    let fails = fail_when.fails(&Outcome::of(&result));
    Ok(ExitCode::from(u8::from(fails)))
}

/// Reads the document, and its sources if it was given as several files.
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

/// Refuses a corrected summary if no setting looks up what the document says instead.
fn check_format(format: ScoreFormat, scorer: &Scorer) -> Result<()> {
    ensure!(
        format != ScoreFormat::Corrected || scorer.settings().rules.contrast,
        "--format corrected needs what the document says instead: add --set contrast=on"
    );
    Ok(())
}

/// Adds the name of the file that an error concerns.
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
