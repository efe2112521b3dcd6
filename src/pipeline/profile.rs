//! Profiles: how premises are chosen, scored, pooled and judged. A profile is data; the alignment
//! follows it and nothing else, so that two runs with equal profiles compute the same premises.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize, Serializer};
use veridic_models::store::{Checker, ChunkUnit};
use veridic_models::{Probabilities, Truncation};

use super::coref::Rewriting;
use crate::named;

/// A granularity of the document, in the order in which ties are broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// One sentence.
    Sentence,
    /// The best sentence with a mention replaced by another name of the same thing.
    Coref,
    /// Several consecutive sentences.
    Window,
    /// The whole document.
    Document,
}

named!(Level, "level", { Sentence = "sentence", Coref = "coref", Window = "window", Document = "document" });

/// The number that a premise's probabilities become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScoreRule {
    /// The probability of entailment.
    #[serde(rename = "entailment")]
    Entailment,
    /// FENICE's NLIScore (Scirè et al. 2024, section 3.2).
    #[serde(rename = "entailment - contradiction")]
    EntailmentMinusContradiction,
    /// What the authors' released program subtracts.
    #[serde(rename = "entailment - neutral")]
    EntailmentMinusNeutral,
}

named!(ScoreRule, "rule", {
    Entailment = "e",
    EntailmentMinusContradiction = "e-t",
    EntailmentMinusNeutral = "e-n",
});

impl ScoreRule {
    /// The score, in -1..=1.
    #[must_use]
    pub fn score(self, p: &Probabilities) -> f32 {
        let against = match self {
            Self::Entailment => 0.0,
            Self::EntailmentMinusContradiction => p.contradiction,
            Self::EntailmentMinusNeutral => p.neutral,
        };
        (f64::from(p.entailment) - f64::from(against)) as f32
    }
}

/// How the levels' scores become the claim's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pooling {
    /// The maximum over all levels.
    Maximum,
    /// The sentence level's score if it reaches the threshold; else the maximum over windows and
    /// document, even if that is lower (equation 7).
    Cascade {
        /// T.
        threshold: f32,
    },
}

/// How the claims' scores become the summary's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OverClaims {
    /// The mean (equation 8).
    Mean,
    /// The worst one.
    Minimum,
    /// Between the two: -ln(mean of exp(-k s)) / k, with k = 5.
    #[serde(rename = "soft minimum")]
    SoftMinimum,
}

named!(OverClaims, "rule", { Mean = "mean", Minimum = "minimum", SoftMinimum = "soft-minimum" });

/// Which windows there are, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowRule {
    /// Exact slices of the document; none when it has fewer sentences than a window.
    Slices,
    /// Sentences joined by one space; when there is only one window, neither windows nor the
    /// document are used.
    Joined,
    /// As many sentences as fit, each in one window, for a checker that reads chunks.
    Packed(Chunks),
}

/// The chunks in which a checker reads a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Chunks {
    /// Most units of a chunk.
    pub size: usize,
    /// What is counted.
    pub unit: ChunkUnit,
    /// What stands between sentences.
    pub separator: &'static str,
}

/// How many premises of a level a claim is compared with, those that share its rarest tokens; the others are never
/// computed. Rewritten sentences are not screened, there is one best sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Screen {
    /// Sentences.
    pub sentences: NonZeroUsize,
    /// Windows.
    pub windows: NonZeroUsize,
    /// The document, or the runs into which it is split.
    pub runs: NonZeroUsize,
}

impl Screen {
    /// What the profile `veridic` compares. What that costs stands in docs/measurements/accuracy.md.
    pub const USUAL: Self = {
        const fn most(premises: usize) -> NonZeroUsize {
            NonZeroUsize::new(premises).expect("not zero")
        }
        Self { sentences: most(4), windows: most(3), runs: most(2) }
    };

    /// Most premises of a level.
    #[must_use]
    pub fn most(self, level: Level) -> usize {
        match level {
            Level::Sentence => self.sentences.get(),
            Level::Coref => usize::MAX,
            Level::Window => self.windows.get(),
            Level::Document => self.runs.get(),
        }
    }
}

/// What happens to a pair over its token limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The premise is split into overlapping runs of whole sentences; the claim is never cut.
    Split,
    /// The pair is cut.
    Cut(Truncation),
}

/// Scores from which a claim is called supported or contradicted. This is the one place of these
/// numbers; docs/measurements/accuracy.md tells how they were found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// A claim whose score is at least this is supported.
    pub supported: f32,
    /// A claim that is not, and has a sentence about it whose contradiction is above this, is
    /// contradicted; so is one of which a sentence about it gives a quantity otherwise, where that is looked up.
    pub contradicted: f32,
    /// A sentence is about a claim if it has at least so many of the claim's words, function words
    /// aside; of a claim with fewer, all.
    #[serde(default = "Thresholds::usual_shared_words")]
    pub shared_words: usize,
}

