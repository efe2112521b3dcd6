//! `veridic-bench longeval`: scores of long documents as a whole, or of their extracts by several methods and budgets.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use veridic::settings::Given;
use veridic_program::args::Format;
use veridic_program::choice::choice;
use veridic_program::output;

use super::args::MeasureArgs;
use super::data::{Data, refuse_abstaining};
use super::evaluated::report_left_out;
use super::longeval_settings::Scoring;
use super::options::Options;
use super::report::{DataReport, exit_code};
use super::{longeval_plots, measure, paper, prompts};
use crate::benchmarks::longeval::{Dimension, Label, LongEval, beside_grid, grid_lines};
use crate::extract::{Extraction, Method};
use crate::program::settings::Metrics;
use crate::program::{plan, plot_files};
use crate::protocol::{Benchmark, Figures, PublishedTable, Reading, RunSetUp, against_the_papers};

/// The output of `--format json` for several settings.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    grid: &'r Figures,
    data: DataReport<'r>,
    published: &'r [PublishedTable],
}

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
    type Benchmark = LongEval;

    fn open(&self, _: &MeasureArgs) -> Result<LongEval> {
        Ok(LongEval { dimension: self.dimension })
    }

    fn run(&self, measure: &MeasureArgs) -> Result<ExitCode> {
        let benchmark = self.open(measure)?;
        if self.methods.is_empty() {
            return measure::run(&benchmark, measure);
        }
        self.compare(benchmark, measure)
    }
}

impl LongEvalOptions {
    /// Measures whole documents, and extracts by each method and budget.
    fn compare(&self, benchmark: LongEval, measure: &MeasureArgs) -> Result<ExitCode> {
        refuse_abstaining(measure)?;
        let mut reading = Data::read(&benchmark, measure)?.reading;
        let quiet = measure.settings.quiet;
        let collecting = measure.prompts.as_deref().map(|file| prompts::start(file, measure)).transpose()?;
        let measuring = without_models_of_extracts(measure, &self.methods);
        let evaluator = match &collecting {
            Some(collecting) => {
                prompts::evaluator(collecting, &measuring.settings.metrics().metric, &measuring)?
            }
            None => plan::evaluator(&measuring.settings)?,
        };
        let mut scoring = Scoring::new(&evaluator, &reading.cases, quiet);
        for method in &self.methods {
            let extraction = Extraction::new(*method, self.budgets[0]);
            let mut extraction = plan::extraction(extraction, Given::default(), &measure.settings)?;
            if scoring.settings.is_empty() {
                scoring.add_whole_documents(&extraction, measure)?;
            }
            for &budget in &self.budgets {
                extraction.budget = budget;
                scoring.add_extracts(&extraction)?;
            }
        }
        let Scoring { settings, failed, .. } = scoring;
        if let Some(collecting) = collecting {
            return collecting.finish(&evaluator.answer_counts(), quiet);
        }
        evaluator.notes().iter().for_each(|note| output::note_unless(quiet, note));
        report_left_out(&failed, "texts of settings");
        reading.count_failed(failed.len());
        let grid = benchmark.grid(&reading.cases, &settings);
        if let Some(folder) = &measure.plots {
            let drawn = longeval_plots::of(&grid, &self.methods, &self.budgets)?;
            plot_files::write(folder, &drawn, quiet)?;
        }
        print(benchmark, &reading, &grid, &paper::set_up(&evaluator), measure)?;
        Ok(exit_code(&reading))
    }
}

fn print(
    benchmark: LongEval,
    reading: &Reading<Label>,
    grid: &Figures,
    set_up: &str,
    measure: &MeasureArgs,
) -> Result<()> {
    match measure.format {
        Format::Text if measure.paper => {
            let run = RunSetUp::scored(format!("{set_up}, or an extract by the row's method and budget"));
            output::lines(&against_the_papers(&beside_grid(benchmark, grid), &run))?;
            output::lines(&paper::warnings(grid_lines(benchmark, grid)))?;
        }
        Format::Text => output::lines(&grid_lines(benchmark, grid))?,
        Format::Json => {
            let (data, published) = (DataReport::of(reading, measure), benchmark.about().published);
            output::json(&Report { grid, data, published })?;
        }
    }
    Ok(())
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
