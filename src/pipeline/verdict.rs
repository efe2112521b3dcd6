//! The verdicts that there are, and why one does not follow from a score.

use serde::{Deserialize, Serialize};

use crate::named;

/// The verdict on a claim or a summary, the better ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// The document supports it.
    Supported,
    /// The verdict would be too uncertain; only where a rate of abstention is set.
    Unsure,
    /// The document does not support it.
    Unsupported,
    /// The document contradicts it.
    Contradicted,
}

named!(Verdict, "verdict", {
    Supported = "supported",
    Unsure = "unsure",
    Unsupported = "unsupported",
    Contradicted = "contradicted",
});

/// Why a verdict does not follow from the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Reason {
    /// A text is certainly in a language that the card of the NLI model does not list.
    Language,
}

named!(Reason, "reason", { Language = "language" });

impl Verdict {
    /// Whether it says that the document does not support it: unsupported or contradicted.
    #[must_use]
    pub fn is_adverse(self) -> bool {
        matches!(self, Self::Unsupported | Self::Contradicted)
    }
}
