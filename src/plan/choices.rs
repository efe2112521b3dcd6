//! Choices with a name: how they are typed.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::str::FromStr;

use veridic_models::store::did_you_mean;

use crate::pipeline::Screen;

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

/// How many premises of each level a claim is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenChoice {
    /// All.
    Off,
    /// At most so many.
    Most(Screen),
}

/// A word that says no screen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no screen `{0}`: three whole numbers from 1 on, of sentences, windows and runs, as in 4,3,2; or off"
)]
pub struct UnknownScreen(String);

impl FromStr for ScreenChoice {
    type Err = UnknownScreen;

    fn from_str(text: &str) -> Result<Self, UnknownScreen> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let unknown = || UnknownScreen(text.to_owned());
        let numbers: Vec<NonZeroUsize> = text
            .split(',')
            .map(|number| number.trim().parse().map_err(|_| unknown()))
            .collect::<Result<_, _>>()?;
        let [sentences, windows, runs] = numbers[..] else { return Err(unknown()) };
        Ok(Self::Most(Screen { sentences, windows, runs }))
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
    fn choices_are_read() {
        for (text, choice) in [
            ("sentence", ClaimsChoice::Sentence),
            ("given", ClaimsChoice::Given),
            ("t5", ClaimsChoice::T5(T5_EXTRACTOR.to_owned())),
            ("t5=a=b", ClaimsChoice::T5("a=b".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(choice));
        }
        assert_eq!("off".parse(), Ok(ScreenChoice::Off));
        assert_eq!("4, 3,2".parse(), Ok(ScreenChoice::Most(Screen::DEFAULT)));
        for text in ["", "4,3", "4,3,0", "4,3,2,1", "a,b,c", "-1,3,2"] {
            assert_eq!(text.parse::<ScreenChoice>(), Err(UnknownScreen(text.to_owned())), "{text}");
        }
        for text in ["", "t6", "clause=x", "Sentence"] {
            assert_eq!(text.parse::<ClaimsChoice>(), Err(UnknownClaims(text.to_owned())), "{text}");
        }
    }
}
