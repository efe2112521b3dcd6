//! Flags of the model and of judging, which every command with a verdict has.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use veridic::extract::{Extraction, Rule};
use veridic::metrics::KeyFactsFrom;
use veridic::metrics::sumautoeval::AlignmentRule;
use veridic::metrics::summac_conv::NliLabels;
use veridic::pipeline::{Level, OverClaims, ScoreRule};
pub(crate) use veridic::plan::{
    ClaimsChoice, CorefChoice, Device, Dtype, EscalateChoice, ExtractChoice, ProfileName, ScreenChoice,
};
use veridic_models::{AlignHead, DEFAULT_MODEL};

use super::AskingArgs;
use super::choice::choice;

/// The NLI model and how it runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelArgs {
    /// NLI model: a name, a folder or a pulled hub id
    ///
    /// base and mini come with the program; `veridic models list` has the other names; a folder holds config.json, weights
    /// and tokenizer files; a hub id is OWNER/NAME.
    #[arg(long, default_value = DEFAULT_MODEL, value_name = "NAME|DIR|ID", help_heading = "Model")]
    pub(crate) model: String,
    /// Names of the model's outputs, if its config.json has none
    ///
    /// In the model's order, such as entailment,neutral,contradiction.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", help_heading = "Model")]
    pub(crate) labels: Option<Vec<String>>,
    /// The head of an AlignScore checkpoint: nli or bin
    ///
    /// nli: aligned, neutral or contradicting; bin: aligned or not.
    #[arg(long, value_name = "HEAD", help_heading = "Model")]
    pub(crate) align_head: Option<AlignHead>,
    /// Longest pair in tokens, below the model's own limit
    #[arg(long, value_name = "N", help_heading = "Model")]
    pub(crate) max_tokens: Option<usize>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// The arithmetic of the NLI model
    ///
    /// docs/explanation/arithmetic.md says which processor computes in which, how fast, and what it changes.
    #[arg(long, value_parser = choice(&Dtype::ALL, Dtype::name, dtype_help), default_value = "auto", help_heading = "Model")]
    pub(crate) dtype: Dtype,
    /// Tokens of a batch
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

/// BERTScore's encoder.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EncoderArgs {
    /// BERTScore's encoder: a name, a folder or a hub id
    ///
    /// BERT, RoBERTa, MPNet, ALBERT, ModernBERT or DeBERTa, pulled before. The default is bertscore (FacebookAI/roberta-large) for the
    /// metric, and the NLI model for --extract. --metric all leaves BERTScore out unless one of its flags is given.
    #[arg(long, value_name = "MODEL", help_heading = "Scoring")]
    pub(crate) bertscore_model: Option<String>,
    /// The layer whose vectors are compared; 0 is the embeddings
    ///
    /// By default the layer published as the model's best, 17 for bertscore; else the last.
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    pub(crate) bertscore_layer: Option<usize>,
}

