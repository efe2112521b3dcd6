//! What is judged of a summary: all of it, or each sentence by itself.

use serde::Serialize;

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Each sentence by itself.
    Sentence,
    /// Each summary as a whole.
    Summary,
}

impl Level {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sentence, Self::Summary];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::Summary => "summary",
        }
    }
}
