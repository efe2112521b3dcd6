//! `veridic report SCORES -o FILE`: scores as one HTML page.

use std::process::ExitCode;

use anyhow::{Context, Result};
use veridic::corpus::read::{RowNames, Source};

use crate::args::ReportArgs;
use crate::report::{Agreement, JudgedPair, OwnFields, Pairs, ReportError, ReportRow, write, write_file};
use veridic_program::{files, output};

pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let source = args.source.as_ref().map(|paths| Source::find(paths, None).map(Source::rows)).transpose()?;
    let names = RowNames::new(args.document_field.clone(), args.summary_field.clone())?;
    let own = OwnFields { label: args.label.as_deref(), group_by: args.group_by.as_deref() };
    let pairs = Pairs::new(files::score_rows(&args.scores)?, source, names, own);
    let written = write_file(&args.output, &files::short_name(&args.scores), own, pairs).map_err(named)?;
    if !args.quiet {
        let failed = if written.failed == 0 { String::new() } else { format!(", {} failed", written.failed) };
        let rows = output::counted(written.rows, "judged row");
        output::note(&format!("wrote {}: {rows}{failed}", args.output.display()));
        if args.label.is_some() {
            note_agreement(&written.agreement);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints how often verdicts and labels agree.
fn note_agreement(agreement: &Agreement) {
    let mut sentences = agreement.sentences().into_iter();
    for line in sentences.next().into_iter().chain([agreement.counts()]).chain(sentences) {
        output::note(&line);
    }
}

/// Returns the error as the program prints it, which names the flags of a row's fault.
fn named(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Row(fault) => fault.into(),
        error => error.into(),
    }
}

/// Prints the page of one result.
pub(super) fn print_one(json: &str, name: &str, document: String, summary: String) -> Result<()> {
    let pair = JudgedPair::of_result(json, document, summary).map_err(|reason| anyhow::anyhow!(reason))?;
    let row = Ok(ReportRow::Judged(Box::new(pair)));
    write(&mut std::io::stdout().lock(), name, OwnFields::default(), [row])
        .context("cannot write the page")?;
    Ok(())
}
