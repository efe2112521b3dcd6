//! What the claims of a case are judged on, and for what purpose.

use super::place::Part;
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
    /// They cite sources, and the document is some of the sources, by their places in order.
    Citation(Vec<usize>),
}

/// What the claims of a case are judged on.
pub(super) struct Basis<'w> {
    pub(super) purpose: Purpose,
    pub(super) premises: Premises,
    pub(super) language: PairLanguage,
    /// The text that the claims' spans refer to.
    pub(super) summary: TextIndex<'w>,
}

/// A claim, or claims, with what is asked of a model for the next step.
pub(super) struct Asking<T, R> {
    pub(super) item: T,
    pub(super) requests: Vec<R>,
}

impl Purpose {
    /// Whether to look for what the document says instead.
    pub(super) fn asks_instead(&self) -> bool {
        *self != Self::GivenClaims
    }

    /// Whether a claim may give no answer; claims that another program gives are judged as they are.
    pub(super) fn reads_absences(&self) -> bool {
        *self != Self::GivenClaims
    }

    /// Whether to mark the unsupported words of a claim or statement.
    pub(super) fn marks_words(&self, part: Part) -> bool {
        *self == Self::Summary && matches!(part, Part::Claim(_))
    }
}
