//! The heads that read the first token of an encoder of BERT's family: that of `transformers`' sequence classifiers,
//! and the two of AlignScore's three heads that give probabilities (Zha, Yang, Li, Hu, ACL 2023, section 3.1), which
//! share the encoder's pooler.

use std::fmt;
use std::str::FromStr;

use super::family::Family;

/// The head of a classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// The head of `transformers`.
    Classifier,
    /// One of AlignScore's heads.
    Align(AlignHead),
}

/// One of AlignScore's heads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AlignHead {
    /// Aligned, neutral or contradicting: the authors' default.
    #[default]
    ThreeWay,
    /// Not aligned or aligned.
    Binary,
}

/// The prefix of the encoder's tensors in a checkpoint of AlignScore's program.
pub(crate) const ALIGN_ENCODER: &str = "base_model.";

impl AlignHead {
    /// Its name in settings, as in the authors' evaluation modes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ThreeWay => "nli",
            Self::Binary => "bin",
        }
    }

    /// The name of its layer in a checkpoint.
    pub(crate) fn layer(self) -> &'static str {
        match self {
            Self::ThreeWay => "tri_layer",
            Self::Binary => "bin_layer",
        }
    }

    /// The relations that its outputs name, in order. "Aligned" is entailment.
    pub(crate) fn labels(self) -> Vec<String> {
        let names: &[&str] = match self {
            Self::ThreeWay => &["entailment", "neutral", "contradiction"],
            Self::Binary => &["not_entailment", "entailment"],
        };
        names.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for AlignHead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for AlignHead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = [Self::ThreeWay, Self::Binary].into_iter().find(|head| head.name() == text);
        named.ok_or_else(|| "AlignScore's heads with probabilities are nli and bin".to_owned())
    }
}

impl Head {
    /// The names of its two layers: one with tanh, and the output.
    pub(crate) fn layers(self, family: Family) -> (&'static str, &'static str) {
        match self {
            Self::Classifier => family.head_names(),
            Self::Align(head) => (family.pooler(), head.layer()),
        }
    }
}
