//! What judges and how: flags that every command with a verdict has.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use veridic::extract::{Method, Rule};
pub(crate) use veridic::plan::{ClaimsChoice, CorefChoice, DeviceChoice, ScreenChoice};
use veridic_models::DEFAULT_MODEL;
use veridic_models::store::did_you_mean;

/// The NLI model and how it runs.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// NLI model: a name, a folder or a pulled hub id
    ///
    /// base and mini come with the program; other names stand in `veridic models list`; a folder has config.json, weights and a tokenizer's files; a hub id is
    /// OWNER/NAME.
    #[arg(long, default_value = DEFAULT_MODEL, value_name = "NAME|DIR|ID", help_heading = "Model")]
    pub(crate) model: String,
    /// Names of the model's outputs, where its config.json has none
    ///
    /// In their order: entailment, neutral, contradiction, as the model has them.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", help_heading = "Model")]
    pub(crate) labels: Option<Vec<String>>,
    /// Longest pair in tokens, below the model's own limit
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(crate) max_tokens: Option<usize>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// Numbers to compute in
    ///
    /// docs/explanation/arithmetic.md says which processor computes in what, how fast, and what it changes.
    #[arg(long, value_enum, default_value = "auto", help_heading = "Model")]
    pub(crate) dtype: DtypeChoice,
    /// Tokens computed together
    ///
    /// This changes speed and memory, never a result.
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(crate) batch_tokens: Option<NonZeroUsize>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// No notes and no progress on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DtypeChoice {
    /// The fastest that are accurate: on a CPU int8 for weights stored in 8 bits, as base's are, else bf16 where the processor
    /// multiplies it, else f32; on a GPU f16
    Auto,
    /// 32-bit floating point: the model's own numbers
    F32,
    /// 8-bit integers with scales: faster, scores move a little
    Int8,
    /// 16-bit floating point, sums in 32 bits: GPUs only
    F16,
    /// The same with more range and fewer digits: GPUs, and CPUs with AMX or AVX-512 BF16
    Bf16,
}

/// Where models are computed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DeviceArgs {
    /// Where models are computed: cpu, cuda, cuda:N, metal
    ///
    /// cuda: an NVIDIA GPU; cuda:N: the one of number N, from 0; metal: a Mac's.
    #[arg(long = "device", value_name = "DEVICE", default_value = "cpu", help_heading = "Model")]
    pub(crate) choice: DeviceChoice,
}

/// Where BERTScore's vectors come from.
#[derive(Debug, Args)]
pub(crate) struct EncoderArgs {
    /// BERTScore's encoder: a name, a folder or a hub id
    ///
    /// BERT, RoBERTa, MPNet or DeBERTa-v2/v3, pulled before. By default for the metric bertscore, which is
    /// FacebookAI/roberta-large, and --metric all leaves BERTScore out unless one of its flags is given; for --extract
    /// the NLI model.
    #[arg(long, value_name = "MODEL", help_heading = "Scoring")]
    pub(crate) bertscore_model: Option<String>,
    /// The layer whose vectors are compared; 0 is the embeddings
    ///
    /// By default the one that is published as the model's best, 17 for bertscore; else the last.
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    pub(crate) bertscore_layer: Option<usize>,
}

/// What BERTScore is computed with.
#[derive(Debug, Args)]
pub(crate) struct BertScoreArgs {
    #[command(flatten)]
    pub(crate) encoder: EncoderArgs,
    /// Text file of sentences, one a line, that weigh BERTScore's tokens
    ///
    /// A token counts the less the more of the sentences it is in.
    #[arg(long, value_name = "FILE", help_heading = "Scoring")]
    pub(crate) bertscore_idf: Option<PathBuf>,
}

