//! AggreFact under settings that each add one part of FENICE, as in table 5 of its paper. Each pair is computed once:
//! later settings find the pairs of earlier ones in the cache.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde::Serialize;
use veridic::pipeline::{ClaimExtractor, CorefResolver, Settings};
use veridic::rules::{CorefChoice, Level};
use veridic_program::args::Format;
use veridic_program::output;
use veridic_stats::plots::{self, ScoredList};

use super::args::MeasureArgs;
use super::data::{Data, refuse_abstaining};
use super::report::{DataReport, exit_code};
use super::{evaluated, paper};
use crate::Evaluator;
use crate::benchmarks::aggrefact::{AggreFact, Compared, compare, published_ablation, under_the_ablation};
use crate::program::{plan, plot_files};
use crate::protocol::{PublishedTable, RunSetUp, against_the_papers};

/// The output of `--format json`.
#[derive(Serialize)]
struct Report<'r> {
    settings: &'r [Compared],
    data: DataReport<'r>,
    published: &'r PublishedTable,
}

pub(super) fn run(args: &MeasureArgs) -> Result<ExitCode> {
    refuse_what_it_sets(args)?;
    refuse_abstaining(args)?;
    let mut reading = Data::read(&AggreFact, args)?.reading;
    let mut scorer = plan::scorer(&args.settings)?;
    let (mut names, mut lists, mut set_up) = (Vec::new(), Vec::new(), String::new());
    ensure!(
        !matches!(scorer.settings().claims, ClaimExtractor::Sentence),
        "--ablation compares sentences with claims: give --claims t5, or another value but `sentence`"
    );
    for (name, settings) in parts(scorer.settings()) {
        let evaluator = Evaluator::new(scorer.with_settings(settings));
        names.push(name.to_owned());
        lists.push(evaluated::score(&evaluator, &reading.cases, args)?);
        set_up = paper::set_up(&evaluator);
        scorer = evaluator.into_scorer();
    }
    let lists = evaluated::leave_out_failed(&mut reading, lists)?;
    let lists: Vec<(String, Vec<f64>)> = names.into_iter().zip(lists).collect();
    let labels: Vec<bool> = reading.cases.iter().map(|case| case.is_consistent).collect();
    draw(&lists, &labels, args)?;
    let compared = compare(&reading.cases, &lists)?;
    match args.format {
        Format::Text if args.paper => {
            let run = RunSetUp::scored(format!("the last row: {set_up}"));
            output::lines(&against_the_papers(&[under_the_ablation(&compared)], &run))?;
        }
        Format::Text => output::lines(&under_the_ablation(&compared).lines())?,
        Format::Json => {
            let (data, published) = (DataReport::of(&reading, args), published_ablation());
            output::json(&Report { settings: &compared, data, published })?;
        }
    }
    Ok(exit_code(&reading))
}

/// Draws the ROC curves of all settings, and the other plots of the last.
fn draw(lists: &[(String, Vec<f64>)], labels: &[bool], args: &MeasureArgs) -> Result<()> {
    let Some(folder) = &args.plots else { return Ok(()) };
    let lists: Vec<ScoredList<'_>> =
        lists.iter().map(|(name, scores)| ScoredList { name, scores, labels }).collect();
    let mut drawn = vec![("roc", plots::roc(&lists)?)];
    // Its own ROC curve is among the four.
    drawn.extend(plot_files::all_of(&lists[lists.len() - 1])?.into_iter().filter(|(name, _)| *name != "roc"));
    plot_files::write(folder, &drawn, args.settings.quiet)
}

fn refuse_what_it_sets(args: &MeasureArgs) -> Result<()> {
    ensure!(args.scores.is_none(), "--ablation computes its own scores: leave --scores out");
    ensure!(
        args.settings.all_given().get("levels").is_none(),
        "--ablation sets the levels itself: leave `levels` out"
    );
    Ok(())
}

/// Returns the settings, from the document's sentences against the summary's sentences to all of FENICE.
fn parts(all: &Settings) -> [(&'static str, Settings); 4] {
    let claims = &all.claims;
    let with = |levels: &[Level], claims: &ClaimExtractor| {
        let mut settings = Settings { claims: claims.clone(), ..all.clone() };
        settings.rules.levels = levels.to_vec();
        if !levels.contains(&Level::Coref) {
            settings.rules.coref = CorefChoice::Off;
        }
        settings
    };
    let mut whole = all.clone();
    if whole.coref.is_off() {
        whole.coref = CorefResolver::Rules;
        whole.rules.coref = CorefChoice::Rules;
    }
    if !whole.rules.levels.contains(&Level::Coref) {
        whole.rules.levels.push(Level::Coref);
        whole.rules.levels.sort_unstable();
    }
    let mut coref = Settings { coref: whole.coref.clone(), ..with(&[Level::Sentence, Level::Coref], claims) };
    coref.rules.coref = whole.rules.coref.clone();
    [
        ("NLI_sent", with(&[Level::Sentence], &ClaimExtractor::Sentence)),
        ("NLI_claim", with(&[Level::Sentence], claims)),
        ("NLI_coref", coref),
        ("FENICE", whole),
    ]
}
