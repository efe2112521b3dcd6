//! The mentions of one entity: names and pronouns with their places.

use std::ops::Range;

/// The kind of a mention, which decides how it can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MentionKind {
    /// A proper name or an acronym, with its title.
    Name,
    /// "he", "she", "him", "her".
    Pronoun,
    /// "his", "her": a replacement needs "'s".
    PossessivePronoun,
}

/// A mention of an entity in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityMention {
    /// Its byte range in the text, without a possessive "'s" after it.
    pub span: Range<usize>,
    /// Its kind.
    pub kind: MentionKind,
}

/// Two or more mentions of one entity, in text order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The mentions. They do not overlap each other.
    pub mentions: Vec<EntityMention>,
}