/// How a pair is judged.
#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    /// Rules of the score: veridic, paper, released, checker, ...
    ///
    /// veridic: our best measured; paper: FENICE's equations; released: what its authors' program computes;
    /// released-aggrefact: the same as they ran it on AggreFact; checker: as the authors of a checker use it. By default
    /// checker for a checker, else veridic.
    #[arg(long, value_name = "NAME", help_heading = "Scoring")]
    pub(crate) profile: Option<String>,
    /// Where claims come from: sentence, clause, given, t5=NAME|DIR
    ///
    /// clause: statements by rules; given: the rows' field `claims`; t5: what a text-to-text model of that name or folder
    /// writes, t5 alone FENICE's. By default sentence under the profiles veridic and checker, else clause.
    #[arg(long, value_name = "HOW", help_heading = "Scoring")]
    pub(crate) claims: Option<ClaimsChoice>,
    /// What finds other names of the same thing, for the level coref
    ///
    /// off, rules, or a name or the folder of an F-Coref model. By default rules under the profiles veridic and paper, else
    /// off.
    #[arg(long, value_name = "off|rules|DIR", help_heading = "Scoring")]
    pub(crate) coref: Option<CorefChoice>,
    /// Levels to compute, instead of the profile's
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LEVEL,...", help_heading = "Scoring")]
    pub(crate) levels: Option<Vec<LevelChoice>>,
    /// Sentences of a window
    #[arg(long, value_name = "J", help_heading = "Scoring")]
    pub(crate) window: Option<NonZeroUsize>,
    /// Sentences from one window to the next
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    pub(crate) stride: Option<NonZeroUsize>,
    /// A sentence score of at least T ends a claim
    ///
    /// Below it, windows and document decide alone.
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(crate) threshold: Option<f32>,
    /// What a premise's probabilities become
    ///
    /// Instead of the profile's rule.
    #[arg(long, value_enum, help_heading = "Scoring")]
    pub(crate) rule: Option<RuleChoice>,
    /// How the claims' scores become the summary's
    ///
    /// By default their mean, with a calibration the least of them.
    #[arg(long, value_enum, value_name = "RULE", help_heading = "Scoring")]
    pub(crate) over_claims: Option<OverClaimsChoice>,
    /// Sentences, windows and runs that a claim is compared with
    ///
    /// Of each level those that share most of the claim's rare words; a run is about 300 words of
    /// the document. off: all of them. By default 4,3,2 under profile veridic, else off.
    #[arg(long, value_name = "S,W,R|off", help_heading = "Scoring")]
    pub(crate) screen: Option<ScreenChoice>,
    /// A claim that reached 1 - E leaves its other premises out
    ///
    /// 0 computes all.
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(crate) epsilon: Option<f32>,
    /// File of `veridic calibrate`, instead of the NLI model's own
    ///
    /// How evidence is weighed and verdicts are given. By default that of the model, if it has one and profile, levels and
    /// rules are those it was made for; off: none.
    #[arg(long, value_name = "FILE|off", help_heading = "Scoring")]
    pub(crate) calibration: Option<PathBuf>,
    /// Give verdicts on texts in languages that the model does not list
    ///
    /// They are else unsupported, with the reason `language`. Which languages a model lists stands on its card.
    #[arg(long, help_heading = "Scoring")]
    pub(crate) any_language: bool,
    /// What is measured [default: fenice]; several times for several
    ///
    /// fenice (claims), finesure, summac-zs, menli, nli-sent, rouge, rouge-stemmed, bertscore, relevance, key-points,
    /// sumautoeval, each also as NAME:AXIS,AXIS; all: everything that a row has the texts for.
    #[arg(long, value_name = "NAME[:AXIS]", help_heading = "Scoring")]
    pub(crate) metric: Vec<String>,
    /// Key facts: row, reference, document or FILE
    ///
    /// Those of FineSurE. row: the row's field key_facts; reference: claims of its reference; document: claims of the document's most central
    /// sentences, which is an approximation; for `score` also a text file, a fact a line.
    #[arg(long, alias = "keyfacts", value_name = "FROM", default_value = "row", help_heading = "Scoring")]
    pub(crate) key_facts: KeyFactsChoice,
    /// What summaries should be about, for the metric relevance
    ///
    /// By default each row's field topic.
    #[arg(long, value_name = "TEXT", help_heading = "Scoring")]
    pub(crate) topic: Option<String>,
    /// How SumAutoEval's two checks are joined
    ///
    /// Those of the section that an entity belongs into.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = AlignmentChoice::Any, help_heading = "Scoring")]
    pub(crate) alignment_rule: AlignmentChoice,
    /// Judge sentences taken out of each document; off: whole ones
    ///
    /// Extract-then-Evaluate, by lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli. By default, under profile veridic,
    /// rouge-1 by the rule fill, of documents of more than 200 sentences; else off.
    #[arg(long, value_name = "METHOD|off", value_parser = extract_choice, help_heading = "Scoring")]
    pub(crate) extract: Option<ExtractChoice>,
    /// Most tokens of an extract
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET, requires = "extract", help_heading = "Scoring")]
    pub(crate) budget: usize,
    /// How wording counts: authors or fill
    ///
    /// And what happens at the budget. authors: as in their program, word stems, and the first sentence that does not fit ends the extract; fill: words as
    /// they stand, and it is passed over.
    #[arg(long, value_name = "RULE", default_value = Rule::Authors.name(), value_parser = extract_rule,
          requires = "extract", help_heading = "Scoring")]
    pub(crate) extract_rule: Rule,
    /// The model whose tokenizer counts them [default: the NLI model]
    ///
    /// A name, a folder or a hub id; only its tokenizer must be there.
    #[arg(long, value_name = "MODEL", requires = "extract", help_heading = "Scoring")]
    pub(crate) budget_tokenizer: Option<String>,
    #[command(flatten)]
    pub(crate) bertscore: BertScoreArgs,
    /// Megabytes for what the model said about pairs before
    ///
    /// This changes speed and memory, never a result.
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Model")]
    pub(crate) cache_mb: usize,
    /// Folder that keeps what the model said about pairs
    ///
    /// For this run and others, also at the same time. This changes speed, never a result.
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub(crate) cache: Option<PathBuf>,
}

