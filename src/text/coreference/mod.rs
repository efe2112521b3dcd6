//! Coreference in English news text by rules: which mentions refer to one entity.
//!
//! Links names, acronyms and pronouns of one person or organisation where the text allows only one reading: full names and
//! their parts, acronyms in brackets, and "he" or "she" with one possible antecedent. Everything else stays unlinked: a
//! missing link costs little, but a wrong one makes an untrue claim look supported.
//!
//! `tokens` (with `quotes`) -> `evidence` (`names`, `kinds`, `appositions`) -> `entity_table` (`acronyms`, `aliases`,
//! `people`) -> `pronouns`; the other files are word lists.

mod acronyms;
mod aliases;
mod appositions;
mod entities;
mod entity_table;
mod evidence;
mod first_names;
mod gender;
mod kinds;
mod names;
mod organisations;
mod people;
mod places;
mod pronouns;
mod quotes;
mod roles;
#[cfg(test)]
mod tests;
mod titles;
mod tokens;
mod words;

use std::ops::Range;

pub(crate) use self::entities::{EntityName, Kind, entity_names};
pub(crate) use self::first_names::is_first_name;
pub(super) use self::words::is_function as is_function_word;

/// Whether a lower-case word is a title, a rank or letters after a name, which are not part of the name.
pub(crate) fn is_title_word(word: &str) -> bool {
    titles::honorific(word).is_some() || titles::is_rank(word) || titles::is_post_nominal(word)
}

/// Whether a lower-case word is a rank or an office, or ends names of organisations: "president", "senate".
pub(crate) fn is_office(word: &str) -> bool {
    titles::is_rank(word) || organisations::is_organisation_head(word)
}

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

/// Finds the coreference clusters of a document, in the order of their first mentions. `sentences` are byte ranges of the
/// text, in order and not overlapping; the text outside them is not read.
pub fn coreference_clusters(text: &str, sentences: &[Range<usize>]) -> Vec<Cluster> {
    let document = tokens::Document::read(text, sentences);
    let mut table = entity_table::EntityTable::of(&document);
    pronouns::add(&document, &mut table);
    table.into_clusters(&document)
}
