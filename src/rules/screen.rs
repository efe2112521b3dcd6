//! A screen: a ranking method and the maximum number of premises of each level.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::kinds::Level;
use crate::named;
use crate::named::UnknownName;

/// K of [`Screen::by_words`].
const BY_WORDS_SENTENCES: NonZeroUsize = NonZeroUsize::new(8).expect("8 is not 0");

/// The method that ranks the premises of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ScreenMethod {
    /// By the rare words that claim and premise share.
    #[serde(rename = "words")]
    Words,
    /// By the probabilities of the model `mini` for each sentence: entailment, and contradiction for the last quarter
    /// of places.
    #[serde(rename = "mini")]
    Mini,
    /// By both ranks.
    #[serde(rename = "mini+words")]
    MiniAndWords,
}

named!(ScreenMethod, "screening method", { Words = "words", Mini = "mini", MiniAndWords = "mini+words" });

impl ScreenMethod {
    /// Whether the small model reads sentences first.
    #[must_use]
    pub(crate) fn has_reader(self) -> bool {
        self != Self::Words
    }
}

/// The maximum number of premises that the judge reads for a claim: K sentences, half as many windows, one run.
/// Rewritten sentences are not screened, since they belong to a single sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Screen {
    /// The ranking method.
    pub method: ScreenMethod,
    /// Sentences: K.
    pub sentences: NonZeroUsize,
    /// Windows: K / 2, at least one.
    pub windows: NonZeroUsize,
    /// The document, or runs of it.
    pub runs: NonZeroUsize,
}

impl Screen {
    /// The screen `METHOD:K`.
    #[must_use]
    pub fn new(method: ScreenMethod, sentences: NonZeroUsize) -> Self {
        let windows = NonZeroUsize::new(sentences.get() / 2).unwrap_or(NonZeroUsize::MIN);
        Self { method, sentences, windows, runs: NonZeroUsize::MIN }
    }

    /// The screen of the profile `veridic` if the small model cannot be used: `words:8`.
    #[must_use]
    pub(crate) fn by_words() -> Self {
        Self::new(ScreenMethod::Words, BY_WORDS_SENTENCES)
    }

    /// The maximum number of premises of a level.
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

impl fmt::Display for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.method, self.sentences)
    }
}

/// A text that is not a [`Screen`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownScreen {
    /// Its method is unknown.
    #[error(transparent)]
    Method(#[from] UnknownName),
    /// Its number is invalid.
    #[error("`{0}` is not a number of sentences: give a whole number from 1 on, as in words:8")]
    Sentences(String),
    /// It has no number.
    #[error(
        "give METHOD:K, such as words:8 for the 8 best sentences, 4 windows and the best run of each claim; or off"
    )]
    Form,
}

impl FromStr for Screen {
    type Err = UnknownScreen;

    fn from_str(text: &str) -> Result<Self, UnknownScreen> {
        let (method, sentences) = text.split_once(':').ok_or(UnknownScreen::Form)?;
        let method: ScreenMethod = method.parse()?;
        let sentences = sentences.parse().map_err(|_| UnknownScreen::Sentences(sentences.to_owned()))?;
        Ok(Self::new(method, sentences))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_are_read_and_written() {
        for text in ["words:4", "mini+words:1", "mini:3"] {
            assert_eq!(text.parse::<Screen>().unwrap().to_string(), text);
        }
        for text in ["", "words", "4,3,2", "fewest:3", "words:0", "words:", "mini:-1", "mini:4:2"] {
            assert!(text.parse::<Screen>().is_err(), "{text}");
        }
    }
}
