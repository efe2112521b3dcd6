//! The choices of a claim source and of a coreference resolver, and their text forms.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use veridic_models::store::did_you_mean;

/// The names of claim sources.
const CLAIMS: [&str; 4] = ["sentence", "given", "t5", "answers"];

/// The published extractor of FENICE's authors.
const T5_EXTRACTOR: &str = "Babelscape/t5-base-summarization-claim-extractor";

/// The source of claims.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimsChoice {
    /// Every sentence is a claim.
    #[default]
    Sentence,
    /// The claims that come with the pair.
    Given,
    /// Claims written by a text-to-text model of this name or folder.
    T5(String),
    /// Claims written by a language model: from this file of answers, else from the setting `answers` or a server.
    Answers(Option<PathBuf>),
}

/// A text that is not a [`ClaimsChoice`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no claims `{0}`{meant}: known are {names}, t5=NAME|DIR and answers=FILE", meant = did_you_mean(.0, CLAIMS), names = CLAIMS.join(", "))]
pub struct UnknownClaims(String);

impl ClaimsChoice {
    /// Its kind, as named in results.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Given => "given",
            Self::T5(_) => "t5",
            Self::Answers(_) => "answers",
        }
    }
}

impl Serialize for ClaimsChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FromStr for ClaimsChoice {
    type Err = UnknownClaims;

    fn from_str(text: &str) -> Result<Self, UnknownClaims> {
        match text.split_once('=').unwrap_or((text, "")) {
            ("sentence", "") => Ok(Self::Sentence),
            ("given", "") => Ok(Self::Given),
            ("t5", "") => Ok(Self::T5(T5_EXTRACTOR.to_owned())),
            ("t5", model) => Ok(Self::T5(model.to_owned())),
            ("answers", "") => Ok(Self::Answers(None)),
            ("answers", file) => Ok(Self::Answers(Some(file.into()))),
            _ => Err(UnknownClaims(text.to_owned())),
        }
    }
}

impl fmt::Display for ClaimsChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sentence => formatter.write_str("sentence"),
            Self::Given => formatter.write_str("given"),
            Self::T5(model) => write!(formatter, "t5={model}"),
            Self::Answers(None) => formatter.write_str("answers"),
            Self::Answers(Some(file)) => write!(formatter, "answers={}", file.display()),
        }
    }
}

/// The coreference resolver of the level `coref`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorefChoice {
    /// None; the level `coref` is not used.
    Off,
    /// Rules.
    Rules,
    /// A coreference model of this name or folder.
    Model(String),
}

impl CorefChoice {
    /// Its kind, as named in results.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Model(_) => "model",
        }
    }
}

impl Serialize for CorefChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FromStr for CorefChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "off" => Self::Off,
            "rules" => Self::Rules,
            model => Self::Model(model.to_owned()),
        })
    }
}

impl fmt::Display for CorefChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Model(model) => model,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read() {
        for (text, choice) in [
            ("sentence", ClaimsChoice::Sentence),
            ("given", ClaimsChoice::Given),
            ("t5", ClaimsChoice::T5(T5_EXTRACTOR.to_owned())),
            ("t5=a=b", ClaimsChoice::T5("a=b".to_owned())),
            ("answers", ClaimsChoice::Answers(None)),
            ("answers=a.jsonl", ClaimsChoice::Answers(Some("a.jsonl".into()))),
        ] {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "t6", "given=x", "Sentence"] {
            assert_eq!(text.parse::<ClaimsChoice>(), Err(UnknownClaims(text.to_owned())), "{text}");
        }
    }
}