/// Tokens of an extract, unless told otherwise.
pub(super) const DEFAULT_BUDGET: usize = veridic::extract::Extraction::USUAL_BUDGET;

/// What `--extract` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtractChoice {
    Off,
    By(Method),
}

fn extract_choice(text: &str) -> Result<ExtractChoice, String> {
    if text == "off" {
        return Ok(ExtractChoice::Off);
    }
    extract_method(text).map(ExtractChoice::By).map_err(|known| format!("{known}, off"))
}

pub(super) fn extract_method(text: &str) -> Result<Method, String> {
    let method = Method::ALL.into_iter().find(|method| method.name() == text);
    method.ok_or_else(|| known(text, &Method::ALL.map(Method::name)))
}

pub(super) fn extract_rule(text: &str) -> Result<Rule, String> {
    Rule::ALL
        .into_iter()
        .find(|rule| rule.name() == text)
        .ok_or_else(|| known(text, &Rule::ALL.map(Rule::name)))
}

/// The names that a word is none of.
fn known(word: &str, names: &[&'static str]) -> String {
    format!("no such name{}: known are {}", did_you_mean(word, names.iter().copied()), names.join(", "))
}

/// What `--claims` is unless it is given.
pub(super) const DEFAULT_CLAIMS: &str = "clause";

/// Where key facts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyFactsChoice {
    /// The row's own.
    Row,
    /// Claims of the row's reference.
    Reference,
    /// Claims of the document's most central sentences.
    Document,
    /// A text file, a fact a line.
    File(PathBuf),
}

impl From<&str> for KeyFactsChoice {
    fn from(text: &str) -> Self {
        match text {
            "row" => Self::Row,
            "reference" => Self::Reference,
            "document" => Self::Document,
            file => Self::File(file.into()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlignmentChoice {
    /// One of them suffices
    Any,
    /// Both must hold
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelChoice {
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
pub(crate) enum RuleChoice {
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
pub(crate) enum OverClaimsChoice {
    /// Their mean
    Mean,
    /// The worst one
    Minimum,
    /// Between the two
    SoftMinimum,
}