impl Thresholds {
    /// Contradiction above which a sentence says otherwise, and the words that make it be about a claim,
    /// whatever the model: labels of summaries do not tell them for each (docs/measurements/accuracy.md).
    pub const CONTRADICTED: f32 = 0.7;
    /// See [`Self::CONTRADICTED`].
    pub const SHARED_WORDS: usize = 3;

    fn usual_shared_words() -> usize {
        Self::SHARED_WORDS
    }

    /// The usual ones with this limit of support.
    #[must_use]
    pub fn supported_from(supported: f32) -> Self {
        Self { supported, contradicted: Self::CONTRADICTED, shared_words: Self::SHARED_WORDS }
    }
}

/// Everything that decides a score beside the model and the texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name that `--profile` takes.
    pub name: &'static str,
    /// Levels that are computed, without repetition, in order.
    pub levels: Vec<Level>,
    /// Score of a premise.
    pub rule: ScoreRule,
    /// Score of a claim.
    pub pooling: Pooling,
    /// Score of a summary.
    pub over_claims: OverClaims,
    /// Sentences of a window.
    pub window: NonZeroUsize,
    /// Sentences from one window's start to the next one's.
    pub stride: NonZeroUsize,
    /// Text of windows.
    pub window_rule: WindowRule,
    /// How many premises of each level a claim is compared with; none for all.
    pub screen: Option<Screen>,
    /// A claim whose score reached `1 - epsilon` leaves its remaining premises out; 0 leaves out
    /// nothing.
    pub epsilon: f32,
    /// Longest pair of the sentence and window levels in tokens, if the profile has a limit of
    /// its own beside the model's.
    pub pair_tokens: Option<usize>,
    /// The same for rewritten sentences.
    pub rewritten_tokens: Option<usize>,
    /// The same for the document level.
    pub document_tokens: Option<usize>,
    /// Most tokens of a run of the document: a longer document is read in several, where premises are split.
    pub run_tokens: Option<usize>,
    /// Whether claims have facts, and a calibration weighs them.
    pub weighs_facts: bool,
    /// Whether long documents are judged by an extract, where an evaluator judges.
    pub extracts: bool,
    /// How the level `coref` replaces mentions.
    pub rewriting: Rewriting,
    /// What happens beyond the limit.
    pub overflow: Overflow,
    /// Verdicts.
    pub thresholds: Thresholds,
}

/// Tokens of a run of the document under the profile `veridic`: about 300 words, what `base` was trained on.
const RUN_TOKENS: usize = 400;
const WINDOW: NonZeroUsize = NonZeroUsize::new(5).expect("5 is not 0");
const WITHOUT_COREF: [Level; 3] = [Level::Sentence, Level::Window, Level::Document];
const WITH_COREF: [Level; 4] = [Level::Sentence, Level::Coref, Level::Window, Level::Document];

