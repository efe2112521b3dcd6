//! What coreference finds: mentions, and those that name the same thing.

use crate::text::Span;

/// A mention: a part of the document that names something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention {
    /// Its span.
    pub span: Span,
    /// Whether it is a possessive pronoun (`his`), which a name replaces with `'s`.
    pub is_possessive: bool,
}

/// The mentions of one thing.
pub type Cluster = Vec<Mention>;
