//! `veridic-bench rose`: compares claims with human-written claims. Rows that cannot be measured are reported and left out,
//! and the exit code is then 2.

use std::process::ExitCode;

use crate::rose::{self, Agreement, RoseRow, Similarity};
use crate::similarity::bertscore::BertScore;
use crate::{PublishedTable, RunSetUp, against_the_papers};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Serialize;
use veridic::pipeline::{Claims, Summary};
use veridic::rules::ClaimsChoice;
use veridic::schedule::ignore_events;

use crate::program::args::BenchRoseArgs;
use crate::program::plan;
use veridic_program::args::Format;
use veridic_program::{files, output};

use super::evaluated;

/// The output of `--format json`.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    figures: &'r Agreement,
    published: [&'r PublishedTable; 1],
}

pub(super) fn run(args: &BenchRoseArgs) -> Result<ExitCode> {
    ensure!(
        args.extractor.claims != ClaimsChoice::Given,
        "--claims given: the field `claims` holds people's claims; name the field of the claims to measure with --given"
    );
    if let (Similarity::Rouge, Some(flag)) = (args.similarity, args.bertscore.first()) {
        bail!("{flag} is given, and --similarity bertscore is not");
    }
    let name = files::name(&args.data);
    let given = args.given.as_deref();
    let (rows, all_read) = read(&name, &files::read_text(&args.data)?, given)?;
    let (rows, claims, all_extracted) = claims(&name, rows, args).with_context(|| name.clone())?;
    let figures = match args.similarity {
        Similarity::Rouge => rose::agreement(&rows, &claims, |a, b| Ok(rose::by_rouge(a, b))),
        Similarity::Bertscore => {
            let bertscore = plan::bertscore(&args.bertscore, args.extractor.quiet)?;
            rose::agreement(&rows, &claims, |a, b| by_bertscore(&bertscore, a, b).map_err(|e| e.to_string()))
        }
    };
    let figures = figures.map_err(|reason| anyhow!("{name}: {reason}"))?;
    match args.extractor.format {
        Format::Text if args.paper => {
            let beside = rose::beside(given.unwrap_or("this one"), &figures, args.similarity);
            output::lines(&[rose::counts(&figures)])?;
            output::lines(&against_the_papers(&[beside], &RunSetUp::scored(set_up(args))))?;
        }
        Format::Text => output::lines(&rose::table(given.unwrap_or("this one"), &figures, args.similarity))?,
        Format::Json => {
            output::json(&Report { figures: &figures, published: [args.similarity.published()] })?
        }
    }
    Ok(ExitCode::from(if all_read && all_extracted { 0 } else { 2 }))
}

/// Describes in one line how the claims were obtained.
fn set_up(args: &BenchRoseArgs) -> String {
    match &args.given {
        Some(field) => format!("the claims of the field `{field}`, which were made elsewhere"),
        None => format!("claims by --claims {}", args.extractor.claims),
    }
}

/// The rows that can be measured, and whether all can be.
fn read(name: &str, text: &str, given: Option<&str>) -> Result<(Vec<RoseRow>, bool)> {
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for row in rose::parse(text, given) {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => refused.push(error.to_string()),
        }
    }
    ensure!(
        !rows.is_empty() || refused.is_empty(),
        "{name}: no row can be measured; the first: {}",
        refused[0]
    );
    evaluated::report_left_out(
        &refused.iter().map(|error| format!("{name}: {error}")).collect::<Vec<_>>(),
        "rows",
    );
    Ok((rows, refused.is_empty()))
}

/// Returns BERTScore's F1 of each system claim with each human claim.
fn by_bertscore(
    bertscore: &BertScore,
    system: &[String],
    human: &[String],
) -> veridic::Result<rose::Similarities> {
    let of = |claim: &String| {
        let pairs = human
            .iter()
            .map(|other| bertscore.tokenize(claim, other))
            .collect::<veridic::Result<Vec<_>>>()?;
        let overlaps = bertscore.overlaps(&pairs.iter().collect::<Vec<_>>())?;
        Ok(overlaps.iter().map(|overlap| overlap.f1).collect())
    };
    system.iter().map(of).collect()
}

/// The rows with claims, their claims, given or extracted, and whether all rows have some.
fn claims(
    name: &str,
    rows: Vec<RoseRow>,
    args: &BenchRoseArgs,
) -> Result<(Vec<RoseRow>, Vec<Vec<String>>, bool)> {
    if args.given.is_some() {
        let given = rows.iter().map(|row| row.given.clone().unwrap_or_default()).collect();
        return Ok((rows, given, true));
    }
    veridic_program::load::set_threads(args.extractor.threads)?;
    let (extractor, model) = plan::claim_extractor(&args.extractor.claims, args.extractor.quiet)?;
    let summaries: Vec<Summary<'_>> = rows.iter().map(|row| Summary::new(&row.summary)).collect();
    let texts = |claims: Claims| claims.claims.into_iter().map(|claim| claim.text).collect();
    let extracted = extractor.extract_each(&summaries, &ignore_events);
    if let Some(model) = model {
        model.notes().iter().for_each(|text| output::note_unless(args.extractor.quiet, text));
    }
    let (mut kept, mut claims, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (row, extracted) in rows.into_iter().zip(extracted) {
        match extracted {
            Ok(found) => {
                kept.push(row);
                claims.push(texts(found));
            }
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    ensure!(!kept.is_empty(), "no row has claims; the first: {}", refused[0]);
    evaluated::report_left_out(&refused, "rows");
    Ok((kept, claims, refused.is_empty()))
}