impl Profile {
    /// The names that [`Profile::named`] knows.
    pub const NAMES: [&'static str; 4] = ["veridic", "paper", "released", "released-aggrefact"];

    /// The name of [`Profile::checker`].
    pub const CHECKER: &'static str = "checker";

    /// The profile of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "veridic" => Some(Self::veridic()),
            "paper" => Some(Self::paper()),
            "released" => Some(Self::released()),
            "released-aggrefact" => Some(Self::released_aggrefact()),
            _ => None,
        }
    }

    /// Our best measured setting, the default. Its level `coref` is made for the resolver by rules.
    #[must_use]
    pub fn veridic() -> Self {
        Self {
            name: "veridic",
            levels: WITH_COREF.to_vec(),
            rule: ScoreRule::EntailmentMinusContradiction,
            pooling: Pooling::Maximum,
            over_claims: OverClaims::Mean,
            window: WINDOW,
            stride: NonZeroUsize::MIN,
            window_rule: WindowRule::Slices,
            screen: Some(Screen::USUAL),
            epsilon: 0.01,
            pair_tokens: None,
            rewritten_tokens: None,
            document_tokens: None,
            run_tokens: Some(RUN_TOKENS),
            weighs_facts: true,
            extracts: true,
            rewriting: Rewriting::Grammatical,
            overflow: Overflow::Split,
            thresholds: Thresholds::supported_from(0.5),
        }
    }

    /// FENICE's equations (Scirè et al. 2024, section 3). The paper finds other names by F-Coref.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            name: "paper",
            pooling: Pooling::Cascade { threshold: 0.8 },
            screen: None,
            epsilon: 0.0,
            pair_tokens: Some(512),
            rewritten_tokens: Some(512),
            document_tokens: Some(4096),
            run_tokens: None,
            weighs_facts: false,
            extracts: false,
            rewriting: Rewriting::Plain,
            overflow: Overflow::Cut(Truncation::LongestFirst),
            ..Self::veridic()
        }
    }

    /// What the authors' released program computes, without coreference, as there by default.
    #[must_use]
    pub fn released() -> Self {
        Self {
            name: "released",
            levels: WITHOUT_COREF.to_vec(),
            rule: ScoreRule::EntailmentMinusNeutral,
            pooling: Pooling::Maximum,
            window_rule: WindowRule::Joined,
            pair_tokens: Some(1024),
            rewritten_tokens: Some(4096),
            rewriting: Rewriting::Released,
            ..Self::paper()
        }
    }

    /// What it computes with the overrides of the authors' evaluation on AggreFact, where coreference is on.
    #[must_use]
    pub fn released_aggrefact() -> Self {
        Self {
            name: "released-aggrefact",
            levels: WITH_COREF.to_vec(),
            stride: NonZeroUsize::new(5).expect("5 is not 0"),
            pair_tokens: Some(512),
            ..Self::released()
        }
    }

    /// How a checker's authors use it: the best chunk's probability of being supported, decided at their threshold.
    #[must_use]
    pub fn checker(checker: &'static Checker) -> Self {
        let Checker { chunk_size, chunk_unit, sentence_separator, threshold, .. } = checker;
        let chunks = Chunks { size: *chunk_size as usize, unit: *chunk_unit, separator: sentence_separator };
        Self {
            name: Self::CHECKER,
            levels: vec![Level::Window],
            rule: ScoreRule::Entailment,
            window_rule: WindowRule::Packed(chunks),
            screen: None,
            run_tokens: None,
            weighs_facts: false,
            extracts: false,
            thresholds: Thresholds { contradicted: 1.0, ..Thresholds::supported_from(*threshold as f32) },
            ..Self::veridic()
        }
    }

    /// The same with the level `coref`.
    #[must_use]
    pub fn with_coref(mut self) -> Self {
        self.levels.push(Level::Coref);
        self.levels.sort_unstable();
        self.levels.dedup();
        self
    }

    /// The same without the level `coref`.
    #[must_use]
    pub fn without_coref(mut self) -> Self {
        self.levels.retain(|level| *level != Level::Coref);
        self
    }

    /// Whether it computes a level.
    #[must_use]
    pub fn has(&self, level: Level) -> bool {
        self.levels.contains(&level)
    }

    /// Longest pair of a level in tokens for a model that takes `model_limit`.
    #[must_use]
    pub fn token_limit(&self, level: Level, model_limit: usize) -> usize {
        let own = match level {
            Level::Sentence | Level::Window => self.pair_tokens,
            Level::Coref => self.rewritten_tokens,
            Level::Document => self.document_tokens,
        };
        own.map_or(model_limit, |own| own.min(model_limit))
    }

    /// T of a cascade.
    #[must_use]
    pub fn threshold(&self) -> Option<f32> {
        match self.pooling {
            Pooling::Maximum => None,
            Pooling::Cascade { threshold } => Some(threshold),
        }
    }

    /// Whether claims may leave premises out.
    #[must_use]
    pub fn is_lazy(&self) -> bool {
        self.epsilon > 0.0
    }

    /// Whether a claim with this score leaves its remaining premises out.
    #[must_use]
    pub fn is_enough(&self, score: f32) -> bool {
        self.is_lazy() && score >= 1.0 - self.epsilon
    }
}

impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("profile", 16)?;
        out.serialize_field("name", self.name)?;
        out.serialize_field("levels", &self.levels)?;
        out.serialize_field("score", &self.rule)?;
        out.serialize_field("threshold", &self.threshold())?;
        out.serialize_field("over_claims", &self.over_claims)?;
        out.serialize_field("window", &self.window)?;
        out.serialize_field("stride", &self.stride)?;
        out.serialize_field("windows", &self.window_rule)?;
        out.serialize_field("screen", &self.screen)?;
        out.serialize_field("epsilon", &self.epsilon)?;
        out.serialize_field("pair_tokens", &self.pair_tokens)?;
        out.serialize_field("rewritten_tokens", &self.rewritten_tokens)?;
        out.serialize_field("document_tokens", &self.document_tokens)?;
        out.serialize_field("run_tokens", &self.run_tokens)?;
        out.serialize_field("overflow", self.overflow.name())?;
        out.serialize_field("verdicts", &self.thresholds)?;
        out.end()
    }
}

impl Overflow {
    fn name(self) -> &'static str {
        match self {
            Self::Split => "split",
            Self::Cut(Truncation::Premise) => "cut premise",
            Self::Cut(_) => "cut longest_first",
        }
    }
}
