//! Profiles: how premises are chosen, scored, pooled and judged. A profile is data; the alignment depends on it and on
//! outcomes alone, so that two runs with equal profiles compute the same premises.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize, Serializer};
use veridic_models::store::ChunkUnit;
use veridic_models::{Probabilities, Truncation};

use super::coref::Rewriting;
use super::screen::Screen;
use crate::named;

/// A granularity of the document, in the order in which ties are broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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

/// How a premise's probabilities become its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ScoreRule {
    /// The probability of entailment.
    #[serde(rename = "entailment")]
    Entailment,
    /// FENICE's NLIScore (Scirè et al. 2024, section 3.2).
    #[serde(rename = "entailment - contradiction")]
    EntailmentMinusContradiction,
    /// The score of the authors' released program.
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
#[non_exhaustive]
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
#[non_exhaustive]
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

/// Which windows a document has, and their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum WindowRule {
    /// Exact slices of the document; none where it has fewer sentences than a window.
    Slices,
    /// Sentences joined by one space; where there is only one window, neither the window nor the document level is used.
    Joined,
    /// Chunks of as many sentences as fit, without overlap, for a checker that reads chunks.
    Packed(Chunks),
}

/// The chunks in which a checker reads a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Chunks {
    /// Most units of a chunk.
    pub size: usize,
    /// The unit of `size`.
    pub unit: ChunkUnit,
    /// The text between sentences.
    pub separator: &'static str,
}

/// What happens to a pair over its token limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overflow {
    /// The premise is split into overlapping runs of whole sentences; the claim is never cut.
    Split,
    /// The pair is cut.
    Cut(Truncation),
}

/// The limits of verdicts. Their values are defined here alone; docs/measurements/accuracy.md has how they were found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// A claim whose score is at least this is supported.
    pub supported: f32,
    /// A claim that is not supported is contradicted if a sentence about it has a contradiction above this, or, where
    /// quantities are compared, another value for one of its quantities.
    pub contradicted: f32,
    /// A sentence is about a claim if it has at least so many of the claim's words, function words
    /// aside; of a claim with fewer, all of them.
    #[serde(default = "Thresholds::default_shared_words")]
    pub shared_words: usize,
}

impl Thresholds {
    /// Default of [`Self::contradicted`], for every model: labels of summaries do not determine one for each
    /// (docs/measurements/accuracy.md).
    pub const CONTRADICTED: f32 = 0.7;
    /// Default of [`Self::shared_words`], for every model.
    pub const SHARED_WORDS: usize = 3;

    /// The document says something else instead of a part of a claim if a premise contradicts the claim with at least this,
    /// and entails it with at least one of the following once the part is replaced. docs/measurements/accuracy.md has how
    /// they were found.
    pub const INSTEAD_CONTRADICTION: f32 = 0.65;
    /// The least entailment of the claim with another quantity or date, by one sentence.
    pub const INSTEAD_BY_SENTENCE: f32 = 0.7;
    /// The same by a longer premise, which may say the same of something else.
    pub const INSTEAD_BY_LONGER: f32 = 0.8;
    /// The least entailment of the claim with another name, or with two names exchanged, by one sentence: what is said of one
    /// name is often nearly said of another.
    pub const INSTEAD_OF_NAMES: f32 = 0.9;
    /// A filling is entailed as much as the claim if its entailment is at most this much lower.
    pub const INSENSITIVE_WITHIN: f32 = 0.05;

    fn default_shared_words() -> usize {
        Self::SHARED_WORDS
    }

    /// The defaults with this limit of support.
    #[must_use]
    pub fn supported_from(supported: f32) -> Self {
        Self { supported, contradicted: Self::CONTRADICTED, shared_words: Self::SHARED_WORDS }
    }
}

/// The name of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProfileName {
    /// [`Profile::veridic`], the default.
    Veridic,
    /// [`Profile::paper`]: the equations of FENICE (Scirè, Ghonim, Navigli, ACL Findings 2024).
    Paper,
    /// [`Profile::released`]: the program of FENICE's authors.
    Released,
    /// [`Profile::released_aggrefact`]: that program as its authors ran it on AggreFact.
    ReleasedAggrefact,
    /// [`Profile::checker`]: a checker as its authors use it (MiniCheck, FactCG).
    Checker,
}

