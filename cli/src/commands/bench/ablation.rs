//! A benchmark under settings that each add one part of FENICE, as its paper's table 5 does. Every pair is asked of
//! the model once: what the settings share is known after the first.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;
use veridic::metrics::Evaluator;
use veridic::pipeline::{ClaimExtractor, CorefResolver, Level, Settings};
use veridic_bench::{Benchmark, Compared, PublishedTable};
use veridic_stats::plots::{self, ScoredList};

use super::measure::{DataReport, exit_code, read, score};
use crate::args::{ClaimsChoice, Format, MeasureArgs};
use crate::{plan, plot_files, show};

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'r, F> {
    settings: &'r [Compared<F>],
    data: DataReport<'r>,
    published: Option<&'r PublishedTable>,
}

pub(super) fn run<B: Benchmark>(benchmark: &B, args: &MeasureArgs) -> Result<ExitCode> {
    refuse_what_it_sets(args)?;
    let (reading, _) = read(benchmark, args)?;
    let mut scorer = plan::scorer(&args.model, &args.profile)?;
    let mut lists = Vec::new();
    for (name, settings) in parts(scorer.settings()) {
        let evaluator = Evaluator::new(scorer.with_settings(settings));
        lists.push((name.to_owned(), score(&evaluator, &reading.cases, args)?));
        scorer = evaluator.into_scorer();
    }
    if let Some(folder) = &args.plots {
        let labels: Vec<bool> = reading.cases.iter().map(|case| benchmark.label(&case.keys)).collect();
        let lists: Vec<ScoredList<'_>> =
            lists.iter().map(|(name, scores)| ScoredList { name, scores, labels: &labels }).collect();
        let mut drawn = vec![("roc", plots::roc(&lists)?)];
        // Of the whole of FENICE, whose own ROC curve is among the four.
        drawn.extend(
            plot_files::all_of(&lists[lists.len() - 1])?.into_iter().filter(|(name, _)| *name != "roc"),
        );
        plot_files::write(folder, &drawn, args.model.quiet)?;
    }
    let compared = veridic_bench::compare(benchmark, &reading.cases, &lists)?;
    match args.format {
        Format::Text => show::lines(&veridic_bench::comparison_table(benchmark, &compared))?,
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, args), benchmark.published_comparison());
            show::json(&Report { settings: &compared, data, published })?;
        }
    }
    Ok(exit_code(&reading))
}

fn refuse_what_it_sets(args: &MeasureArgs) -> Result<()> {
    ensure!(args.scores.is_none(), "--ablation scores by itself: leave --scores out");
    ensure!(args.profile.levels.is_none(), "--ablation sets the levels itself: leave --levels out");
    ensure!(
        args.profile.claims != Some(ClaimsChoice::Sentence),
        "--ablation compares sentences with claims: another --claims than `sentence` is needed"
    );
    Ok(())
}

/// The settings, from a document's sentences against a summary's to all that is asked for.
fn parts(all: &Settings) -> [(&'static str, Settings); 4] {
    // Sentences are what the first part compares; those of a profile that takes them are cut into clauses for the others.
    let claims = match &all.claims {
        ClaimExtractor::Sentence => ClaimExtractor::Clause,
        others => others.clone(),
    };
    let with = |levels: &[Level], claims: &ClaimExtractor| {
        let mut settings = Settings { claims: claims.clone(), ..all.clone() };
        settings.profile.levels = levels.to_vec();
        settings
    };
    let mut whole = Settings { claims: claims.clone(), ..all.clone() };
    if whole.coref.is_off() {
        whole.coref = CorefResolver::Rules;
    }
    whole.profile = whole.profile.with_coref();
    let coref = Settings { coref: whole.coref.clone(), ..with(&[Level::Sentence, Level::Coref], &claims) };
    [
        ("NLI_sent", with(&[Level::Sentence], &ClaimExtractor::Sentence)),
        ("NLI_claim", with(&[Level::Sentence], &claims)),
        ("NLI_coref", coref),
        ("FENICE", whole),
    ]
}
