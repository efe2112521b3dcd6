//! The commands of the laboratory, and the flags of those that are no benchmarks.

use std::path::PathBuf;

use crate::extract::{Extraction, Method, Rule};
use clap::{Args, Parser, Subcommand};

use veridic_program::args::{Format, RowsArgs};
use veridic_program::choice::choice;
use veridic_program::completions::CompletionsArgs;
use veridic_program::run::RunArgs;
use veridic_program::settings::{ModelAlone, SettingArgs};

use super::commands::bench::Benchmarks;
use super::encoder::EncoderArgs;
use super::settings::Measuring;

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("it must be a number between 0 and 1".to_owned()),
    }
}

/// The papers' tables, and the commands that measure them.
const PAPERS: &str = "\
Papers, their tables and the command of each (docs/papers.md has whole commands):
  FENICE, 3, 4, 5, 9              aggrefact; 5 with --ablation, 9 with --model roberta-large
  FENICE, 7                       story-summeval
  FENICE, 1, 8                    rose
  FineSurE, 1, 2                  frank --metric finesure:faithfulness --answers, or --given-answers
  FineSurE, 3                     realsumm; 3b with --dimension conciseness
  FineSurE, 5 to 7, 11, 12        the same with --answers of each language model
  SumAutoEval, 3                  summeval --metric sumautoeval:consistency
  SumAutoEval, 1                  entities
  Extract-then-Evaluate, 2, 3     longeval --methods METHOD,...; figures with --plots
  TofuEval, 2, 3, 7 to 10         tofueval
  TofuEval, 4                     run --metric tofueval:sentence --judge-runs 3
  TofuEval, 6                     tofueval --metric relevance, or key-points
`--paper` prints the published rows with this program's below, and what differs.";

/// The laboratory of Veridic: benchmarks, the papers' metrics, calibration and comparison
///
/// Commands that judge take the settings of `veridic run`.
#[derive(Debug, Parser)]
#[command(name = "veridic-bench", version, propagate_version = true, after_help = PAPERS)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure one summary by metrics
    Score(ScoreArgs),
    /// Measure every row of a corpus by metrics
    ///
    /// `veridic run`, with --metric and its settings.
    Run(Box<RunArgs<Measuring>>),
    /// The requests to a language model that a metric as published needs
    ///
    /// Nothing is sent: any tool answers them, and --answers of `score`, `run` and the benchmarks reads the answers back.
    /// METRIC is finesure, sumautoeval, rating or tofueval, each also as NAME:AXIS,AXIS, or fenice for its claims.
    /// docs/how-to/language-models.md shows the way.
    Prompts(Box<PromptsArgs>),
    /// The sentences of a document that a summary is likely to be about
    Extract(ExtractArgs),
    /// Fit the limit of support to labelled scores
    ///
    /// By balanced accuracy, or by a precision that is named. It is written as a rules file, with its interval.
    Calibrate(CalibrateArgs),
    /// Compare two score files over the same rows: is the difference more than chance?
    ///
    /// The rows on which the files differ most are shown.
    Compare(CompareArgs),
    /// Print completions for a shell, or manual pages
    Completions(CompletionsArgs),
    #[command(flatten)]
    Bench(Benchmarks),
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// Text file of the source document; `-` reads standard input
    pub(crate) document: PathBuf,
    /// Text file of the summary; `-` reads standard input
    pub(crate) summary: PathBuf,
    /// Text file of a summary by people, for metrics that compare with one
    #[arg(long, value_name = "FILE")]
    pub(crate) reference: Option<PathBuf>,
    /// text for a person, json for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Measuring>,
}

#[derive(Debug, Args)]
pub(crate) struct PromptsArgs {
    /// Metric: fenice, finesure, sumautoeval, rating or tofueval
    #[arg(value_name = "METRIC")]
    pub(crate) name: String,
    /// Files of rows with a document and a summary; `-` reads standard input
    ///
    /// As for `run`: .jsonl, .json, .csv, .tsv (each also .gz, .zst), .parquet; patterns such as 'data/*.jsonl'.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) requests: RequestsArgs,
    #[command(flatten)]
    pub(crate) rows: RowsArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Measuring>,
}

