//! The flags as they are typed. Nothing is decided here but their names, help and types.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use veridic::corpus::read::Format as InputFormat;
use veridic::corpus::run::Shard;
use veridic::corpus::write::OutputFormat;
use veridic::extract::Method;

/// Says, claim by claim, whether a summary is supported by its source document, and shows the
/// evidence. Runs on this machine; nothing is sent anywhere.
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
    /// One self-contained page of scores: rows by risk, claims beside their evidence
    Report(ReportArgs),
    /// The sentences of a document that a summary is likely to be about
    Extract(ExtractArgs),
    /// Measure the scores on a labelled file
    Bench(BenchArgs),
    /// From labelled scores: weights of evidence, thresholds of verdicts, and probabilities
    Calibrate(CalibrateArgs),
    /// Two score files over the same rows: is the difference more than chance, and where is it?
    Compare(CompareArgs),
    /// The models that this program knows
    Models(ModelsArgs),
}

/// The NLI model and how it runs.
#[derive(Debug, Args)]
pub(super) struct ModelArgs {
    /// NLI model: a name from `veridic models list`, a folder with config.json, weights and a tokenizer's files, or a
    /// hub id (OWNER/NAME) that was pulled
    #[arg(long, default_value = "mini", value_name = "NAME|DIR|ID", help_heading = "Model")]
    pub(super) model: String,
    /// Names of the model's outputs in order, where its config.json does not give them
    #[arg(long, value_delimiter = ',', value_name = "NAME,NAME,...", help_heading = "Model")]
    pub(super) labels: Option<Vec<String>>,
    /// Longest pair in tokens, below the model's own limit
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(super) max_tokens: Option<usize>,
    /// Numbers that the model computes in
    #[arg(long, value_enum, default_value_t = DtypeChoice::F32, help_heading = "Model")]
    pub(super) dtype: DtypeChoice,
    /// Tokens computed together; changes speed and memory, never a result
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(super) batch_tokens: Option<NonZeroUsize>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(super) threads: Option<NonZeroUsize>,
    /// No notes and no progress on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DtypeChoice {
    /// 32-bit floating point: the model's own numbers
    F32,
    /// 8-bit integers with scales: faster, scores move a little
    Int8,
}

/// What BERTScore is computed with.
#[derive(Debug, Args)]
pub(super) struct BertScoreArgs {
    /// BERTScore's encoder, RoBERTa or DeBERTa-v2/v3: a name, a folder or a hub id that was pulled [default: bertscore,
    /// which is FacebookAI/roberta-large; --metric all leaves BERTScore out unless one of its flags is given]
    #[arg(long, value_name = "NAME|DIR|ID", help_heading = "Scoring")]
    pub(super) bertscore_model: Option<String>,
    /// The layer whose vectors are compared; 0 is the embeddings [default: the one that is published as the model's
    /// best, 17 for bertscore; else the last]
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    pub(super) bertscore_layer: Option<usize>,
    /// Text file of reference sentences, one a line: BERTScore's tokens count the less the more of them they are in
    #[arg(long, value_name = "FILE", help_heading = "Scoring")]
    pub(super) bertscore_idf: Option<PathBuf>,
}

