//! The commands of the laboratory and their flags.

use std::path::PathBuf;

use crate::TextLevel;
use crate::extract::{Extraction, Method, Rule};
use crate::llm_aggrefact::Tuning;
use crate::tofueval::Scope;
use crate::{longeval, realsumm, rose::Similarity, summeval};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use veridic::corpus::read::Format as InputFormat;

use veridic_cli::args::{
    CompletionsArgs, ExtractorArgs, Format, ModelAlone, RowsArgs, RunArgs, SettingArgs, choice,
};

use super::encoder::{BertScoreArgs, EncoderArgs};
use super::settings::Measuring;

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("it must be a finite number".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("it must be a number between 0 and 1".to_owned()),
    }
}

fn level_help(level: TextLevel) -> &'static str {
    match level {
        TextLevel::Sentence => "Each sentence by itself",
        TextLevel::Summary => "Each summary as a whole",
    }
}

fn dimension_help(dimension: summeval::Dimension) -> &'static str {
    match dimension {
        summeval::Dimension::Coherence => "Whether the summary holds together",
        summeval::Dimension::Consistency => "Whether the article supports it",
        summeval::Dimension::Fluency => "Whether its sentences are well written",
        summeval::Dimension::Relevance => "Whether it has what is important",
    }
}

fn rating_help(dimension: longeval::Dimension) -> &'static str {
    match dimension {
        longeval::Dimension::Factuality => {
            "Consistency (arXiv, GovReport) or faithfulness (PubMed, SQuALITY)"
        }
        longeval::Dimension::Relevance => "Whether the summary has what is important (arXiv, GovReport)",
    }
}

fn share_help(dimension: realsumm::Dimension) -> &'static str {
    match dimension {
        realsumm::Dimension::Completeness => "The share of key facts that people find in a summary",
        realsumm::Dimension::Conciseness => "The share of its sentences in which people find a key fact",
    }
}

fn scope_help(scope: Scope) -> &'static str {
    match scope {
        Scope::All => "All",
        Scope::Dataset => "Those of a data set",
        Scope::Topic => "Those of a data set and a kind of topic, main or marginal",
    }
}

fn similarity_help(similarity: Similarity) -> &'static str {
    match similarity {
        Similarity::Rouge => "ROUGE-1 F1",
        Similarity::Bertscore => "The F1 of BERTScore",
    }
}

/// The papers' tables, and what measures them.
const PAPERS: &str = "\
Papers, their tables and the command of each (docs/papers.md has whole commands):
  FENICE, 3, 4, 5, 9              aggrefact; 5 with --ablation, 9 with --model roberta-large
  FENICE, 7                       story-summeval
  FENICE, 1, 8                    rose
  FineSurE, 1, 2                  frank --metric finesure:errors, or --given-answers
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
/// `veridic bench COMMAND` is this program, too. Every command takes what `veridic run` takes.
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
    Bench(BenchName),
}

