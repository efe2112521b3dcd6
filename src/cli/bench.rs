//! `veridic bench NAME --data PATH`

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use veridic::bench::jsonl::{self, Figures, LabelledPair};
use veridic::bench::rose;
use veridic::pipeline::Summary;
use veridic::{Pair, Scorer};

use super::args::{
    BenchArgs, BenchJsonlArgs, BenchName, BenchRoseArgs, ClaimsChoice, Format, ProgressChoice,
};
use super::progress::{Progress, Whole};
use super::{files, plan, show};

/// Rows that travel together. Changes speed and memory, never a result.
const ROWS_TOGETHER: usize = 16;

#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    figures: &'r Figures,
    model: &'r str,
    profile: &'r str,
}

pub(super) fn run(args: &BenchArgs) -> Result<ExitCode> {
    match &args.name {
        BenchName::Jsonl(args) => run_jsonl(args),
        BenchName::Rose(args) => run_rose(args),
    }
}

fn run_jsonl(args: &BenchJsonlArgs) -> Result<ExitCode> {
    let name = files::name(&args.data);
    let pairs = jsonl::parse(&files::read_text(&args.data)?).with_context(|| name.clone())?;
    // Refuse a file that cannot be measured before the long work, not after it.
    jsonl::figures(&pairs, &vec![0.0; pairs.len()]).map_err(|reason| anyhow!("{name}: {reason}"))?;
    let scorer = plan::scorer(&args.model, &args.profile)?;
    let progress = Progress::new(Whole::Rows(pairs.len()), ProgressChoice::Auto, args.model.quiet);
    let mut scores = Vec::with_capacity(pairs.len());
    for rows in pairs.chunks(ROWS_TOGETHER) {
        scores.extend(score(&scorer, rows, &progress).with_context(|| name.clone())?);
        progress.rows_done(rows.len());
    }
    progress.finish();
    plan::tell_notes(&scorer);
    let figures = jsonl::figures(&pairs, &scores).map_err(|reason| anyhow!("{name}: {reason}"))?;
    match args.format {
        Format::Text => show::figures(&figures)?,
        Format::Json => {
            let (model, profile) = (&args.model.model, &args.profile.profile);
            let report = Report { figures: &figures, model, profile };
            show::line(&serde_json::to_string(&report).context("cannot write JSON")?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn score(scorer: &Scorer, rows: &[LabelledPair], progress: &Progress) -> Result<Vec<f64>> {
    let pairs: Vec<Pair<'_>> = rows.iter().map(|row| Pair::new(&row.document, &row.summary)).collect();
    let results = scorer.score_batch(&pairs, &|event| progress.event(event));
    rows.iter()
        .zip(results)
        .map(|(row, result)| match result {
            Ok(result) => Ok(f64::from(result.score)),
            Err(error) => Err(anyhow!(error).context(format!("line {}", row.line))),
        })
        .collect()
}

fn run_rose(args: &BenchRoseArgs) -> Result<ExitCode> {
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
    let texts = |claims: &veridic::pipeline::Claims| -> Vec<String> {
        claims.claims.iter().map(|claim| claim.text.clone()).collect()
    };
    let claims: Vec<Vec<String>> = claims.iter().map(texts).collect();
    let figures = rose::agreement(&rows, &claims).map_err(|reason| anyhow!("{name}: {reason}"))?;
    match args.extractor.format {
        Format::Text => show::agreement(&figures)?,
        Format::Json => show::line(&serde_json::to_string(&figures).context("cannot write JSON")?)?,
    }
    Ok(ExitCode::SUCCESS)
}
