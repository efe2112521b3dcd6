//! The flags of `run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use veridic::corpus::run::{FailOn, Shard};

use crate::args::{ProgressChoice, RowsArgs, TableArgs};
use crate::choice::choice;
use crate::settings::{Audience, SettingArgs};

/// The flags of `run`.
#[derive(Debug, Args)]
pub struct RunArgs<A: Audience> {
    /// Files of rows with a document and a summary; `-` reads standard input
    ///
    /// .jsonl, .json, .csv, .tsv (each also .gz, .zst), .parquet; patterns such as 'data/*.jsonl'.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// File to write: .jsonl, .csv, .tsv or .parquet; `-`: standard output
    ///
    /// One row a pair, in the input's order. Standard output gets JSONL.
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Continue an interrupted run, or one in which rows failed
    ///
    /// It needs the journal beside the output file. A run in which every row was judged leaves none.
    #[arg(long)]
    pub resume: bool,
    /// Check citations such as `[1]` against the sources they name
    ///
    /// Documents must be lists of texts or of objects with `id` and `text`. The id of a source in square brackets is a marker;
    /// markers are left out of what the model reads. docs/how-to/rag-answers.md has the verdicts on citations.
    #[arg(long)]
    pub citations: bool,
    /// What happens to rows that cannot be judged
    #[arg(long, value_enum, default_value_t = OnErrorChoice::Record)]
    pub on_error: OnErrorChoice,
    /// Exit with 1 when the score of a row is below X
    ///
    /// The first ten such rows are named at the end. Rows that cannot be judged make it 2. X is as for `score`.
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub fail_under: Option<f32>,
    /// Exit with 1 if a row has this verdict or worse, or this other fault
    ///
    /// The first ten such rows are named at the end. Rows that cannot be judged make it 2. docs/explanation/verdicts.md tells what
    /// verdicts mean and which limits decide them.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = choice(&FailOn::ALL, FailOn::name, fail_on_help))]
    pub fail_on: Vec<FailOn>,
    /// Field by whose values the rates at the end are grouped
    ///
    /// For example the field with the name of the system that wrote the summary. It must pass through (see --keep). Every run ends
    /// with the share of its claims that are unsupported and contradicted, with intervals.
    #[arg(long, value_name = "FIELD")]
    pub group_by: Option<String>,
    /// Judge only this part of the rows, for `veridic merge`
    ///
    /// From 1/N to N/N, on one machine or several; `veridic merge` joins the outputs.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// How progress is shown on stderr
    #[arg(long, value_enum, default_value_t = ProgressChoice::Auto)]
    pub progress: ProgressChoice,
    /// The rows of the inputs.
    #[command(flatten)]
    pub rows: RowsArgs,
    /// Fields that the output keeps [default: all but the texts]
    ///
    /// They are under `input`, in tables in columns `input.NAME`. Document and summary are left out unless they are named;
    /// `veridic report` needs them, or the judged rows.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", help_heading = "Rows")]
    pub keep: Option<Vec<String>>,
    /// How rows are written.
    #[command(flatten)]
    pub table: TableArgs,
    /// The model and the settings.
    #[command(flatten)]
    pub settings: SettingArgs<A>,
}

/// How rows that cannot be judged are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnErrorChoice {
    /// The first one ends the run
    Fail,
    /// They are left out and counted
    Skip,
    /// They are rows of the output with `error`, and counted; the exit code is 2
    Record,
}

/// Returns the description of a `--fail-on` value.
#[must_use]
pub fn fail_on_help(on: FailOn) -> &'static str {
    match on {
        FailOn::Contradicted => "The document contradicts it",
        FailOn::Unsupported => "It is contradicted or unsupported",
        FailOn::WrongCitation => "A claim has a wrong citation; with --citations",
        FailOn::Unjudged => "Words of it have no verdict: headings, greetings, questions",
    }
}
