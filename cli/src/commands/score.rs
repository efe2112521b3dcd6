//! `veridic score DOCUMENT SUMMARY`. The exit code is 1 under `--fail-under`, or if the verdict is one of `--fail-on`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use veridic::corpus::run::{FailWhen, Outcome, Target};
use veridic::corrected::corrected;
use veridic::result::PairResult;
use veridic::rules::ClaimsChoice;
use veridic::schedule::ignore_events;
use veridic::{Error, Pair, Scorer, notes};

use super::report;
use super::score_files::{ExtractedFiles, ScoreFiles};
use crate::args::{ScoreArgs, ScoreFormat};
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
    let read = ScoreFiles::read(args)?;
    let (document, sources) = read.joined()?;
    let summary = &read.summary.text;
    let pair = Pair { sources: sources.as_ref(), citations: args.citations, ..Pair::new(&document, summary) };
    pair.check().map_err(|error| with_file(args, error))?;
    if let Some(file) = &args.keep_text {
        keep_text(file, &document)?;
    }
    if summary.len() > 2 * document.len() && !document.is_empty() {
        let message = "the document is shorter than the summary; the document comes first";
        output::note_unless(args.settings.quiet, message);
    }
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
        ScoreFormat::Json => output::json(&Scored { result: &result, files: read.extracted() })?,
        ScoreFormat::Html => report::print_one(
            &output::to_json(&result)?,
            &files::short_name(&args.summary),
            document,
            summary.clone(),
        )?,
        ScoreFormat::Corrected => {
            let wrong = result.claims.iter().filter(|claim| claim.verdict.is_adverse()).count();
            show::corrected(&corrected(summary, &result.claims), wrong, args.settings.quiet)?;
        }
    }
    let fails = fail_when.fails(&Outcome::of(&result));
    Ok(ExitCode::from(u8::from(fails)))
}

/// The result, and which of its texts come from files with another content.
#[derive(Serialize)]
struct Scored<'r> {
    #[serde(flatten)]
    result: &'r PairResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<ExtractedFiles<'r>>,
}

/// Writes the document's text to a file that does not exist yet.
fn keep_text(file: &Path, document: &str) -> Result<()> {
    Target::without_journal(file)?.write(|mut out| {
        out.write_all(document.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
    })
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
