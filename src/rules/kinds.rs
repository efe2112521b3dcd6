//! The types of the rules' values: levels, scores, pooling, windows, caps, limits.

use serde::{Deserialize, Serialize, Serializer};
use veridic_models::store::ChunkUnit;
use veridic_models::{Probabilities, Truncation};

use crate::named;

/// A granularity of premises; ties between levels go to the first.
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

/// The score of a premise as a function of its probabilities.
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

/// The pooling of the premises' scores into the claim's score.
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

/// The pooling of the claims' scores into the summary's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OverClaims {
    /// The mean (equation 8).
    Mean,
    /// The minimum.
    Minimum,
    /// Between the two: -ln(mean of exp(-k s)) / k, with k = 5.
    #[serde(rename = "soft minimum")]
    SoftMinimum,
}

named!(OverClaims, "rule", { Mean = "mean", Minimum = "minimum", SoftMinimum = "soft-minimum" });

/// The windows of a document and their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowRule {
    /// Exact slices of the document; none if it has fewer sentences than a window.
    Slices,
    /// Sentences joined by one space; if there is only one window, neither the window nor the document level is used.
    Joined,
    /// Chunks of as many whole sentences as fit, without overlap, for checkers that read chunks.
    Packed(Chunks),
}

/// The chunks in which a checker reads a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunks {
    /// Maximum units per chunk.
    pub size: usize,
    /// The unit of `size`.
    pub unit: ChunkUnit,
    /// The text between sentences.
    pub separator: &'static str,
}

/// The treatment of a pair over its token limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overflow {
    /// The premise is split into overlapping runs of whole sentences; the claim is never cut.
    Split,
    /// The pair is truncated.
    Cut(Truncation),
}

/// The limits by which verdicts are decided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thresholds {
    /// A claim whose score is at least this is supported.
    pub supported: f32,
    /// A claim that is not supported is contradicted if a sentence about it contradicts it with more than this
    /// probability, or gives another value for a quantity that is nowhere in the document.
    pub contradicted: f32,
    /// A sentence is about a claim if it contains at least this many of the claim's words other than function words, or
    /// all of them if the claim has fewer.
    pub shared_words: usize,
}

impl Thresholds {
    /// The default limits with this limit of support.
    #[must_use]
    pub fn supported_from(supported: f32) -> Self {
        Self { supported, contradicted: 0.7, shared_words: 3 }
    }
}

/// A rule that caps the score of a claim, regardless of the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cap {
    /// A quantity of the claim is nowhere in the document.
    QuantityNowhere,
    /// A date, day or time of the claim is nowhere in the document.
    DateNowhere,
    /// The document says something else instead of a part of the claim.
    Instead,
}

named!(Cap, "cap", {
    QuantityNowhere = "quantity_nowhere",
    DateNowhere = "date_nowhere",
    Instead = "instead",
});

impl Cap {
    /// The finding that it applies to, in words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::QuantityNowhere => "a number that is nowhere in the document",
            Self::DateNowhere => "a date that is nowhere in the document",
            Self::Instead => "the document says something else",
        }
    }
}

/// The caps of the rules: the highest score of a claim to which a rule applies. Each is the share of such claims that
/// people label as supported (docs/measurements/accuracy.md); `None` turns the rule off.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Caps {
    /// The cap of [`Cap::QuantityNowhere`].
    pub quantity_nowhere: Option<f32>,
    /// The cap of [`Cap::DateNowhere`].
    pub date_nowhere: Option<f32>,
    /// The cap of [`Cap::Instead`].
    pub instead: Option<f32>,
}

impl Caps {
    /// The cap of a rule.
    #[must_use]
    pub fn of(&self, cap: Cap) -> Option<f32> {
        match cap {
            Cap::QuantityNowhere => self.quantity_nowhere,
            Cap::DateNowhere => self.date_nowhere,
            Cap::Instead => self.instead,
        }
    }

    /// Whether claims' quantities and dates are looked up in the document.
    #[must_use]
    pub(crate) fn look_up(&self) -> bool {
        self.quantity_nowhere.is_some() || self.date_nowhere.is_some()
    }
}

/// The way in which a mention is replaced by another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rewriting {
    /// Text for text.
    Plain,
    /// With `'s` for a possessive pronoun, and a capital at the sentence's start.
    Grammatical,
    /// As in the authors' released program: text for text, at the first occurrence of the sentence's text in the
    /// document, and only by names that no mention of the cluster in the sentence already has.
    Released,
}

/// The name of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProfileName {
    /// [`Rules::veridic`](super::Rules::veridic), the default.
    Veridic,
    /// [`Rules::paper`](super::Rules::paper): the equations of FENICE (Scirè, Ghonim, Navigli, ACL Findings 2024).
    Paper,
    /// [`Rules::released`](super::Rules::released): the program of FENICE's authors.
    Released,
    /// [`Rules::released_aggrefact`](super::Rules::released_aggrefact): that program as its authors ran it on AggreFact.
    ReleasedAggrefact,
    /// [`Rules::checker`](super::Rules::checker): a checker as its authors use it (MiniCheck, FactCG).
    Checker,
}

named!(ProfileName, "profile", {
    Veridic = "veridic",
    Paper = "paper",
    Released = "released",
    ReleasedAggrefact = "released-aggrefact",
    Checker = "checker",
});

impl Pooling {
    /// T of the cascade.
    #[must_use]
    pub fn threshold(self) -> Option<f32> {
        match self {
            Self::Maximum => None,
            Self::Cascade { threshold } => Some(threshold),
        }
    }
}

impl Serialize for Pooling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.threshold().serialize(serializer)
    }
}
