//! The flags of every benchmark: what is measured, and on what.

use std::path::PathBuf;

use clap::Args;
use veridic::corpus::read::Format as InputFormat;
use veridic_program::args::Format;
use veridic_program::settings::SettingArgs;

use crate::program::settings::Measuring;

/// What is measured, and on what.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasureArgs {
    /// The labelled files, as published or as rows
    ///
    /// Rows: .jsonl, .json, .csv, .tsv (each also .gz, .zst), .parquet.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(super) data: Vec<PathBuf>,
    /// Format of the data, if the file names do not show it
    ///
    /// jsonl, json, csv, tsv or parquet.
    #[arg(long, value_name = "FORMAT")]
    pub(super) input_format: Option<InputFormat>,
    /// Use these scores instead of computing them
    ///
    /// By `veridic run` or any other program: rows with a field score, or a .txt with one number on each line.
    #[arg(long, value_name = "FILE")]
    pub(super) scores: Option<PathBuf>,
    /// Write the requests to a language model instead of measuring
    ///
    /// To this file, JSONL, for metrics that ask one; then give the answers by --answers. With --batch-model as lines of OpenAI's
    /// batch files.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "judge", "plots"])]
    pub(super) prompts: Option<PathBuf>,
    /// Model that is named in the requests of --prompts
    #[arg(long, value_name = "NAME", requires = "prompts")]
    pub(super) batch_model: Option<String>,
    /// Folder for plots (.svg)
    ///
    /// ROC curve, histograms by label, errors by threshold, reliability.
    #[arg(long, value_name = "DIR")]
    pub(super) plots: Option<PathBuf>,
    /// Measure a sample of N rows, with some of each kind
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Print the published tables with this run's rows below
    ///
    /// And what differs from the papers' set-ups, for all figures or some of them.
    #[arg(long)]
    pub(super) paper: bool,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) settings: SettingArgs<Measuring>,
}

pub(super) fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("it must be a finite number".to_owned()),
    }
}