/// Where requests are written.
#[derive(Debug, Args)]
pub(crate) struct RequestsArgs {
    /// File of requests to write, JSONL
    ///
    /// Each request once, without those that --answers has.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write lines of OpenAI's batch files, for the model of this name
    ///
    /// vLLM's `run-batch` reads them too; their outputs are answers as they come.
    #[arg(long, value_name = "NAME")]
    pub(crate) batch_model: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// Text file of the document; `-` reads standard input
    #[arg(value_name = "DOCUMENT")]
    pub(crate) document: PathBuf,
    /// The summary
    #[arg(value_name = "SUMMARY")]
    pub(crate) summary: PathBuf,
    /// How sentences are chosen
    ///
    /// lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli.
    #[arg(long, value_name = "METHOD", value_parser = choice(&Method::ALL, Method::name, |_| ""), default_value = "rouge-1")]
    pub(crate) method: Method,
    /// Token budget of the extract
    #[arg(long, value_name = "N", default_value_t = Extraction::USUAL_BUDGET)]
    pub(crate) budget: usize,
    /// How wording counts: authors or fill
    ///
    /// And what happens at the budget. authors: word stems, and the first sentence that does not fit ends the extract, as in
    /// the authors' program; fill: words as written, and a sentence that does not fit is skipped.
    #[arg(long = "extract-rule", value_name = "RULE", default_value = "authors", value_parser = choice(&Rule::ALL, Rule::name, |_| ""))]
    pub(crate) rule: Rule,
    /// The model whose tokenizer counts tokens [default: the NLI model]
    ///
    /// A name, a folder or a hub id; only its tokenizer is needed.
    #[arg(long, value_name = "MODEL")]
    pub(crate) budget_tokenizer: Option<String>,
    #[command(flatten)]
    pub(crate) encoder: EncoderArgs,
    /// text for a person, json for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<ModelAlone>,
}

#[derive(Debug, Args)]
pub(crate) struct CalibrateArgs {
    /// Outputs of `veridic run` as .jsonl
    ///
    /// All with the same NLI model and the same rules.
    #[arg(required = true, value_name = "SCORES")]
    pub(crate) scores: Vec<PathBuf>,
    /// Field of the label, 1 (consistent) or 0
    ///
    /// A field that passed through the run.
    #[arg(long, value_name = "FIELD")]
    pub(crate) label: String,
    /// Field that identifies a row's document
    ///
    /// A field that passed through the run. The interval is over documents, since rows of one document are alike. By default the
    /// digest of the document that the run wrote.
    #[arg(long, value_name = "FIELD")]
    pub(crate) document: Option<String>,
    /// The lowest limit with this share of consistent rows among supported ones
    ///
    /// Such as 0.95. Without it, the limit with the best balanced accuracy is chosen.
    #[arg(long, value_name = "P", value_parser = share)]
    pub(crate) precision: Option<f64>,
    /// Seed of the bootstrap samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Rules file to write, for --rules
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Output of `veridic run`, or any rows with a field score
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,
    /// The same, of other settings or another program
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,
    /// Field of the label, 1 (consistent) or 0
    ///
    /// It may have passed through a run.
    #[arg(long, value_name = "FIELD")]
    pub(crate) label: String,
    /// A row counts as consistent above X
    ///
    /// Instead of thresholds that one half of the rows tunes for the other.
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(crate) decide_at: Option<f64>,
    /// Number of rows to show, on which the files differ most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) rows: usize,
    /// Seed of the bootstrap samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Folder for a plot of both ROC curves (.svg)
    #[arg(long, value_name = "DIR")]
    pub(crate) plots: Option<PathBuf>,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}