/// How a pair is judged.
#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
    /// Rules of the score: veridic (our best measured), paper (FENICE's equations), released
    /// (what its authors' program computes), released-aggrefact (the same as they ran it on AggreFact), checker (as the
    /// authors of a checker use it) [default: checker for a checker, else veridic]
    #[arg(long, value_name = "NAME", help_heading = "Scoring")]
    pub(super) profile: Option<String>,
    /// Where claims come from: sentence, clause (rules), given (the rows' field `claims`), or
    /// t5=NAME|DIR (a text-to-text model; t5 is FENICE's) [default: sentence under profile checker, else clause]
    #[arg(long, value_parser = claims_choice, value_name = "HOW", help_heading = "Scoring")]
    pub(super) claims: Option<ClaimsChoice>,
    /// What finds other names of the same thing, for the level coref: off, rules, or the folder of an
    /// F-Coref model [default: rules under profile veridic, else off]
    #[arg(long, value_parser = coref_choice, value_name = "off|rules|DIR", help_heading = "Scoring")]
    pub(super) coref: Option<CorefChoice>,
    /// Levels to compute, instead of the profile's
    #[arg(long, value_enum, value_delimiter = ',', help_heading = "Scoring")]
    pub(super) levels: Option<Vec<LevelChoice>>,
    /// Sentences of a window
    #[arg(long, value_name = "J", help_heading = "Scoring")]
    pub(super) window: Option<NonZeroUsize>,
    /// Sentences from one window to the next
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    pub(super) stride: Option<NonZeroUsize>,
    /// A sentence score of at least T ends a claim; below it, windows and document decide alone
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(super) threshold: Option<f32>,
    /// What a premise's probabilities become, instead of the profile's rule
    #[arg(long, value_enum, help_heading = "Scoring")]
    pub(super) rule: Option<RuleChoice>,
    /// How the claims' scores become the summary's, instead of their mean
    #[arg(long, value_enum, help_heading = "Scoring")]
    pub(super) over_claims: Option<OverClaimsChoice>,
    /// A claim whose score reached 1 - E leaves its remaining premises out; 0 computes all
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(super) epsilon: Option<f32>,
    /// File of `veridic calibrate`: how evidence is weighed and verdicts are given, instead of the NLI model's own
    /// [default: that of the model, if it has one and profile, levels and rules are those it was made for]; off: none
    #[arg(long, value_name = "FILE|off", help_heading = "Scoring")]
    pub(super) calibration: Option<PathBuf>,
    /// What is measured, several times for several: fenice (claims; the default), finesure, summac-zs, menli, nli-sent,
    /// rouge, rouge-stemmed, bertscore, each also as NAME:AXIS,AXIS; all: everything that a row has the texts for
    #[arg(long, value_name = "NAME[:AXIS,...]", help_heading = "Scoring")]
    pub(super) metric: Vec<String>,
    /// Where FineSurE's key facts come from: the row's field key_facts, its reference, or the document (approximate)
    #[arg(long, value_enum, default_value_t = KeyFactsChoice::Row, help_heading = "Scoring")]
    pub(super) keyfacts: KeyFactsChoice,
    /// Take sentences out of each document before anything is judged (Extract-then-Evaluate): lead, rouge-1, rouge-2,
    /// rouge-1+2, nli
    #[arg(long, value_name = "METHOD", value_parser = extract_method, help_heading = "Scoring")]
    pub(super) extract: Option<Method>,
    /// Most tokens of an extract, as the NLI model's tokenizer counts them
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET, requires = "extract", help_heading = "Scoring")]
    pub(super) budget: usize,
    #[command(flatten)]
    pub(super) bertscore: BertScoreArgs,
    /// Megabytes for what the model said about pairs before; changes speed and memory, never a result
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Model")]
    pub(super) cache_mb: usize,
    /// Folder that keeps what the model said about pairs, for this run and others, also at the same time;
    /// changes speed, never a result
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub(super) cache: Option<PathBuf>,
}

/// Tokens of an extract, unless told otherwise.
const DEFAULT_BUDGET: usize = 1024;

fn extract_method(text: &str) -> Result<Method, String> {
    let names = || Method::ALL.map(Method::name).join(", ");
    let method = Method::ALL.into_iter().find(|method| method.name() == text);
    method.ok_or_else(|| format!("known are {}", names()))
}

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("it must be a finite number".to_owned()),
    }
}

/// What `--claims` is unless it is given.
const DEFAULT_CLAIMS: &str = "clause";

/// The published extractor of FENICE's authors.
const T5_EXTRACTOR: &str = "Babelscape/t5-base-summarization-claim-extractor";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ClaimsChoice {
    Sentence,
    Clause,
    Given,
    /// A name or folder.
    T5(String),
}

