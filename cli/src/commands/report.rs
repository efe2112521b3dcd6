//! `veridic report SCORES -o FILE`: scores as one page.

use std::process::ExitCode;

use crate::report::{JudgedPair, Pairs, ReportRow, write, write_file};
use anyhow::{Context, Result};
use veridic::corpus::read::{RowNames, Source};

use crate::args::ReportArgs;
use crate::{files, show};

pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let source = args.source.as_ref().map(|paths| Source::find(paths, None).map(Source::rows)).transpose()?;
    let names = RowNames::new(args.document_field.clone(), args.summary_field.clone())?;
    let label = args.label.as_deref();
    let pairs = Pairs::new(files::score_rows(&args.scores)?, source, names, label);
    let told = write_file(&args.output, &files::short_name(&args.scores), label, pairs)?;
    if !args.quiet {
        let failed = if told.failed == 0 { String::new() } else { format!(", {} that failed", told.failed) };
        show::note(&format!("wrote {}: {} judged rows{failed}", args.output.display(), told.rows));
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of one result, on standard output.
pub(super) fn one(json: &str, name: &str, document: String, summary: String) -> Result<()> {
    let pair = JudgedPair::of_result(json, document, summary).map_err(|reason| anyhow::anyhow!(reason))?;
    let row = Ok(ReportRow::Judged(Box::new(pair)));
    write(&mut std::io::stdout().lock(), name, None, [row]).context("cannot write the page")?;
    Ok(())
}
