//! `veridic bench rose`: claims against people's claims.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use veridic::bench::rose;
use veridic::pipeline::{Claims, Summary};

use crate::cli::args::{BenchRoseArgs, ClaimsChoice, Format};
use crate::cli::{files, plan, show};

pub(super) fn run(args: &BenchRoseArgs) -> Result<ExitCode> {
    ensure!(
        args.extractor.claims != ClaimsChoice::Given,
        "--claims given: the given claims are what others are measured by"
    );
    let name = files::name(&args.data);
    let rows = rose::parse(&files::read_text(&args.data)?).with_context(|| name.clone())?;
    plan::set_threads(args.extractor.threads)?;
    let extractor = plan::claim_extractor(&args.extractor.claims, args.extractor.quiet)?;
    let summaries: Vec<Summary<'_>> =
        rows.iter().map(|row| Summary { text: &row.summary, claims: None }).collect();
    let claims = extractor.extract(&summaries).with_context(|| name.clone())?;
    let texts =
        |claims: &Claims| -> Vec<String> { claims.claims.iter().map(|claim| claim.text.clone()).collect() };
    let claims: Vec<Vec<String>> = claims.iter().map(texts).collect();
    let figures = rose::agreement(&rows, &claims).map_err(|reason| anyhow!("{name}: {reason}"))?;
    match args.extractor.format {
        Format::Text => show::agreement(&figures)?,
        Format::Json => show::json(&figures)?,
    }
    Ok(ExitCode::SUCCESS)
}
