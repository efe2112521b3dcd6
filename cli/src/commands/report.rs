//! `veridic report SCORES -o FILE`: scores as one HTML page.

use std::process::ExitCode;

use anyhow::{Context, Result};
use veridic::corpus::read::{RowNames, Source};

use crate::args::ReportArgs;
use crate::report::{JudgedPair, OwnFields, Pairs, ReportRow, write, write_file};
use veridic_program::{files, output};

pub(super) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let source = args.source.as_ref().map(|paths| Source::find(paths, None).map(Source::rows)).transpose()?;
    let names = RowNames::new(args.document_field.clone(), args.summary_field.clone())?;
    let own = OwnFields { label: args.label.as_deref(), group_by: args.group_by.as_deref() };
    let pairs = Pairs::new(files::score_rows(&args.scores)?, source, names, own);
    let written = write_file(&args.output, &files::short_name(&args.scores), own, pairs)?;
    if !args.quiet {
        let failed = if written.failed == 0 { String::new() } else { format!(", {} failed", written.failed) };
        output::note(&format!("wrote {}: {} judged rows{failed}", args.output.display(), written.rows));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the page of one result.
pub(super) fn print_one(json: &str, name: &str, document: String, summary: String) -> Result<()> {
    let pair = JudgedPair::of_result(json, document, summary).map_err(|reason| anyhow::anyhow!(reason))?;
    let row = Ok(ReportRow::Judged(Box::new(pair)));
    write(&mut std::io::stdout().lock(), name, OwnFields::default(), [row])
        .context("cannot write the page")?;
    Ok(())
}
