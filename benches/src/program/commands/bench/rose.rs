//! `veridic-bench rose`: compares claims with human-written claims. Rows that cannot be measured are reported and left out,
//! and the exit code is then 2.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde::Serialize;
use veridic::pipeline::Summary;
use veridic::rules::ClaimsChoice;
use veridic::schedule::ignore_events;
use veridic_program::args::{ExtractorArgs, Format};
use veridic_program::{files, output};

use super::evaluated::report_left_out;
use crate::benchmarks::rose::{self, Agreement, RoseRow, RowError, Similarities, Similarity};
use crate::program::encoder::BertScoreArgs;
use crate::program::plan;
use crate::protocol::{PublishedTable, RunSetUp, against_the_papers};
use crate::similarity::bertscore::BertScore;

#[derive(Debug, Args)]
pub(crate) struct BenchRoseArgs {
    /// The file of summaries and claims
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Field of the claims to measure
    ///
    /// A list of texts, measured instead of extracted claims.
    #[arg(long, value_name = "FIELD", conflicts_with = "claims")]
    pub(crate) given: Option<String>,
    /// How claims are compared
    #[arg(long, value_enum, default_value_t = Similarity::Rouge)]
    pub(crate) similarity: Similarity,
    /// Print the published table with this run's row below
    ///
    /// And what differs from the paper's set-up.
    #[arg(long)]
    pub(crate) paper: bool,
    #[command(flatten)]
    pub(crate) bertscore: BertScoreArgs,
    #[command(flatten)]
    pub(crate) extractor: ExtractorArgs,
}

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
    let parsed = rose::parse(&files::read_text(&args.data)?, args.given.as_deref());
    let all = parsed.len();
    let mut rows = measurable(&name, parsed)?;
    if args.given.is_none() {
        rows = with_claims(&name, rows, args).with_context(|| name.clone())?;
    }
    let figures = match args.similarity {
        Similarity::Rouge => rose::agreement(&rows, |a, b| Ok(rose::by_rouge(a, b))),
        Similarity::Bertscore => {
            let bertscore = plan::bertscore(&args.bertscore, args.extractor.quiet)?;
            rose::agreement(&rows, |a, b| by_bertscore(&bertscore, a, b).map_err(|error| error.to_string()))
        }
    };
    let figures = figures.map_err(|reason| anyhow!("{name}: {reason}"))?;
    let given = args.given.as_deref().unwrap_or("this one");
    match args.extractor.format {
        Format::Text if args.paper => {
            let beside = rose::beside(given, &figures, args.similarity);
            output::lines(&[rose::counts(&figures)])?;
            output::lines(&against_the_papers(&[beside], &RunSetUp::scored(set_up(args))))?;
        }
        Format::Text => output::lines(&rose::table(given, &figures, args.similarity))?,
        Format::Json => {
            output::json(&Report { figures: &figures, published: [args.similarity.published()] })?
        }
    }
    Ok(ExitCode::from(if rows.len() == all { 0 } else { 2 }))
}

fn set_up(args: &BenchRoseArgs) -> String {
    match &args.given {
        Some(field) => format!("the claims of the field `{field}`, which were made elsewhere"),
        None => format!("claims by --claims {}", args.extractor.claims),
    }
}

/// Returns the rows that can be measured, and reports the others.
fn measurable(name: &str, parsed: Vec<Result<RoseRow, RowError>>) -> Result<Vec<RoseRow>> {
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for row in parsed {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => refused.push(error),
        }
    }
    ensure!(
        !rows.is_empty() || refused.is_empty(),
        "{name}: no row can be measured; the first: {}",
        refused[0]
    );
    let refused: Vec<String> = refused.iter().map(|error| format!("{name}: {error}")).collect();
    report_left_out(&refused, "rows");
    Ok(rows)
}

/// Returns BERTScore's F1 of each system claim with each human claim.
fn by_bertscore(bertscore: &BertScore, system: &[String], human: &[String]) -> veridic::Result<Similarities> {
    let mut rows = Vec::with_capacity(system.len());
    for claim in system {
        let pairs = human.iter().map(|other| bertscore.tokenize(claim, other));
        let pairs = pairs.collect::<veridic::Result<Vec<_>>>()?;
        let overlaps = bertscore.overlaps(&pairs.iter().collect::<Vec<_>>())?;
        rows.push(overlaps.iter().map(|overlap| overlap.f1).collect());
    }
    Ok(rows)
}

/// Returns the rows whose claims could be extracted, with these, and reports the others.
fn with_claims(name: &str, rows: Vec<RoseRow>, args: &BenchRoseArgs) -> Result<Vec<RoseRow>> {
    veridic_program::load::set_threads(args.extractor.threads)?;
    let (extractor, model) = plan::claim_extractor(&args.extractor.claims, args.extractor.quiet)?;
    let summaries: Vec<Summary<'_>> = rows.iter().map(|row| Summary::new(&row.summary)).collect();
    let extracted = extractor.extract_each(&summaries, &ignore_events);
    if let Some(model) = model {
        model.notes().iter().for_each(|text| output::note_unless(args.extractor.quiet, text));
    }
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for (row, extracted) in rows.into_iter().zip(extracted) {
        match extracted {
            Ok(found) => {
                let system = found.claims.into_iter().map(|claim| claim.text).collect();
                kept.push(RoseRow { system, ..row });
            }
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    ensure!(!kept.is_empty(), "no row has claims; the first: {}", refused[0]);
    report_left_out(&refused, "rows");
    Ok(kept)
}
