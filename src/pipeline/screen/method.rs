//! What a screen is: a method and the most premises of each level.

use std::fmt;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::named;
use crate::pipeline::profile::Level;

/// What ranks the premises of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ScreenMethod {
    /// Rare words that claim and premise share.
    #[serde(rename = "words")]
    Words,
    /// What the model `mini` makes of each sentence: its entailment, and for the last quarter of places its contradiction.
    #[serde(rename = "mini")]
    Mini,
    /// Both ranks together.
    #[serde(rename = "mini+words")]
    MiniAndWords,
}

named!(ScreenMethod, "screening method", { Words = "words", Mini = "mini", MiniAndWords = "mini+words" });

impl ScreenMethod {
    /// Whether the small model reads sentences first.
    #[must_use]
    pub fn has_reader(self) -> bool {
        self != Self::Words
    }
}

/// Most premises of a claim that the judge reads: K sentences, half as many windows, one run. Rewritten sentences are not
/// screened, since they are those of one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Screen {
    /// What ranks premises.
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

impl fmt::Display for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.method, self.sentences)
    }
}
