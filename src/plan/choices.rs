//! Choices with a name: how they are typed.

use std::convert::Infallible;
use std::str::FromStr;

use veridic_models::store::did_you_mean;

/// The words that say where claims come from.
const SOURCES: [&str; 4] = ["sentence", "clause", "given", "t5"];

/// The published extractor of FENICE's authors.
const T5_EXTRACTOR: &str = "Babelscape/t5-base-summarization-claim-extractor";

/// Where claims come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimsChoice {
    /// Every sentence is one.
    Sentence,
    /// Clauses by rules.
    Clause,
    /// They come with the row.
    Given,
    /// What a text-to-text model of this name or folder writes.
    T5(String),
}

/// A word that says no source of claims.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no claims `{0}`{meant}: known are {names} and t5=NAME|DIR", meant = did_you_mean(.0, SOURCES), names = SOURCES.join(", "))]
pub struct UnknownClaims(String);

impl FromStr for ClaimsChoice {
    type Err = UnknownClaims;

    fn from_str(text: &str) -> Result<Self, UnknownClaims> {
        match text.split_once('=').unwrap_or((text, "")) {
            ("sentence", "") => Ok(Self::Sentence),
            ("clause", "") => Ok(Self::Clause),
            ("given", "") => Ok(Self::Given),
            ("t5", "") => Ok(Self::T5(T5_EXTRACTOR.to_owned())),
            ("t5", model) => Ok(Self::T5(model.to_owned())),
            _ => Err(UnknownClaims(text.to_owned())),
        }
    }
}

/// What finds other names of the same thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorefChoice {
    /// Nothing.
    Off,
    /// Rules.
    Rules,
    /// A coreference model of this name or folder.
    Model(String),
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

/// What weighs evidence and gives verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CalibrationChoice {
    /// The calibration beside the NLI model, if it has one and it is for these settings.
    #[default]
    Own,
    /// The plain rule.
    Off,
    /// A calibration that was read.
    Text {
        /// What errors call it.
        file: String,
        /// What it holds.
        text: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_claims_are_read() {
        for (text, choice) in [
            ("sentence", ClaimsChoice::Sentence),
            ("given", ClaimsChoice::Given),
            ("t5", ClaimsChoice::T5(T5_EXTRACTOR.to_owned())),
            ("t5=a=b", ClaimsChoice::T5("a=b".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "t6", "clause=x", "Sentence"] {
            assert_eq!(text.parse::<ClaimsChoice>(), Err(UnknownClaims(text.to_owned())), "{text}");
        }
    }
}
