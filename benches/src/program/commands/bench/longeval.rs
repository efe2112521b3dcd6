//! `veridic-bench longeval`: scores of long documents as a whole, or of their extracts by several methods and budgets.

use std::process::ExitCode;

use crate::Evaluator;
use crate::extract::{Extraction, Method};
use crate::longeval::{Dimension, LongEval, ScoredSetting, beside_grid, grid_lines};
use crate::{BenchError, Benchmark, Case, Figures, PublishedTable, RunSetUp, against_the_papers};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use veridic::text::NormalizedText;
use veridic::{Evaluate, Pair};

use super::measure::{self, DataReport};
use super::{evaluated, longeval_plots, paper, prompts};
use veridic::settings::Given;

use super::Options;
use crate::program::args::MeasureArgs;
use crate::program::settings::Metrics;
use crate::program::{plan, plot_files};
use veridic_cli::args::{Format, ProgressChoice, choice};
use veridic_cli::progress::{Progress, Whole};
use veridic_cli::show;

/// The output of `--format json` for several settings.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    grid: &'r Figures,
    data: DataReport<'r>,
    published: &'r [PublishedTable],
}

/// The options on the command line.
#[derive(Debug, Args)]
pub(crate) struct LongEvalOptions {
    /// The human ratings to compare with
    #[arg(long, value_enum,
          value_name = "RATING", default_value_t = Dimension::Factuality)]
    dimension: Dimension,
    /// Extraction methods to compare
    ///
    /// lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli. They are compared with each other and with the whole document.
    #[arg(long, value_delimiter = ',', value_name = "METHOD,...", value_parser = choice(&Method::ALL, Method::name, |_| ""),
          group = "extracts", conflicts_with = "scores")]
    methods: Vec<Method>,
    /// Tokens of the extracts [default: 128 to 4096]
    ///
    /// For each method. By default 128,256,512,768,1024,1536,2048,4096.
    #[arg(long, value_delimiter = ',', value_name = "N,...", requires = "methods",
          hide_default_value = true, default_values_t = [128, 256, 512, 768, 1024, 1536, 2048, 4096])]
    budgets: Vec<usize>,
}

impl Options for LongEvalOptions {
    fn open(&self, _: &MeasureArgs) -> Result<Box<dyn Benchmark>> {
        Ok(Box::new(LongEval { dimension: self.dimension }))
    }

    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        match self.methods.is_empty() {
            true => measure::run(&*self.open(measure)?, measure),
            false => compare(self, measure),
        }
    }
}

/// Measures whole documents, and extracts by each method and budget.
fn compare(options: &LongEvalOptions, measure: &MeasureArgs) -> Result<ExitCode> {
    let LongEvalOptions { dimension, methods, budgets } = options;
    let benchmark = LongEval { dimension: *dimension };
    measure::refuse_abstaining(measure)?;
    let (mut reading, _) = measure::read(&benchmark, measure)?;
    let collecting = measure.prompts.as_deref().map(|file| prompts::start(file, measure)).transpose()?;
    let measuring = without_models_of_extracts(measure, methods);
    let evaluator = match &collecting {
        Some(collecting) => prompts::evaluator(collecting, &measuring.settings.metrics().metric, &measuring)?,
        None => plan::evaluator(&measuring.settings)?,
    };
    let (mut settings, mut failed) = (Vec::new(), Vec::new());
    for method in methods {
        let extraction = Extraction::new(*method, budgets[0]);
        let mut extraction = plan::extraction(extraction, Given::default(), &measure.settings)?;
        if settings.is_empty() {
            let scores = evaluated::score(&evaluator, &reading.cases, measure)?;
            let scores = scores.into_iter().map(|score| score.map_err(|error| failed.push(error)).ok());
            settings.push(whole(&evaluator, &extraction, &reading.cases, scores.collect())?);
        }
        for &budget in budgets {
            extraction.budget = budget;
            let quiet = measure.settings.quiet;
            settings.push(extracts(&evaluator, &extraction, &reading.cases, &mut failed, quiet)?);
        }
    }
    if let Some(collecting) = collecting {
        return collecting.finish(&evaluator.answer_counts(), measure.settings.quiet);
    }
    evaluator.notes().iter().for_each(|note| show::note_unless(measure.settings.quiet, note));
    evaluated::report_left_out(&failed, "texts of settings");
    reading.count_failed(failed.len());
    let grid = benchmark.grid(&reading.cases, &settings);
    if let Some(folder) = &measure.plots {
        let drawn = longeval_plots::of(&grid, methods, budgets)?;
        let drawn: Vec<(&str, String)> =
            drawn.iter().map(|(name, svg)| (name.as_str(), svg.clone())).collect();
        plot_files::write(folder, &drawn, measure.settings.quiet)?;
    }
    match measure.format {
        Format::Text if measure.paper => {
            let by_row = "or an extract by the row's method and budget";
            let run = RunSetUp::scored(format!("{}, {by_row}", paper::set_up(&evaluator)));
            show::lines(&against_the_papers(&beside_grid(benchmark, &grid), &run))?;
            show::lines(&paper::warnings(grid_lines(benchmark, &grid)))?;
        }
        Format::Text => show::lines(&grid_lines(benchmark, &grid))?,
        Format::Json => {
            let data = DataReport::of(&reading, measure);
            show::json(&Report { grid: &grid, data, published: benchmark.about().published })?;
        }
    }
    Ok(measure::exit_code(&reading))
}