/// The benchmarks.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchName {
    /// AggreFact (Tang et al. 2023): summaries of CNN/DM and XSum
    ///
    /// The file aggre_fact_final.csv.
    Aggrefact(Box<BenchAggrefactArgs>),
    /// LLM-AggreFact (Tang et al. 2024): claims of eleven datasets, .parquet or .jsonl
    LlmAggrefact(Box<BenchLlmAggrefactArgs>),
    /// QAGS (Wang et al. 2020): annotators' votes on sentences
    ///
    /// The files mturk_cnndm.jsonl and mturk_xsum.jsonl.
    Qags(Box<BenchQagsArgs>),
    /// SummEdits (Laban et al. 2023): edited summaries, the files summedits_*.json
    Summedits(Box<BenchSummeditsArgs>),
    /// FRANK (Pagnoni et al. 2021): factual errors in summaries
    ///
    /// The file benchmark_data.json with its annotations, or FineSurE's frank-data.json. With --metric finesure:errors the
    /// table has the types of errors too (FineSurE, table 2).
    Frank(Box<BenchFrankArgs>),
    /// REALSumm (Bhandari et al. 2020): key facts that annotators find in summaries
    ///
    /// Rows have the fields document, model, summary, keyfacts, human_completeness and reference; or FineSurE's
    /// realsumm-data.json, or the authors' tables SCU_rating_results_*_systems/*.csv, both with --key-fact-list. The metric
    /// is finesure:completeness, or finesure:conciseness by --dimension, unless --metric is given.
    Realsumm(Box<BenchRealsummArgs>),
    /// SummEval (Fabbri et al. 2021): expert ratings of summaries
    ///
    /// The file model_annotations.aligned.paired.jsonl.
    Summeval(Box<BenchSummevalArgs>),
    /// TofuEval (Tang et al. 2024): topic-focused summaries of dialogues
    ///
    /// The files *_factual_eval_{dev,test}.csv, with the transcripts of MediaSum and MeetingBank. --metric relevance and
    /// --metric key-points measure means over summaries instead of factual consistency.
    Tofueval(Box<BenchTofuevalArgs>),
    /// Long documents (Wu et al. 2024): human ratings
    ///
    /// By method and budget of extraction. The files arxiv_, gov_, pubmed_ and squality_benchmark.json.
    Longeval(Box<BenchLongevalArgs>),
    /// FENICE's long stories (Scirè et al. 2024), the files val.jsonl and test.jsonl
    StorySummeval(Box<BenchStoriesArgs>),
    /// Any file of rows with a document, a summary and a label (1 = consistent)
    Jsonl(Box<BenchJsonlArgs>),
    /// Claims compared with human-written ones: ROSE's content units
    ///
    /// Rows have the fields summary and claims; the metric is FENICE's, equations 9 and 10: easiness, with ROUGE-1. A row
    /// that cannot be measured is reported and left out, and the exit code is 2 at the end.
    #[command(visible_alias = "easiness")]
    Rose(BenchRoseArgs),
    /// SumAutoEval's answers about entities compared with people's
    ///
    /// Cohen's kappa, as in the paper's table 1. Rows are results of `run --metric sumautoeval:AXES` whose input had
    /// people's labels: a list of objects with axis, answer, and span or text.
    Entities(BenchEntitiesArgs),
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

