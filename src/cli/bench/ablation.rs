//! A benchmark under settings that each add one part of FENICE, as its paper's table 5 does. Every pair is asked of
//! the model once: what the settings share is known after the first.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;
use veridic::Settings;
use veridic::bench::{self, Benchmark, Compared, PublishedTable};
use veridic::pipeline::{ClaimExtractor, CorefResolver, Level};

use super::measure::{DataReport, read_data, score};
use crate::cli::args::{Format, MeasureArgs};
use crate::cli::{plan, show};

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r, F> {
    settings: &'r [Compared<F>],
    data: DataReport<'r>,
    published: Option<&'r PublishedTable>,
}

pub(super) fn run<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<ExitCode> {
    ensure!(args.scores.is_none(), "--ablation scores by itself: leave --scores out");
    let mut reading = read_data(benchmark, args)?;
    if let Some(limit) = args.limit {
        let taken = bench::pick(benchmark, &reading.cases, limit, args.seed);
        reading.cases = super::measure::take(reading.cases, &taken);
    }
    bench::check_texts(&reading.cases)?;
    benchmark.check(&reading.cases)?;
    let mut scorer = plan::scorer(&args.model, &args.profile)?;
    let mut lists = Vec::new();
    for (name, settings) in parts(scorer.settings()) {
        scorer = scorer.with_settings(settings);
        lists.push((name.to_owned(), score(&scorer, &reading.cases, args)?));
    }
    let compared = bench::compare(benchmark, &reading.cases, &lists)?;
    match args.format {
        Format::Text => show::lines(&bench::comparison_table(benchmark, &compared))?,
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, args), benchmark.published_comparison());
            show::json(&Report { settings: &compared, data, published })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The settings, from a document's sentences against a summary's to all that is asked for.
fn parts(all: &Settings) -> [(&'static str, Settings); 4] {
    let with = |levels: &[Level], claims: &ClaimExtractor| {
        let mut settings = Settings { claims: claims.clone(), ..all.clone() };
        settings.profile.levels = levels.to_vec();
        settings
    };
    let mut whole = all.clone();
    if whole.coref.is_off() {
        whole.coref = CorefResolver::Rules;
    }
    whole.profile = whole.profile.with_coref();
    let coref =
        Settings { coref: whole.coref.clone(), ..with(&[Level::Sentence, Level::Coref], &all.claims) };
    [
        ("NLI_sent", with(&[Level::Sentence], &ClaimExtractor::Sentence)),
        ("NLI_claim", with(&[Level::Sentence], &all.claims)),
        ("NLI_coref", coref),
        ("FENICE", whole),
    ]
}
