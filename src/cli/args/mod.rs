//! The flags as they are typed. Nothing is decided here but their names, help and types.

mod judging;
mod measuring;
mod models;
#[cfg(feature = "server")]
mod serving;

use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(super) use self::judging::*;
use self::judging::{DEFAULT_BUDGET, DEFAULT_CLAIMS, extract_method, extract_rule};
pub(super) use self::measuring::*;
pub(super) use self::models::*;
#[cfg(feature = "server")]
pub(super) use self::serving::*;
use clap::{Args, Parser, Subcommand, ValueEnum};
use veridic::corpus::read::Format as InputFormat;
use veridic::corpus::run::Shard;
use veridic::corpus::write::OutputFormat;
use veridic::extract::{Method, Rule};

/// Says, claim by claim, whether a summary is supported by its source document, and shows the
/// evidence. Runs on this machine; nothing is sent anywhere.
///
/// Verdicts: a claim is supported when its score is at least the limit; contradicted when it is not and the document
/// says otherwise; else unsupported. A summary is supported when all its claims are. docs/verdicts.md tells more.
#[derive(Debug, Parser)]
#[command(name = "veridic", version, propagate_version = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Judge one summary against its document
    Score(ScoreArgs),
    /// Judge every row of a corpus
    Run(RunArgs),
    /// Join the outputs of `run --shard` to what one run would have written
    Merge(MergeArgs),
    /// The claims of a summary, or of every row of a JSONL file, and the sentences they come from
    Claims(ClaimsArgs),
    /// Entailment, neutral and contradiction probabilities of raw pairs
    Nli(NliArgs),
    /// Judge over HTTP, with a page to paste texts into
    #[cfg(feature = "server")]
    Serve(ServeArgs),
    /// One self-contained page of scores: rows by risk, claims beside their evidence
    Report(ReportArgs),
    /// The sentences of a document that a summary is likely to be about
    Extract(ExtractArgs),
    /// Measure the scores on a labelled file
    Bench(BenchArgs),
    /// From labelled scores: weights of evidence, thresholds of verdicts, and probabilities
    ///
    /// New weights are compared with the scores in the files, by cross-validation over documents. Where they do not rank
    /// rows better, nothing is written and the exit code is 1, unless --even-if-worse.
    Calibrate(CalibrateArgs),
    /// Two score files over the same rows: is the difference more than chance, and where is it?
    Compare(CompareArgs),
    /// The models that this program knows
    Models(ModelsArgs),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person
    Text,
    /// For a program
    Json,
}

#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// Text file of the source document; `-` reads standard input
    pub(super) document: PathBuf,
    /// Text file of the summary; `-` reads standard input
    pub(super) summary: PathBuf,
    /// For a person, for a program, or a page to look at
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub(super) format: ScoreFormat,
    /// Exit with 1 when the score is below X: a probability from 0 to 1 where the model has a calibration, as the bundled
    /// one has; else a score from -1 to 1
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(super) fail_under: Option<f32>,
    /// Exit with 1 when the summary is contradicted; or when it is not supported
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(super) fail_on: Option<FailOnChoice>,
    /// Text file of a summary by people, for metrics that compare with one
    #[arg(long, value_name = "FILE")]
    pub(super) reference: Option<PathBuf>,
    /// Text file of what the summary should say, a fact a line, for metrics that ask for key facts
    #[arg(long, value_name = "FILE")]
    pub(super) key_facts: Option<PathBuf>,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    pub(super) profile: ProfileArgs,
}

/// A verdict that makes a command end with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOnChoice {
    /// The document says otherwise
    Contradicted,
    /// It is contradicted or unsupported
    Unsupported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ScoreFormat {
    Text,
    Json,
    /// One self-contained file: claims beside their evidence
    Html,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Output of `veridic run` as .jsonl
    #[arg(value_name = "SCORES")]
    pub(super) scores: PathBuf,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// The rows that were judged, where the scores do not hold their texts
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(super) source: Option<Vec<PathBuf>>,
    /// Field of the document, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(super) document_field: Option<String>,
    /// Field of the summary, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(super) summary_field: Option<String>,
    /// Field of people's labels, 1 (consistent) or 0
    #[arg(long, value_name = "FIELD")]
    pub(super) label: Option<String>,
    /// No notes on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// Files of rows with a document and a summary: .jsonl, .json, .csv, .tsv (each also .gz, .zst),
    /// .parquet; patterns such as 'data/*.jsonl'; `-` reads standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// File to write, one row a pair in the input's order: .jsonl, .csv, .tsv or .parquet; `-` writes JSONL to standard
    /// output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Go on with a run that was ended, or with rows that changed; do nothing when all is done. Needs an output file,
    /// beside which the journal is
    #[arg(long)]
    pub(super) resume: bool,
    /// What becomes of rows that cannot be judged: end the run, leave them out, or write why
    #[arg(long, value_enum, default_value_t = OnErrorChoice::Record)]
    pub(super) on_error: OnErrorChoice,
    /// Exit with 1 when a summary is contradicted; or when one is not supported. Rows that cannot be judged make it 2
    #[arg(long, value_enum, value_name = "VERDICT")]
    pub(super) fail_on: Option<FailOnChoice>,
    /// Judge only the rows of this part, from 1/N to N/N; `veridic merge` joins the outputs
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// How progress is shown on stderr
    #[arg(long, value_enum, default_value_t = ProgressChoice::Auto)]
    pub(super) progress: ProgressChoice,
    /// Format of the inputs, where names do not tell: jsonl, json, csv, tsv, parquet
    #[arg(long, value_name = "FORMAT", help_heading = "Rows")]
    pub(super) input_format: Option<InputFormat>,
    /// Field of the document, instead of the first of the usual names
    #[arg(long, value_name = "NAME", help_heading = "Rows")]
    pub(super) document_field: Option<String>,
    /// Field of the summary, instead of the first of the usual names
    #[arg(long, value_name = "NAME", help_heading = "Rows")]
    pub(super) summary_field: Option<String>,
    /// Fields that pass through to the output [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", help_heading = "Rows")]
    pub(super) keep: Option<Vec<String>>,
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    pub(super) profile: ProfileArgs,
}

