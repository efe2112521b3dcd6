//! What the claims of a case are judged on, and for what purpose.

use super::ids::{ClaimId, Part};
use crate::input::PairLanguage;
use crate::premises::Premises;
use crate::text::TextIndex;

/// Why claims are judged, which decides what is asked about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Purpose {
    /// They are the claims of a summary.
    Summary,
    /// Another program gives them, and wants their verdicts alone.
    GivenClaims,
    /// They cite sources.
    Citation(Question),
}

/// Claims that are judged against some of the sources of their pair's document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// The sources, by their places in the document, in order.
    pub(super) sources: Vec<usize>,
    /// The claims of the pair.
    pub(super) claims: Vec<ClaimId>,
}

/// What the claims of a case are judged on.
pub(super) struct Basis<'w> {
    pub(super) purpose: Purpose,
    pub(super) premises: Premises,
    pub(super) language: PairLanguage,
    /// The text that the claims' spans refer to.
    pub(super) summary: TextIndex<'w>,
}

impl Purpose {
    /// Whether to look for what the document says instead.
    pub(super) fn asks_instead(&self) -> bool {
        *self != Self::GivenClaims
    }

    /// Whether to mark the unsupported words of a claim or statement.
    pub(super) fn marks_words(&self, part: Part) -> bool {
        *self == Self::Summary && matches!(part, Part::Claim(_))
    }
}