named!(ProfileName, "profile", {
    Veridic = "veridic",
    Paper = "paper",
    Released = "released",
    ReleasedAggrefact = "released-aggrefact",
    Checker = "checker",
});

/// Everything that decides a score, except the model and the texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// Its name.
    pub name: ProfileName,
    /// Levels that are computed, in order, each once.
    pub levels: Vec<Level>,
    /// The score of a premise.
    #[serde(rename = "score")]
    pub rule: ScoreRule,
    /// The score of a claim.
    #[serde(rename = "threshold", serialize_with = "threshold")]
    pub pooling: Pooling,
    /// The score of a summary.
    pub over_claims: OverClaims,
    /// Sentences of a window.
    pub window: NonZeroUsize,
    /// Sentences from one window's start to the next one's.
    pub stride: NonZeroUsize,
    /// Which windows there are.
    #[serde(rename = "windows")]
    pub window_rule: WindowRule,
    /// Which premises of each level the judge reads of a claim; none for all.
    pub screen: Option<Screen>,
    /// A claim whose score lies at most this far from the limit of support is compared with what the screen left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalate: Option<f32>,
    /// A claim whose score reached `1 - epsilon` skips its remaining premises; 0 skips nothing.
    pub epsilon: f32,
    /// Longest pair of the sentence and window levels in tokens, if the profile has a limit of
    /// its own beside the model's.
    pub pair_tokens: Option<usize>,
    /// The same for rewritten sentences.
    pub rewritten_tokens: Option<usize>,
    /// The same for the document level.
    pub document_tokens: Option<usize>,
    /// Most tokens of a run of the document, where premises are split; a longer document is read in several runs.
    pub run_tokens: Option<usize>,
    /// Whether claims have facts, which a calibration weighs.
    #[serde(skip)]
    pub weighs_facts: bool,
    /// Whether the judge reads other fillings of a claim, so that the result says what the document says instead.
    pub contrast: bool,
    /// Whether an evaluator judges long documents by an extract.
    #[serde(skip)]
    pub extracts: bool,
    /// How the level `coref` replaces mentions.
    #[serde(skip)]
    pub rewriting: Rewriting,
    /// What happens beyond the limit.
    pub overflow: Overflow,
    /// The limits of verdicts.
    #[serde(rename = "verdicts")]
    pub thresholds: Thresholds,
}

impl Profile {
    /// The profile with the level `coref`.
    #[must_use]
    pub fn with_coref(mut self) -> Self {
        self.levels.push(Level::Coref);
        self.levels.sort_unstable();
        self.levels.dedup();
        self
    }

    /// The profile without the level `coref`.
    #[must_use]
    pub(crate) fn without_coref(mut self) -> Self {
        self.levels.retain(|level| *level != Level::Coref);
        self
    }

    /// Whether it has a level.
    #[must_use]
    pub(crate) fn has(&self, level: Level) -> bool {
        self.levels.contains(&level)
    }

    /// Longest pair of a level in tokens for a model that takes `model_limit`.
    #[must_use]
    pub(crate) fn token_limit(&self, level: Level, model_limit: usize) -> usize {
        let own = match level {
            Level::Sentence | Level::Window => self.pair_tokens,
            Level::Coref => self.rewritten_tokens,
            Level::Document => self.document_tokens,
        };
        own.map_or(model_limit, |own| own.min(model_limit))
    }

    /// Whether claims may skip premises.
    #[must_use]
    pub(crate) fn is_lazy(&self) -> bool {
        self.epsilon > 0.0
    }

    /// Whether a claim with this score skips its remaining premises.
    #[must_use]
    pub(crate) fn is_enough(&self, score: f32) -> bool {
        self.is_lazy() && score >= 1.0 - self.epsilon
    }
}

fn threshold<S: Serializer>(pooling: &Pooling, serializer: S) -> Result<S::Ok, S::Error> {
    let threshold = match pooling {
        Pooling::Maximum => None,
        Pooling::Cascade { threshold } => Some(threshold),
    };
    threshold.serialize(serializer)
}

impl Serialize for Overflow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Split => "split",
            Self::Cut(Truncation::Premise) => "cut premise",
            Self::Cut(_) => "cut longest_first",
        })
    }
}
