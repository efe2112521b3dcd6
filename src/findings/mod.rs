//! The findings about a claim from which its verdict is derived: the probabilities of the deciding premise, the
//! sentence about the claim that contradicts it most, names and quantities that are nowhere in the document, and what
//! the document says instead. Findings decide nothing; [`decide`](crate::decide) does.

pub(crate) mod contrast;
mod lookup;
mod missing_words;
mod nowhere;
mod quantity_conflict;
mod relevance;
pub(crate) mod words;

pub use self::contrast::{Certainty, FillingKind, Instead};
pub(crate) use self::lookup::{LookupResult, look_up, sentences_about};
pub(crate) use self::missing_words::missing_words;
pub use self::nowhere::NotInDocument;
pub use self::quantity_conflict::QuantityConflict;
pub use self::words::UnsupportedWords;

/// The findings about a claim.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClaimFindings {
    /// The score of the deciding premise, by the rules' score function.
    pub score: f32,
    /// The highest contradiction by a sentence about the claim; 0 if no sentence is about it.
    pub contradiction: f32,
    /// Names and quantities of the claim that are nowhere in the document, if the rules look them up.
    pub not_in_document: Vec<NotInDocument>,
    /// Whether a sentence about the claim has another value for a quantity that is nowhere in the document.
    pub has_other_value: bool,
    /// Whether the document says something else instead of a part of the claim.
    pub has_instead: bool,
    /// Whether the claim, or a text of its pair, is in a language that gets no verdict.
    pub is_unlisted: bool,
}
