//! Values of settings that are more than a number: how each is written as text.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};
use veridic_models::Precision;
use veridic_models::store::did_you_mean;

use crate::named;
use crate::named::UnknownName;
pub use crate::pipeline::ProfileName;
use crate::pipeline::{Screen, ScreenMethod};

/// Ways to take claims that have a name.
const CLAIMS: [&str; 5] = ["sentence", "clause", "given", "t5", "answers"];

/// The published extractor of FENICE's authors.
const T5_EXTRACTOR: &str = "Babelscape/t5-base-summarization-claim-extractor";

impl ProfileName {
    /// Where claims come from unless it is set.
    pub(super) fn usual_claims(self) -> ClaimsChoice {
        match self {
            Self::Veridic | Self::Checker => ClaimsChoice::Sentence,
            Self::Paper | Self::Released | Self::ReleasedAggrefact => ClaimsChoice::Clause,
        }
    }

    /// What finds other names unless it is set.
    pub(super) fn usual_coref(self) -> CorefChoice {
        match self {
            Self::Veridic | Self::Paper => CorefChoice::Rules,
            Self::Released | Self::ReleasedAggrefact | Self::Checker => CorefChoice::Off,
        }
    }
}

/// The arithmetic of an NLI model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dtype {
    /// The fastest that is accurate on this processor or GPU.
    #[default]
    Auto,
    /// 32-bit floating point.
    F32,
    /// 8-bit integers with scales.
    Int8,
    /// 16-bit floating point, sums in 32 bits; GPUs only.
    F16,
    /// bfloat16, sums in 32 bits; GPUs, and CPUs with instructions for it.
    Bf16,
}

named!(Dtype, "dtype", { Auto = "auto", F32 = "f32", Int8 = "int8", F16 = "f16", Bf16 = "bf16" });

impl Dtype {
    /// The arithmetic to load a model in; none for [`Dtype::Auto`].
    #[must_use]
    pub fn precision(self) -> Option<Precision> {
        match self {
            Self::Auto => None,
            Self::F32 => Some(Precision::F32),
            Self::Int8 => Some(Precision::Int8),
            Self::F16 => Some(Precision::F16),
            Self::Bf16 => Some(Precision::Bf16),
        }
    }
}

/// Where claims come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimsChoice {
    /// Every sentence is a claim.
    Sentence,
    /// Clauses by rules.
    Clause,
    /// The claims that come with the pair.
    Given,
    /// Claims written by a text-to-text model of this name or folder.
    T5(String),
    /// Claims that a language model answered: in this file, else as the setting `answers` or a server gives them.
    Answers(Option<PathBuf>),
}

/// A text that is not a [`ClaimsChoice`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no claims `{0}`{meant}: known are {names}, t5=NAME|DIR and answers=FILE", meant = did_you_mean(.0, CLAIMS), names = CLAIMS.join(", "))]
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
            Self::Clause => formatter.write_str("clause"),
            Self::Given => formatter.write_str("given"),
            Self::T5(model) => write!(formatter, "t5={model}"),
            Self::Answers(None) => formatter.write_str("answers"),
            Self::Answers(Some(file)) => write!(formatter, "answers={}", file.display()),
        }
    }
}

/// What resolves coreference, for the level `coref`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorefChoice {
    /// Nothing; the level `coref` is left out.
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

impl fmt::Display for CorefChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Model(model) => model,
        })
    }
}

/// Which premises the judge reads of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScreenChoice {
    /// All.
    Off,
    /// Those that a screen keeps.
    Keep(Screen),
}

/// A text that is not a [`ScreenChoice`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownScreen {
    /// It names no method.
    #[error(transparent)]
    Method(#[from] UnknownName),
    /// Its number is not one.
    #[error("`{0}` is not a number of sentences: give a whole number from 1 on, as in words:8")]
    Sentences(String),
    /// It has no number.
    #[error(
        "give METHOD:K, such as words:8 for the 8 best sentences, 4 windows and the best run of each claim; or off"
    )]
    Form,
}

impl FromStr for ScreenChoice {
    type Err = UnknownScreen;

    fn from_str(text: &str) -> Result<Self, UnknownScreen> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let (method, sentences) = text.split_once(':').ok_or(UnknownScreen::Form)?;
        let method: ScreenMethod = method.parse()?;
        let sentences = sentences.parse().map_err(|_| UnknownScreen::Sentences(sentences.to_owned()))?;
        Ok(Self::Keep(Screen::new(method, sentences)))
    }
}

/// How near to the limit of support a claim's score must lie for the claim to be compared with all premises.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum EscalateChoice {
    /// As near as the calibration says.
    Calibrated,
    /// At most so far from the limit, on the scale of the score.
    Within(f32),
}

/// A text that is not an [`EscalateChoice`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "give a distance from the limit of support, such as 0.1, or `calibrated` for the one that the calibration has"
)]
pub struct UnknownEscalation;

impl FromStr for EscalateChoice {
    type Err = UnknownEscalation;

    fn from_str(text: &str) -> Result<Self, UnknownEscalation> {
        match text {
            "calibrated" => Ok(Self::Calibrated),
            number => number.parse().map(Self::Within).map_err(|_| UnknownEscalation),
        }
    }
}

impl fmt::Display for EscalateChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Calibrated => formatter.write_str("calibrated"),
            Self::Within(within) => write!(formatter, "{within}"),
        }
    }
}

/// The calibration that weighs evidence and sets thresholds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CalibrationChoice {
    /// The calibration beside the NLI model, if it has one and it is for these settings.
    #[default]
    Own,
    /// The plain rule.
    Off,
    /// The contents of a calibration file.
    Text(NamedText),
}

/// The contents of a file, and what errors call it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct NamedText {
    /// The name.
    pub file: String,
    /// The contents.
    pub text: String,
}

impl<'de> Deserialize<'de> for CalibrationChoice {
    /// `"off"`, or an object with `file` and `text`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Given {
            Name(Name),
            Text(NamedText),
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Name {
            Off,
        }
        Ok(match Given::deserialize(deserializer)? {
            Given::Name(Name::Off) => Self::Off,
            Given::Text(text) => Self::Text(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

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
        assert_eq!("off".parse(), Ok(ScreenChoice::Off));
        let kept = |method, sentences| {
            ScreenChoice::Keep(Screen::new(method, NonZeroUsize::new(sentences).unwrap()))
        };
        assert_eq!("words:4".parse(), Ok(kept(ScreenMethod::Words, 4)));
        assert_eq!("mini+words:1".parse(), Ok(kept(ScreenMethod::MiniAndWords, 1)));
        for text in ["", "words", "4,3,2", "fewest:3", "words:0", "words:", "mini:-1", "mini:4:2"] {
            assert!(text.parse::<ScreenChoice>().is_err(), "{text}");
        }
        assert_eq!("calibrated".parse(), Ok(EscalateChoice::Calibrated));
        assert_eq!("0.1".parse(), Ok(EscalateChoice::Within(0.1)));
        assert!("near".parse::<EscalateChoice>().is_err());
        for text in ["", "t6", "clause=x", "Sentence"] {
            assert_eq!(text.parse::<ClaimsChoice>(), Err(UnknownClaims(text.to_owned())), "{text}");
        }
    }
}
