//! The flags: their names, help and types. `plan.rs` and the subcommands use them.

mod hints;
mod models;
#[cfg(feature = "server")]
mod serving;

use std::path::{Path, PathBuf};

pub(crate) use self::hints::HINTS;
pub(crate) use self::models::*;
#[cfg(feature = "server")]
pub(crate) use self::serving::*;
use clap::{Args, Parser, Subcommand, ValueEnum};
use veridic::corpus::run::FailOn;
use veridic_program::args::{ExtractorArgs, Format, ReadAsChoice, TableArgs};
use veridic_program::choice::choice;
use veridic_program::completions::CompletionsArgs;
use veridic_program::run::{RunArgs, fail_on_help};
use veridic_program::settings::{Judging, ModelAlone, SettingArgs};

macro_rules! benchmarks_are_elsewhere {
    () => {
        "Benchmarks and the papers' metrics are in the program veridic-bench."
    };
}

/// Where a command is that this program does not have.
#[cfg(feature = "mcp")]
pub(crate) const ELSEWHERE: &str = benchmarks_are_elsewhere!();
#[cfg(not(feature = "mcp"))]
pub(crate) const ELSEWHERE: &str =
    concat!(benchmarks_are_elsewhere!(), " The command mcp is in builds with the feature `mcp`.");

/// The end of the help.
const AFTER_HELP: &str = concat!(
    "`-h` is short, `--help` is complete; `veridic COMMAND --help` is about one command.\n",
    benchmarks_are_elsewhere!()
);

/// Says, claim by claim, whether a summary is supported by its source document
///
/// It shows the evidence, runs on this machine and sends nothing anywhere.
///
/// Verdicts: a claim is supported if its score reaches the limit; else contradicted if the document contradicts it;
/// else unsupported. A summary is supported if all its claims are. docs/explanation/verdicts.md has the rules.
#[derive(Debug, Parser)]
#[command(name = "veridic", version, propagate_version = true)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge one summary against its document
    Score(ScoreArgs),
    /// Judge every row of a corpus
    Run(RunArgs<Judging>),
    /// Join the outputs of `run --shard` into the output of one run
    Merge(MergeArgs),
    /// The claims of a summary, or of every row of a JSONL file
    ///
    /// Each is printed under its sentence. A row without claims becomes an error row in its place, and the exit code is 2.
    Claims(ClaimsArgs),
    /// Entailment, neutral and contradiction probabilities of raw pairs
    Nli(NliArgs),
    /// Judge a coding agent's last message against what its tools returned
    ///
    /// It reads the JSON of a stop hook from standard input and prints the sentences that are not supported. The exit code is
    /// 1 if there are any. docs/how-to/agents.md has configurations.
    Hook(HookArgs),
    /// Judge over HTTP, with a page to paste texts into
    #[cfg(feature = "server")]
    Serve(ServeArgs),
    /// Tools for language models, over the Model Context Protocol
    ///
    /// It speaks on standard input and output with the client that starts it; docs/how-to/mcp.md has configurations.
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// One self-contained page of scores: rows by risk, claims beside their evidence
    ///
    /// It quotes documents and summaries, which `run` leaves out of its output. So either give the judged rows with
    /// --source, or let `run` keep the texts: `veridic run rows.jsonl -o scores.jsonl --keep document,summary,label`.
    /// --label names the field of people's labels, in the kept fields or in the rows of --source.
    Report(ReportArgs),
    /// The rules that these flags have, and who set each value
    ///
    /// The output is a rules file, for --rules.
    Rules(RulesArgs),
    /// The models that this program knows
    Models(ModelsArgs),
    /// Print completions for a shell, or manual pages
    ///
    /// For example: `veridic completions bash > ~/.local/share/bash-completion/completions/veridic`,
    /// `veridic completions zsh > DIR/_veridic` with DIR in $fpath,
    /// `veridic completions fish > ~/.config/fish/completions/veridic.fish`,
    /// `veridic completions man -o ~/.local/share/man/man1`.
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct ScoreArgs {
    /// File of the source document; `-` reads standard input
    ///
    /// A text, or a PDF, a Word document, a page of HTML, a mail (.eml) or RTF; docs/reference/texts.md says how they are read.
    #[arg(required_unless_present = "sources", conflicts_with = "sources")]
    pub(crate) document: Option<PathBuf>,
    /// File of the summary; `-` reads standard input
    pub(crate) summary: PathBuf,
    /// File of one of several sources, instead of DOCUMENT; repeat it
    ///
    /// `veridic score --source a.txt --source b.txt summary.txt`. Results name the source of every piece of evidence. A source's id is its
    /// number, from 1, or the text before `=` in ID=FILE.
    #[arg(long = "source", value_name = "[ID=]FILE")]
    pub(crate) sources: Vec<SourceFile>,
    /// Check citations such as `[1]` against the sources they name
    ///
    /// It needs --source. The id of a source in square brackets is a marker; markers are left out of what the model reads. docs/how-to/rag-answers.md
    /// has the verdicts on citations.
    #[arg(long)]
    pub(crate) citations: bool,
    /// What the files are read as
    ///
    /// Their names do not matter.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ReadAsChoice::Auto)]
    pub(crate) read_as: ReadAsChoice,
    /// Write the document's text, as it was judged, to a new file
    #[arg(long, value_name = "FILE")]
    pub(crate) keep_text: Option<PathBuf>,
    /// text, json, html to look at, or the corrected summary
    ///
    /// corrected prints the summary as the document has it. On a terminal, text is folded at its width; elsewhere a line stays one line. A corrected
    /// summary is printed as given outside its corrections; notes on stderr list what was corrected and what has no place in the
    /// summary.
    #[arg(long, value_enum, default_value_t = ScoreFormat::Text)]
    pub(crate) format: ScoreFormat,
    /// Show everything that decided each claim (the other formats always do)
    ///
    /// The model's probabilities, the rule that capped the score, what is nowhere in the document, longer passages.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 1 when the score is below X
    ///
    /// X is on the scale of the score: a probability from 0 to 1, or from -1 to 1 under the papers' profiles.
    /// docs/explanation/verdicts.md explains scores and how to choose a limit.
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(crate) fail_under: Option<f32>,
    /// Exit with 1 on this verdict or worse, or this other fault
    ///
    /// docs/explanation/verdicts.md explains verdicts and their limits.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = choice(&FailOn::ALL, FailOn::name, fail_on_help))]
    pub(crate) fail_on: Vec<FailOn>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

/// A file that is one source of a document.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// `None` stands for the source's number.
    pub(crate) id: Option<String>,
    pub(crate) file: PathBuf,
}

