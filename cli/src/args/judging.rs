//! What judges and how: flags that every command with a verdict has.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use veridic::extract::{Extraction, Rule};
use veridic::metrics::KeyFactsFrom;
use veridic::metrics::sumautoeval::AlignmentRule;
use veridic::pipeline::{Level, OverClaims, ScoreRule};
pub(crate) use veridic::plan::{
    ClaimsChoice, CorefChoice, Device, Dtype, ExtractChoice, ProfileName, ScreenChoice,
};
use veridic_models::DEFAULT_MODEL;

use super::choice::choice;

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
    /// The arithmetic of the NLI model
    ///
    /// docs/explanation/arithmetic.md says which processor computes in what, how fast, and what it changes.
    #[arg(long, value_parser = choice(&Dtype::ALL, Dtype::name, dtype_help), default_value = "auto", help_heading = "Model")]
    pub(crate) dtype: Dtype,
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

/// Where models are computed.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DeviceArgs {
    /// Where models are computed: cpu, cuda, cuda:N
    ///
    /// cuda: an NVIDIA GPU; cuda:N: the one of number N, from 0.
    #[arg(long = "device", value_name = "DEVICE", default_value = "cpu", help_heading = "Model")]
    pub(crate) choice: Device,
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

impl BertScoreArgs {
    /// The first of these flags that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--bertscore-model", self.encoder.bertscore_model.is_some()),
            ("--bertscore-layer", self.encoder.bertscore_layer.is_some()),
            ("--bertscore-idf", self.bertscore_idf.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
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
    pub(crate) profile: Option<ProfileName>,
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
    #[arg(long, value_parser = choice(&Level::ALL, Level::name, level_help), value_delimiter = ',', value_name = "LEVEL,...", help_heading = "Scoring")]
    pub(crate) levels: Option<Vec<Level>>,
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
    #[arg(long, value_parser = choice(&ScoreRule::ALL, ScoreRule::name, rule_help), help_heading = "Scoring")]
    pub(crate) rule: Option<ScoreRule>,
    /// How the claims' scores become the summary's
    ///
    /// By default their mean, with a calibration the least of them.
    #[arg(long, value_parser = choice(&OverClaims::ALL, OverClaims::name, over_claims_help), value_name = "RULE", help_heading = "Scoring")]
    pub(crate) over_claims: Option<OverClaims>,
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
    #[arg(long, value_parser = choice(&AlignmentRule::ALL, AlignmentRule::name, alignment_help), value_name = "RULE", default_value = "any", help_heading = "Scoring")]
    pub(crate) alignment_rule: AlignmentRule,
    /// Judge sentences taken out of each document; off: whole ones
    ///
    /// Extract-then-Evaluate, by lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli. By default, under profile veridic,
    /// rouge-1 by the rule fill, of documents of more than 200 sentences; else off.
    #[arg(long, value_name = "METHOD|off", help_heading = "Scoring")]
    pub(crate) extract: Option<ExtractChoice>,
    /// Most tokens of an extract
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET, requires = "extract", help_heading = "Scoring")]
    pub(crate) budget: usize,
    /// How wording counts: authors or fill
    ///
    /// And what happens at the budget. authors: as in their program, word stems, and the first sentence that does not fit ends the extract; fill: words as
    /// they stand, and it is passed over.
    #[arg(long, value_name = "RULE", default_value = "authors", value_parser = choice(&Rule::ALL, Rule::name, |_| ""),
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
pub(super) const DEFAULT_BUDGET: usize = Extraction::USUAL_BUDGET;

/// What `--claims` is unless it is given.
pub(super) const DEFAULT_CLAIMS: &str = "clause";

/// Where key facts come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyFactsChoice {
    From(KeyFactsFrom),
    /// A text file, a fact a line.
    File(PathBuf),
}

impl From<&str> for KeyFactsChoice {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::File(text.into()), Self::From)
    }
}

fn dtype_help(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Auto => {
            "The fastest that is accurate: on a CPU int8 for weights stored in 8 bits, as those of base, else bf16 where \
             the processor multiplies it, else f32; on a GPU f16"
        }
        Dtype::F32 => "32-bit floating point",
        Dtype::Int8 => "8-bit integers with scales: faster, scores move a little",
        Dtype::F16 => "16-bit floating point, sums in 32 bits: GPUs only",
        Dtype::Bf16 => "bfloat16, sums in 32 bits: GPUs, and CPUs with AMX or AVX-512 BF16",
        _ => "",
    }
}

fn level_help(level: Level) -> &'static str {
    match level {
        Level::Sentence => "Single sentences",
        Level::Coref => "The best sentence with a mention under another name",
        Level::Window => "Windows of consecutive sentences",
        Level::Document => "The whole document",
        _ => "",
    }
}

fn rule_help(rule: ScoreRule) -> &'static str {
    match rule {
        ScoreRule::Entailment => "Entailment",
        ScoreRule::EntailmentMinusContradiction => "Entailment less contradiction",
        ScoreRule::EntailmentMinusNeutral => "Entailment less neutral",
        _ => "",
    }
}

fn over_claims_help(rule: OverClaims) -> &'static str {
    match rule {
        OverClaims::Mean => "The mean",
        OverClaims::Minimum => "The minimum",
        OverClaims::SoftMinimum => "Between the two",
        _ => "",
    }
}

fn alignment_help(rule: AlignmentRule) -> &'static str {
    match rule {
        AlignmentRule::Any => "One of them suffices",
        AlignmentRule::All => "Both must hold",
        _ => "",
    }
}