/// How rows are written.
#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// Format of the output, where its name does not tell: jsonl, csv, tsv, parquet
    #[arg(long, value_name = "FORMAT", help_heading = "Rows")]
    pub(super) output_format: Option<OutputFormat>,
    /// One row a claim instead of one row a pair
    #[arg(long, value_enum, value_name = "claims", help_heading = "Rows")]
    pub(super) explode: Option<ExplodeChoice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExplodeChoice {
    /// One row a claim
    Claims,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OnErrorChoice {
    /// The first one ends the run
    Fail,
    /// They are left out and counted
    Skip,
    /// They are rows of the output with `error`, and counted; the exit code is 2
    Record,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressChoice {
    /// A line that is rewritten on a terminal, lines elsewhere
    Auto,
    /// Lines
    Plain,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Outputs of `veridic run --shard I/N`, all N of them
    #[arg(required = true, value_name = "SHARD")]
    pub(super) shards: Vec<PathBuf>,
    /// File to write, in the order of the input: .jsonl, .csv, .tsv or .parquet
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) table: TableArgs,
    /// No notes on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct ClaimsArgs {
    /// Text file of a summary (`-` reads standard input), or a .jsonl file with a field summary
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) extractor: ExtractorArgs,
}

/// How claims are taken out of texts, where no NLI model is asked.
#[derive(Debug, Args)]
pub(super) struct ExtractorArgs {
    /// Where claims come from: sentence, clause (rules), given (the rows' field `claims`), or
    /// t5=NAME|DIR (a text-to-text model)
    #[arg(long, default_value = DEFAULT_CLAIMS, value_name = "HOW")]
    pub(super) claims: ClaimsChoice,
    /// For a person or for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) device: DeviceArgs,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// No notes and no progress on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExtractArgs {
    /// The document; `-` is standard input
    #[arg(value_name = "DOCUMENT")]
    pub(super) document: PathBuf,
    /// The summary
    #[arg(value_name = "SUMMARY")]
    pub(super) summary: PathBuf,
    /// How sentences are chosen: lead, rouge-1, rouge-2, rouge-1+2, bertscore, nli
    #[arg(long, value_name = "METHOD", value_parser = extract_method, default_value = "rouge-1")]
    pub(super) method: Method,
    /// Most tokens of the extract
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    pub(super) budget: usize,
    /// How wording counts, and what happens at the budget: authors (as in their program: word stems, and the first sentence
    /// that does not fit ends the extract) or fill (words as they stand, and it is passed over)
    #[arg(long = "extract-rule", value_name = "RULE", default_value = Rule::Authors.name(), value_parser = extract_rule)]
    pub(super) rule: Rule,
    /// The model whose tokenizer counts them, a name, a folder or a hub id; only its tokenizer must be there [default: the
    /// NLI model]
    #[arg(long, value_name = "NAME|DIR|ID")]
    pub(super) budget_tokenizer: Option<String>,
    #[command(flatten)]
    pub(super) encoder: EncoderArgs,
    /// For a person or for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

#[derive(Debug, Args)]
pub(super) struct NliArgs {
    /// The text that should support the hypothesis
    #[arg(long, requires = "hypothesis", conflicts_with = "input", required_unless_present = "input")]
    pub(super) premise: Option<String>,
    /// The statement to be supported
    #[arg(long, requires = "premise", conflicts_with = "input", required_unless_present = "input")]
    pub(super) hypothesis: Option<String>,
    /// JSONL file with fields premise and hypothesis; one JSON object a line comes out, in order
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// How the answer to one pair is printed
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "input")]
    pub(super) format: Format,
    /// Cut pairs over the token limit instead of refusing them
    #[arg(long, value_enum)]
    pub(super) truncate: Option<TruncateChoice>,
    #[command(flatten)]
    pub(super) model: ModelArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TruncateChoice {
    /// From the end of the longer text, then of both
    #[value(name = "longest_first")]
    LongestFirst,
    /// From the end of the premise
    Premise,
}