impl From<&str> for SourceFile {
    /// Treats text before `=` as an id unless a file has the whole name.
    fn from(text: &str) -> Self {
        match text.split_once('=') {
            Some((id, file)) if !Path::new(text).exists() => Self { id: Some(id.into()), file: file.into() },
            _ => Self { id: None, file: text.into() },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreFormat {
    Text,
    Json,
    /// One self-contained file: claims beside their evidence
    Html,
    /// The summary, with what the document says in the place of what it does not
    Corrected,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Output of `veridic run`, one row a pair: .jsonl, .csv, .tsv or .parquet
    #[arg(value_name = "SCORES")]
    pub(crate) scores: PathBuf,
    /// File to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The judged rows, if the scores do not hold their texts
    ///
    /// Scores hold them after `veridic run --keep document,summary,...`. Rows are matched by their field id; without ids
    /// they must be the rows that were judged, in order.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) source: Option<Vec<PathBuf>>,
    /// Field of the document, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(crate) document_field: Option<String>,
    /// Field of the summary, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(crate) summary_field: Option<String>,
    /// Field of people's labels, 1 (consistent) or 0
    ///
    /// It is a field that `run` kept, or one of the rows of --source. With labels the page can show the
    /// rows with wrong verdicts.
    #[arg(long, value_name = "FIELD")]
    pub(crate) label: Option<String>,
    /// Field by whose values rates are grouped
    ///
    /// For example the field with the name of the system that wrote the summary: a field that `run` kept, or one of the rows of
    /// --source. The page has the share of claims that are unsupported and contradicted, with intervals.
    #[arg(long, value_name = "FIELD")]
    pub(crate) group_by: Option<String>,
    /// No notes on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Outputs of `veridic run --shard I/N`, all N of them
    #[arg(required = true, value_name = "SHARD")]
    pub(crate) shards: Vec<PathBuf>,
    /// File to write: .jsonl, .csv, .tsv or .parquet
    ///
    /// In the order of the input.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// No notes on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ClaimsArgs {
    /// File of a summary, or .jsonl with a field summary
    ///
    /// `-` reads a summary from standard input.
    pub(crate) file: PathBuf,
    /// What the file is read as
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ReadAsChoice::Auto)]
    pub(crate) read_as: ReadAsChoice,
    #[command(flatten)]
    pub(crate) extractor: ExtractorArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// text: a rules file; json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Judging>,
}

#[derive(Debug, Args)]
pub(crate) struct NliArgs {
    /// The text that should support the hypothesis
    #[arg(long, requires = "hypothesis", conflicts_with = "input", required_unless_present = "input")]
    pub(crate) premise: Option<String>,
    /// The statement that it should support
    #[arg(long, requires = "premise", conflicts_with = "input", required_unless_present = "input")]
    pub(crate) hypothesis: Option<String>,
    /// JSONL file with fields premise and hypothesis
    ///
    /// The output has one JSON object a line, in order.
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// How the result of one pair is printed
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "input")]
    pub(crate) format: Format,
    /// Cut pairs over the token limit instead of refusing them
    #[arg(long, value_enum)]
    pub(crate) truncate: Option<TruncateChoice>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<ModelAlone>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TruncateChoice {
    /// From the end of the longer text, then of both
    #[value(name = "longest_first")]
    LongestFirst,
    /// From the end of the premise
    Premise,
}