fn claims_choice(text: &str) -> Result<ClaimsChoice, String> {
    match text.split_once('=').unwrap_or((text, "")) {
        ("sentence", "") => Ok(ClaimsChoice::Sentence),
        ("clause", "") => Ok(ClaimsChoice::Clause),
        ("given", "") => Ok(ClaimsChoice::Given),
        ("t5", "") => Ok(ClaimsChoice::T5(T5_EXTRACTOR.to_owned())),
        ("t5", model) => Ok(ClaimsChoice::T5(model.to_owned())),
        _ => Err("known are sentence, clause, given, t5 and t5=NAME|DIR".to_owned()),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CorefChoice {
    Off,
    Rules,
    /// A name or folder.
    Model(String),
}

fn coref_choice(text: &str) -> Result<CorefChoice, String> {
    Ok(match text {
        "off" => CorefChoice::Off,
        "rules" => CorefChoice::Rules,
        model => CorefChoice::Model(model.to_owned()),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum KeyFactsChoice {
    /// The row's own
    Row,
    /// Claims of the row's reference
    Reference,
    /// Claims of the document's most central sentences
    Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LevelChoice {
    /// Single sentences
    Sentence,
    /// The best sentence with a mention under another name
    Coref,
    /// Windows of consecutive sentences
    Window,
    /// The whole document
    Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RuleChoice {
    /// Entailment
    E,
    /// Entailment less contradiction
    #[value(name = "e-t")]
    MinusContradiction,
    /// Entailment less neutral
    #[value(name = "e-n")]
    MinusNeutral,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OverClaimsChoice {
    /// Their mean
    Mean,
    /// The worst one
    Minimum,
    /// Between the two
    SoftMinimum,
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
    /// Exit with 1 when the score is below X
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(super) fail_under: Option<f32>,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    pub(super) profile: ProfileArgs,
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
    /// File to write, one row a pair in the input's order: .jsonl, .csv, .tsv or .parquet
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Go on with a run that was ended, or with rows that changed; do nothing when all is done
    #[arg(long)]
    pub(super) resume: bool,
    /// What becomes of rows that cannot be judged: end the run, leave them out, or write why
    #[arg(long, value_enum, default_value_t = OnErrorChoice::Record)]
    pub(super) on_error: OnErrorChoice,
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
    #[arg(long, default_value = DEFAULT_CLAIMS, value_parser = claims_choice, value_name = "HOW")]
    pub(super) claims: ClaimsChoice,
    /// For a person or for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
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
    /// How sentences are chosen: lead, rouge-1, rouge-2, rouge-1+2, nli
    #[arg(long, value_name = "METHOD", value_parser = extract_method, default_value = "rouge-1+2")]
    pub(super) method: Method,
    /// Most tokens of the extract, as the NLI model's tokenizer counts them
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    pub(super) budget: usize,
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

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    pub(super) name: BenchName,
}

#[derive(Debug, Subcommand)]
pub(super) enum BenchName {
    /// AggreFact (Tang et al. 2023): summaries of CNN/DM and XSum, the file aggre_fact_final.csv
    Aggrefact(Box<BenchAggrefactArgs>),
    /// LLM-AggreFact (Tang et al. 2024): claims of eleven datasets, .parquet or .jsonl
    LlmAggrefact(Box<BenchLlmAggrefactArgs>),
    /// QAGS (Wang et al. 2020): votes on sentences, the files mturk_cnndm.jsonl and mturk_xsum.jsonl
    Qags(Box<BenchQagsArgs>),
    /// SummEdits (Laban et al. 2023): edited summaries, the files summedits_*.json
    Summedits(Box<BenchSummeditsArgs>),
    /// FRANK (Pagnoni et al. 2021): factual errors in summaries, the file benchmark_data.json with its annotations
    Frank(Box<BenchFrankArgs>),
    /// REALSumm (Bhandari et al. 2020): key facts that people find in summaries (fields document, model, summary,
    /// keyfacts, human_completeness, reference); the metric is finesure:completeness unless --metric says otherwise
    Realsumm(Box<BenchRealsummArgs>),
    /// SummEval (Fabbri et al. 2021): experts' ratings, the file model_annotations.aligned.paired.jsonl
    Summeval(Box<BenchSummevalArgs>),
    /// Any file of rows with a document, a summary and a label (1 = consistent)
    Jsonl(Box<BenchJsonlArgs>),
    /// Claims against people's claims: ROSE's atomic content units (fields summary, claims), by the
    /// metric of FENICE, equations 9 and 10: easiness, with ROUGE-1
    #[command(visible_alias = "easiness")]
    Rose(BenchRoseArgs),
}

/// What is measured, and on what.
#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    /// The labelled files: as their authors ship them, or .jsonl, .json, .csv, .tsv (each also .gz, .zst), .parquet
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(super) data: Vec<PathBuf>,
    /// Format of the data, where names do not tell: jsonl, json, csv, tsv, parquet
    #[arg(long, value_name = "FORMAT")]
    pub(super) input_format: Option<InputFormat>,
    /// Scores that were computed before, by `veridic run` or anything else, instead of scoring: rows with a field
    /// score, or a .txt with one number a line
    #[arg(long, value_name = "FILE")]
    pub(super) scores: Option<PathBuf>,
    /// Folder for pictures (.svg): ROC curve, histograms by label, errors by threshold, reliability
    #[arg(long, value_name = "DIR")]
    pub(super) plots: Option<PathBuf>,
    /// A quick look: so many rows, of every kind some
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
    /// Which rows those are
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    #[command(flatten)]
    pub(super) profile: ProfileArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchAggrefactArgs {
    /// Each part of FENICE by itself: sentences, then claims, then coreference, then all levels
    #[arg(long)]
    pub(super) ablation: bool,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchLlmAggrefactArgs {
    /// Tune each dataset's threshold on its rows of the split dev
    #[arg(long, value_enum, value_name = "dev", conflicts_with = "decide_at")]
    pub(super) tune: Option<TuneChoice>,
    /// A claim is called supported above X [default: 0.5]
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(super) decide_at: Option<f64>,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TuneChoice {
    /// The rows of the split dev
    Dev,
}

#[derive(Debug, Args)]
pub(super) struct BenchQagsArgs {
    /// Judge only this [default: both]
    #[arg(long, value_enum)]
    pub(super) level: Option<TextLevelChoice>,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TextLevelChoice {
    /// Each sentence by itself
    Sentence,
    /// Each summary as a whole
    Summary,
}

#[derive(Debug, Args)]
pub(super) struct BenchSummeditsArgs {
    /// A summary is called consistent above X, instead of a threshold from the other half of the documents
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(super) decide_at: Option<f64>,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchFrankArgs {
    /// What people say: human_annotations.json, and for sentences human_annotations_sentence.json
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(super) annotations: Vec<PathBuf>,
    /// Judge only this [default: both, as far as they are annotated]
    #[arg(long, value_enum)]
    pub(super) level: Option<TextLevelChoice>,
    /// A sentence is called faithful above X, instead of a threshold from the validation part
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(super) decide_at: Option<f64>,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchRealsummArgs {
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchSummevalArgs {
    /// Which of the experts' ratings scores are compared with
    #[arg(long, value_enum, default_value_t = DimensionChoice::Consistency)]
    pub(super) dimension: DimensionChoice,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DimensionChoice {
    /// Whether the summary holds together
    Coherence,
    /// Whether the article supports it
    Consistency,
    /// Whether its sentences are well written
    Fluency,
    /// Whether it has what is important
    Relevance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SimilarityChoice {
    /// ROUGE-1 F1
    Rouge,
    /// The F1 of BERTScore
    Bertscore,
}

#[derive(Debug, Args)]
pub(super) struct BenchRoseArgs {
    /// The file of summaries and claims
    #[arg(long, value_name = "FILE")]
    pub(super) data: PathBuf,
    /// Field that holds the claims to measure, a list of texts, instead of extracting them
    #[arg(long, value_name = "FIELD", conflicts_with = "claims")]
    pub(super) given: Option<String>,
    /// How claims are compared
    #[arg(long, value_enum, default_value_t = SimilarityChoice::Rouge)]
    pub(super) similarity: SimilarityChoice,
    #[command(flatten)]
    pub(super) bertscore: BertScoreArgs,
    #[command(flatten)]
    pub(super) extractor: ExtractorArgs,
}

#[derive(Debug, Args)]
pub(super) struct BenchJsonlArgs {
    /// Field of the label: 1 (consistent) or 0
    #[arg(long, value_name = "NAME", default_value = "label")]
    pub(super) label: String,
    /// Field that says which rows tune the threshold (val, dev) and which are measured (test) [default: halves of the
    /// documents do both in turn]
    #[arg(long, value_name = "NAME")]
    pub(super) split: Option<String>,
    /// Field whose values are told apart, such as a dataset
    #[arg(long, value_name = "NAME")]
    pub(super) group: Option<String>,
    /// Field of the document, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(super) document_field: Option<String>,
    /// Field of the summary, instead of the first of the usual names
    #[arg(long, value_name = "NAME")]
    pub(super) summary_field: Option<String>,
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(super) struct CalibrateArgs {
    /// Outputs of `veridic run` as .jsonl, all of one NLI model and one profile; of several files, each is measured by
    /// a fit on the others
    #[arg(required = true, value_name = "SCORES")]
    pub(super) scores: Vec<PathBuf>,
    /// Field of the label, 1 (consistent) or 0, which passed through the run
    #[arg(long, value_name = "FIELD")]
    pub(super) label: String,
    /// File to write, for --calibration
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// For a person or for a program
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Output of `veridic run`, or any rows with a field score
    #[arg(value_name = "A")]
    pub(super) first: PathBuf,
    /// The same of other settings, another model or another program
    #[arg(value_name = "B")]
    pub(super) second: PathBuf,
    /// Field of the label, 1 (consistent) or 0; it may have passed through a run
    #[arg(long, value_name = "FIELD")]
    pub(super) label: String,
    /// A row is called consistent above X, instead of thresholds that one half of the rows tunes for the other
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(super) decide_at: Option<f64>,
    /// How many rows to show on which the files differ most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) rows: usize,
    /// Seed of the bootstrap samples
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Folder for a picture of both ROC curves (.svg)
    #[arg(long, value_name = "DIR")]
    pub(super) plots: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct ModelsArgs {
    #[command(subcommand)]
    pub(super) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(super) enum ModelsAction {
    /// The models that have a name, and which of them are on this machine
    List,
    /// Architecture, size, labels, token limit, licence and digest of a model
    Info {
        /// A name, a folder, or a hub id
        #[arg(value_name = "NAME|DIR|ID")]
        name: String,
    },
    /// Fetch models from the hub into the cache that Hugging Face's tools share; what was cut goes on
    Pull {
        /// Names of models or bundles (such as fenice), or hub ids (OWNER/NAME, OWNER/NAME@REVISION)
        #[arg(value_name = "NAME|ID", required = true)]
        names: Vec<String>,
        /// Take what the hub has now, and record that
        #[arg(long)]
        update: bool,
        /// No network: only record the digests of what is here
        #[arg(long)]
        offline: bool,
        /// No progress on stderr
        #[arg(long, short)]
        quiet: bool,
    },
    /// Compare files with the digests that the first pull recorded
    Verify {
        /// Names or hub ids [default: every named model that is on this machine]
        #[arg(value_name = "NAME|ID")]
        names: Vec<String>,
    },
    /// Load a model and show what it says of three plain pairs: is the order of its labels right?
    Check(ModelCheckArgs),
}

#[derive(Debug, Args)]
pub(super) struct ModelCheckArgs {
    /// A name, a folder, or a hub id
    #[arg(value_name = "NAME|DIR|ID")]
    pub(super) name: String,
    /// Names of the model's outputs in order, where its config.json does not give them
    #[arg(long, value_delimiter = ',', value_name = "NAME,NAME,...")]
    pub(super) labels: Option<Vec<String>>,
}