/// What is measured, and on what.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasureArgs {
    /// The labelled files, as published or as rows
    ///
    /// Rows: .jsonl, .json, .csv, .tsv (each also .gz, .zst), .parquet.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,
    /// Format of the data, if the file names do not show it
    ///
    /// jsonl, json, csv, tsv or parquet.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<InputFormat>,
    /// Use these scores instead of computing them
    ///
    /// By `veridic run` or any other program: rows with a field score, or a .txt with one number on each line.
    #[arg(long, value_name = "FILE")]
    pub(crate) scores: Option<PathBuf>,
    /// Write the requests to a language model instead of measuring
    ///
    /// To this file, JSONL, for metrics that ask one; then give the answers by --answers. With --batch-model as lines of OpenAI's
    /// batch files.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scores", "judge", "plots"])]
    pub(crate) prompts: Option<PathBuf>,
    /// Model that is named in the requests of --prompts
    #[arg(long, value_name = "NAME", requires = "prompts")]
    pub(crate) batch_model: Option<String>,
    /// Folder for plots (.svg)
    ///
    /// ROC curve, histograms by label, errors by threshold, reliability.
    #[arg(long, value_name = "DIR")]
    pub(crate) plots: Option<PathBuf>,
    /// Measure a sample of N rows, with some of each kind
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print the published tables with this run's rows below
    ///
    /// And what differs from the papers' set-ups, for all figures or some of them.
    #[arg(long)]
    pub(crate) paper: bool,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) settings: SettingArgs<Measuring>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchAggrefactArgs {
    /// Measure each part of FENICE separately
    ///
    /// Sentences, then claims, then coreference, then all levels.
    #[arg(long)]
    pub(crate) ablation: bool,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchLlmAggrefactArgs {
    /// Tune each dataset's threshold on its rows of the split dev
    #[arg(long, value_name = "dev", conflicts_with = "decide_at",
          value_parser = PossibleValuesParser::new([PossibleValue::new("dev").help("The rows of the split dev")]).map(|_| Tuning::Dev))]
    pub(crate) tune: Option<Tuning>,
    /// A claim counts as supported above X [default: 0.5]
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(crate) decide_at: Option<f64>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchQagsArgs {
    /// Judge only this [default: both]
    #[arg(long, value_parser = choice(&TextLevel::ALL, TextLevel::name, level_help))]
    pub(crate) level: Option<TextLevel>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchSummeditsArgs {
    /// A summary counts as consistent above X
    ///
    /// Instead of a threshold from the other half of the documents.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(crate) decide_at: Option<f64>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchFrankArgs {
    /// The human annotations of benchmark_data.json
    ///
    /// human_annotations.json and, for sentences, human_annotations_sentence.json too. FineSurE's frank-data.json has its annotations itself.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) annotations: Vec<PathBuf>,
    /// Scores of other metrics for the same summaries, to compare with
    ///
    /// The file baseline_factuality_metrics_outputs.json.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) metric_outputs: Vec<PathBuf>,
    /// Judge only this [default: both, where annotated]
    #[arg(long, value_parser = choice(&TextLevel::ALL, TextLevel::name, level_help))]
    pub(crate) level: Option<TextLevel>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_faithfulness_labels and pred_faithfulness_error_type, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric", "level"])]
    pub(crate) given_answers: bool,
    /// A sentence counts as faithful above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(crate) decide_at: Option<f64>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchRealsummArgs {
    /// The human labels to compare with [default: completeness]
    ///
    /// conciseness if --metric finesure:conciseness is given; its labels are in FineSurE's realsumm-data.json.
    #[arg(long, value_parser = choice(&realsumm::Dimension::ALL, realsumm::Dimension::name, share_help), value_name = "SHARE")]
    pub(crate) dimension: Option<realsumm::Dimension>,
    /// The documents with their key facts
    ///
    /// FineSurE's human-keyfact-list.json, or its list by GPT-4: for its realsumm-data.json and for REALSumm's own tables.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) key_fact_list: Vec<PathBuf>,
    /// Measure the answers in FineSurE's files, and judge nothing
    ///
    /// The fields pred_alignment_labels and pred_sentence_line_numbers, which its authors' program writes.
    #[arg(long, conflicts_with_all = ["scores", "metric"])]
    pub(crate) given_answers: bool,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchSummevalArgs {
    /// The expert ratings to compare with
    #[arg(long, value_parser = choice(&summeval::Dimension::ALL, summeval::Dimension::name, dimension_help),
          value_name = "RATING", default_value_t = summeval::Dimension::Consistency)]
    pub(crate) dimension: summeval::Dimension,
    /// Measure one summary of each article, that of the most agreement
    ///
    /// The one whose experts differ least in the rating that is measured; of equal ones the first. SumAutoEval's authors
    /// choose such summaries.
    #[arg(long)]
    pub(crate) agreed: bool,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchTofuevalArgs {
    /// The transcripts
    ///
    /// MediaSum's news_dialogue.json and MeetingBank's files, or rows with doc_id and source.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) transcripts: Vec<PathBuf>,
    /// The files with the main topics
    ///
    /// mediasum_topic_category.json and meetingbank_topic_category.json.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) topics: Vec<PathBuf>,
    /// The files with people's key points, for --metric key-points
    ///
    /// mediasum_completeness_final.csv and meetingbank_completeness_final.csv.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) key_points: Vec<PathBuf>,
    /// Also measure the sixth system, Model-Extra
    ///
    /// It is not in the paper.
    #[arg(long)]
    pub(crate) with_extra: bool,
    /// Judge only this [default: both]
    #[arg(long, value_parser = choice(&TextLevel::ALL, TextLevel::name, level_help))]
    pub(crate) level: Option<TextLevel>,
    /// The dev rows that tune a threshold together
    #[arg(long, value_parser = choice(&Scope::ALL, Scope::name, scope_help), default_value_t = Scope::All)]
    pub(crate) scope: Scope,
    /// A text counts as consistent above X
    ///
    /// Instead of thresholds tuned on the dev rows. A language model's yes and no (--metric tofueval:AXIS) are above or below 0.5.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite, conflicts_with = "scope")]
    pub(crate) decide_at: Option<f64>,
    /// Other scores of the same texts, to compare with
    ///
    /// Reports the difference in balanced accuracy by a paired bootstrap.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchLongevalArgs {
    /// The human ratings to compare with
    #[arg(long, value_parser = choice(&longeval::Dimension::ALL, longeval::Dimension::name, rating_help),
          value_name = "RATING", default_value_t = longeval::Dimension::Factuality)]
    pub(crate) dimension: longeval::Dimension,
    /// Extraction methods to compare
    ///
    /// lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli. They are compared with each other and with the whole document.
    #[arg(long, value_delimiter = ',', value_name = "METHOD,...", value_parser = choice(&Method::ALL, Method::name, |_| ""),
          group = "extracts", conflicts_with = "scores")]
    pub(crate) methods: Vec<Method>,
    /// Tokens of the extracts [default: 128 to 4096]
    ///
    /// For each method. By default 128,256,512,768,1024,1536,2048,4096.
    #[arg(long, value_delimiter = ',', value_name = "N,...", requires = "methods",
          hide_default_value = true, default_values_t = [128, 256, 512, 768, 1024, 1536, 2048, 4096])]
    pub(crate) budgets: Vec<usize>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchStoriesArgs {
    /// The stories
    ///
    /// Rows with id or title, and text, as manu/project_gutenberg and wikimedia/wikisource on the Hugging Face hub; not
    /// needed if the rows have a document.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub(crate) stories: Vec<PathBuf>,
    /// A summary counts as factual above X
    ///
    /// Instead of a threshold from the validation part.
    #[arg(long, value_name = "X", allow_hyphen_values = true, value_parser = finite)]
    pub(crate) decide_at: Option<f64>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchRoseArgs {
    /// The file of summaries and claims
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Field of the claims to measure
    ///
    /// A list of texts, measured instead of extracted claims.
    #[arg(long, value_name = "FIELD", conflicts_with = "claims")]
    pub(crate) given: Option<String>,
    /// How claims are compared
    #[arg(long, value_parser = choice(&Similarity::ALL, Similarity::name, similarity_help),
          default_value_t = Similarity::Rouge)]
    pub(crate) similarity: Similarity,
    /// Print the published table with this run's row below
    ///
    /// And what differs from the paper's set-up.
    #[arg(long)]
    pub(crate) paper: bool,
    #[command(flatten)]
    pub(crate) bertscore: BertScoreArgs,
    #[command(flatten)]
    pub(crate) extractor: ExtractorArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchEntitiesArgs {
    /// The results of `veridic run`
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) data: Vec<PathBuf>,
    /// Field of people's labels, which passed through the run
    #[arg(long, value_name = "FIELD", default_value = crate::entities::LABELS)]
    pub(crate) labels: String,
    /// Print the published table with this row below
    ///
    /// And what differs from the paper's set-up.
    #[arg(long)]
    pub(crate) paper: bool,
    /// text for people, json for programs
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct BenchJsonlArgs {
    /// Field of the label: 1 (consistent) or 0
    #[arg(long, value_name = "NAME", default_value = "label")]
    pub(crate) label: String,
    /// Field of the split: which rows tune and which are measured
    ///
    /// val or dev: the row tunes the threshold; test: it is measured. By default, two halves of the documents do both in turn.
    #[arg(long, value_name = "NAME")]
    pub(crate) split: Option<String>,
    /// Field of groups that are also measured separately, such as a dataset
    #[arg(long, value_name = "NAME")]
    pub(crate) group: Option<String>,
    /// Field of the document [default: the first of the usual names]
    #[arg(long, value_name = "NAME")]
    pub(crate) document_field: Option<String>,
    /// Field of the summary [default: the first of the usual names]
    #[arg(long, value_name = "NAME")]
    pub(crate) summary_field: Option<String>,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
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
