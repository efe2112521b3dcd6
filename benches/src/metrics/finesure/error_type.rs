//! FineSurE's types of errors (Song et al. 2024, table 8), which only a language model names.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ErrorType {
    /// It has information that is nowhere in the document.
    OutOfContext,
    /// A wrong entity.
    Entity,
    /// A wrong predicate.
    Predicate,
    /// A wrong place or time.
    Circumstantial,
    /// It is not grammatical.
    Grammatical,
    /// A pronoun with a wrong antecedent.
    Coreference,
    /// Statements with a wrong relation.
    Linking,
    /// Any other error.
    Other,
}

/// The error of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct SentenceError {
    #[serde(rename = "type")]
    pub(super) error_type: ErrorType,
    /// An explanation.
    pub(super) reason: String,
}