/// BERTScore's encoder and weights.
#[derive(Debug, Clone, Args)]
pub(crate) struct BertScoreArgs {
    #[command(flatten)]
    pub(crate) encoder: EncoderArgs,
    /// Text file of sentences, one a line, that weigh BERTScore's tokens
    ///
    /// A token in many of the sentences has a low weight.
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

/// SummaC-Conv's weights.
#[derive(Debug, Clone, Args)]
pub(crate) struct SummacArgs {
    /// File of SummaC-Conv's weights, for the metric summac-conv
    ///
    /// A checkpoint of its authors' program, such as summac_conv_vitc_sent_perc_e.bin of github.com/tingofurro/summac, which
    /// was fitted to the NLI model tals/albert-xlarge-vitaminc-mnli.
    #[arg(long, value_name = "FILE", help_heading = "Scoring")]
    pub(crate) summac_conv: Option<PathBuf>,
    /// Relations that the weights read: e, c, n, ec, ... [default: e]
    ///
    /// e: entailment, c: contradiction, n: neutral; ec, en, cn, ecn.
    #[arg(long, value_name = "LABELS", help_heading = "Scoring")]
    pub(crate) summac_labels: Option<NliLabels>,
}

/// How a pair is judged.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProfileArgs {
    /// Rules of the score: veridic, paper, released, checker, ...
    ///
    /// veridic: our best measured; paper: FENICE's equations; released: what its authors' program computes;
    /// released-aggrefact: that program as they ran it on AggreFact; checker: as a checker's authors use it. The default is
    /// checker for a checker, else veridic.
    #[arg(long, value_name = "NAME", help_heading = "Scoring")]
    pub(crate) profile: Option<ProfileName>,
    /// Where claims come from: sentence, clause, given, t5, answers
    ///
    /// clause: statements by rules; given: the rows' field `claims`; t5=NAME|DIR: written by a text-to-text model of that
    /// name or folder, t5 alone by FENICE's; answers=FILE: a language model's, answers alone those of --answers and --judge. The
    /// default is sentence under the profiles veridic and checker, else clause.
    #[arg(long, value_name = "HOW", help_heading = "Scoring")]
    pub(crate) claims: Option<ClaimsChoice>,
    /// What resolves coreference for the level coref
    ///
    /// off, rules, or an F-Coref model by name or folder. The default is rules under the profiles veridic and paper, else off.
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
    /// A sentence score of at least T decides a claim
    ///
    /// Below T, windows and document alone decide.
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(crate) threshold: Option<f32>,
    /// The score of a premise, from its probabilities
    ///
    /// The default is the profile's rule.
    #[arg(long, value_parser = choice(&ScoreRule::ALL, ScoreRule::name, rule_help), help_heading = "Scoring")]
    pub(crate) rule: Option<ScoreRule>,
    /// The summary's score, from its claims' scores
    ///
    /// The default is their mean, with a calibration their minimum.
    #[arg(long, value_parser = choice(&OverClaims::ALL, OverClaims::name, over_claims_help), value_name = "RULE", help_heading = "Scoring")]
    pub(crate) over_claims: Option<OverClaims>,
    /// The premises that the judge reads of a claim: METHOD:K, or off
    ///
    /// At most K sentences, K/2 windows and the best run (about 300 words of the document). METHOD ranks them: words, by the rare
    /// words that they share with the claim; mini, by what the model mini makes of each sentence; mini+words, by both. off
    /// reads everything. The default under the profile veridic is mini+words:6, or words:8 where mini judges; those of published
    /// programs never screen.
    #[arg(long, value_name = "METHOD:K|off", help_heading = "Scoring")]
    pub(crate) screen: Option<ScreenChoice>,
    /// Read everything of claims near the limit of support
    ///
    /// Near is what the calibration says, or at most --escalate=WITHIN from the limit. Results count such claims.
    #[arg(long, value_name = "WITHIN", num_args = 0..=1, require_equals = true, default_missing_value = "calibrated",
          help_heading = "Scoring")]
    pub(crate) escalate: Option<EscalateChoice>,
    /// A claim whose score reached 1 - E skips its other premises
    ///
    /// 0 computes all.
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(crate) epsilon: Option<f32>,
    /// Ask what the document says instead
    ///
    /// The model reads other numbers, dates and names of the evidence in the place of a claim's own. If evidence contradicts a
    /// claim and entails it so changed, the claim is contradicted, and the result says what the document says. The default is on
    /// under the profile veridic, else off.
    #[arg(long, value_name = "on|off", hide_possible_values = true, help_heading = "Scoring")]
    pub(crate) contrast: Option<Switch>,
    /// File of `veridic calibrate`, instead of the NLI model's own
    ///
    /// It weighs evidence and sets the limits of verdicts. The default is the model's, if it has one that was made for this
    /// profile, these levels and rules; off uses none.
    #[arg(long, value_name = "FILE|off", help_heading = "Scoring")]
    pub(crate) calibration: Option<PathBuf>,
    /// Mark the least certain claims as unsure
    ///
    /// RATE is the share of summaries, from 0 to below 1, whose verdicts are the likeliest to be wrong; results have the risk of
    /// each claim and the precision that is expected of the others. 0, the default, marks none. It needs a calibration with a
    /// risk, as base and mini have; `veridic calibrate` fits one.
    #[arg(long, value_name = "RATE", allow_hyphen_values = true, help_heading = "Scoring")]
    pub(crate) abstain: Option<f32>,
    /// Give verdicts on texts in languages that the model does not list
    ///
    /// Otherwise they are unsupported, with the reason `language`. A model's card lists its languages.
    #[arg(long, help_heading = "Scoring")]
    pub(crate) any_language: bool,
    /// Model that marks a claim's unsupported words
    ///
    /// A token classifier with one or two labels by name, folder or pulled hub id, such as LettuceDetect's models, in the place of
    /// the head that base and mini have. Verdicts and scores do not depend on it.
    #[arg(long, value_name = "MODEL", help_heading = "Scoring")]
    pub(crate) token_classifier: Option<String>,
    /// Metric [default: fenice]; may be given several times
    ///
    /// fenice (claims), finesure, summac-zs, summac-conv, menli, alignscore, nli-sent, rouge, rouge-stemmed, bertscore,
    /// relevance, key-points, sumautoeval, each also as NAME:AXIS,AXIS; all: every metric that a row has the texts for. rating
    /// and tofueval are a language model's: they need --answers or --judge.
    #[arg(long, value_name = "NAME[:AXIS]", help_heading = "Scoring")]
    pub(crate) metric: Vec<String>,
    /// Key facts: row, reference, document or FILE
    ///
    /// FineSurE's. row: the row's field key_facts; reference: claims of its reference; document: claims of the document's
    /// most central sentences, an approximation; for `score` also a text file, one fact a line.
    #[arg(long, alias = "keyfacts", value_name = "FROM", default_value = "row", help_heading = "Scoring")]
    pub(crate) key_facts: KeyFactsChoice,
    /// What summaries should be about, for the metric relevance
    ///
    /// The default is each row's field topic.
    #[arg(long, value_name = "TEXT", help_heading = "Scoring")]
    pub(crate) topic: Option<String>,
    /// How SumAutoEval's two checks are joined
    ///
    /// The checks of the section that an entity belongs in.
    #[arg(long, value_parser = choice(&AlignmentRule::ALL, AlignmentRule::name, alignment_help), value_name = "RULE", default_value = "any", help_heading = "Scoring")]
    pub(crate) alignment_rule: AlignmentRule,
    /// Judge an extract of each document; off: whole documents
    ///
    /// Extract-then-Evaluate, by lead, rouge-1, rouge-2, rouge-1+2, bertscore or nli. The default under the profile veridic
    /// is rouge-1 with the rule fill for documents of more than 200 sentences; else off.
    #[arg(long, value_name = "METHOD|off", group = "extracts", help_heading = "Scoring")]
    pub(crate) extract: Option<ExtractChoice>,
    /// Token budget of an extract
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET, requires = "extract", help_heading = "Scoring")]
    pub(crate) budget: usize,
    /// How wording counts: authors or fill
    ///
    /// And what happens at the budget. authors: word stems, and the first sentence that does not fit ends the extract, as in
    /// the authors' program; fill: words as written, and a sentence that does not fit is skipped.
    #[arg(long, value_name = "RULE", default_value = "authors", value_parser = choice(&Rule::ALL, Rule::name, |_| ""),
          requires = "extract", help_heading = "Scoring")]
    pub(crate) extract_rule: Rule,
    /// The model whose tokenizer counts tokens [default: the NLI model]
    ///
    /// A name, a folder or a hub id; only its tokenizer is needed.
    #[arg(long, value_name = "MODEL", requires = "extracts", help_heading = "Scoring")]
    pub(crate) budget_tokenizer: Option<String>,
    #[command(flatten)]
    pub(crate) bertscore: BertScoreArgs,
    #[command(flatten)]
    pub(crate) summac: SummacArgs,
    /// Megabytes of the cache of pairs in memory
    ///
    /// This changes speed and memory, never a result.
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Model")]
    pub(crate) cache_mb: usize,
    /// Folder of the score cache
    ///
    /// Other runs share it, also at the same time. This changes speed, never a result.
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub(crate) cache: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// The default of `--budget`.
pub(super) const DEFAULT_BUDGET: usize = Extraction::USUAL_BUDGET;

/// The default of `--claims` where no profile decides it.
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

/// on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

impl Switch {
    pub(crate) fn is_on(self) -> bool {
        self == Self::On
    }
}