/// Returns the flags without those that only extracts use: the tokenizer, and BERTScore's encoder unless the metric needs
/// it.
fn without_models_of_extracts(measure: &MeasureArgs, methods: &[Method]) -> MeasureArgs {
    let mut measure = measure.clone();
    measure.settings = measure.settings.with("budget_tokenizer", "off");
    let is_metric = measure.settings.metrics().metric.iter().any(|name| name.starts_with("bertscore"));
    if methods.contains(&Method::BertScore) && !is_metric {
        measure.settings = measure.settings.with("bertscore_model", "off").with("bertscore_layer", "off");
    }
    measure
}

/// The setting of whole documents; `extraction` counts tokens.
fn whole(
    evaluator: &Evaluator,
    extraction: &Extraction,
    cases: &[Case],
    scores: Vec<Option<f64>>,
) -> Result<ScoredSetting> {
    let tokens = |case: &Case| {
        let of = |text: &str| extraction.tokens(evaluator.scorer(), NormalizedText::of(text).text());
        Ok(of(&case.document)? + of(&case.text)?)
    };
    Ok(ScoredSetting {
        name: "whole".to_owned(),
        budget: None,
        scores,
        tokens: cases.iter().map(tokens).collect::<Result<_>>()?,
        places: vec![Vec::new(); cases.len()],
    })
}

/// The setting of extracts. A summary whose extract is empty has no score, nor has one that failed.
fn extracts(
    evaluator: &Evaluator,
    extraction: &Extraction,
    cases: &[Case],
    failed: &mut Vec<BenchError>,
    quiet: bool,
) -> Result<ScoredSetting> {
    let (scorer, budget) = (evaluator.scorer(), extraction.budget);
    let progress = Progress::new(Whole::Rows(cases.len()), ProgressChoice::Auto, quiet);
    let name = format!("{} {budget}", extraction.method.name());
    let mut setting =
        ScoredSetting { name, budget: Some(budget), scores: vec![], tokens: vec![], places: vec![] };
    for cases in cases.chunks(evaluated::BATCH_TEXTS) {
        let read: Vec<_> =
            cases.iter().map(|case| [&*case.document, &case.text].map(NormalizedText::of)).collect();
        let texts: Vec<Pair<'_>> =
            read.iter().map(|[document, summary]| Pair::new(document.text(), summary.text())).collect();
        let passages = extraction.passages(scorer, &texts, &|event| progress.event(event))?;
        let judged = passages.iter().zip(cases).filter(|(passage, _)| !passage.text.is_empty());
        let pairs: Vec<Pair<'_>> =
            judged.map(|(passage, case)| passage.instead(evaluated::pair(case))).collect();
        let mut results = evaluator.evaluate(&pairs, &|event| progress.event(event)).into_iter();
        for ((passage, case), text) in passages.iter().zip(cases).zip(&texts) {
            let result = if passage.text.is_empty() { None } else { results.next() };
            let result = result.map(|result| evaluated::of_text(case, result)).transpose()?;
            let result = result.and_then(|result| result.map_err(|error| failed.push(error)).ok());
            setting.scores.push(result.map(|result| f64::from(result.score)));
            setting
                .tokens
                .push(extraction.tokens(scorer, &passage.text)? + extraction.tokens(scorer, text.summary)?);
            let place = |sentence: &usize| (*sentence as f64 + 0.5) / passage.document_sentences() as f64;
            setting.places.push(passage.sentences.iter().map(place).collect());
        }
        progress.rows_done(cases.len());
    }
    progress.finish();
    Ok(setting)
}
