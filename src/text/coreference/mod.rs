//! Coreference in English news text by rules: which mentions refer to one entity.
//!
//! Links names, acronyms and pronouns of one person or organisation where the text allows only one reading: full names and
//! their parts, acronyms in brackets, and "he" or "she" with one possible antecedent. Everything else stays unlinked: a
//! missing link costs little, but a wrong one makes an untrue claim look supported.
//!
//! `tokens` -> `names` -> `kinds` -> `entities` -> `pronouns`; `lists` has the words.

mod entities;
mod kinds;
mod lists;
mod mentions;
mod names;
mod pronouns;
#[cfg(test)]
mod tests;
mod tokens;

use std::ops::Range;

use self::entities::EntityTable;
pub(crate) use self::kinds::Kind;
pub(crate) use self::lists::{is_function_word, is_office, is_title_word};
pub use self::mentions::{Cluster, EntityMention, MentionKind};
use self::tokens::Document;
use super::{Poll, go_on};

/// Finds the coreference clusters of a document, in the order of their first mentions. `sentences` are byte ranges of the
/// text, in order and not overlapping; the text outside them is not read.
///
/// # Errors
/// That of `poll`.
pub fn coreference_clusters<E>(
    text: &str,
    sentences: &[Range<usize>],
    poll: &Poll<'_, E>,
) -> Result<Vec<Cluster>, E> {
    let document = Document::read(text, sentences, poll)?;
    let mut table = EntityTable::of(&document);
    poll()?;
    let pronouns = pronouns::resolved(&document, &mut table);
    poll()?;
    Ok(table.into_clusters(pronouns))
}

/// A name in a text.
#[derive(Clone, Debug)]
pub(crate) struct EntityName {
    /// Its byte range in the text, title included.
    pub(crate) span: Range<usize>,
    /// The number of its entity: names with one number are of one thing.
    pub(crate) entity: usize,
    /// The kind of the entity, as far as the text shows it.
    pub(crate) kind: Kind,
}

/// The names of a text with their entities and kinds, in order, for rules that need to know whether two names may be of one
/// thing. `sentences` are as for [`coreference_clusters`].
pub(crate) fn entity_names(text: &str, sentences: &[Range<usize>]) -> Vec<EntityName> {
    let Ok(document) = Document::read(text, sentences, &go_on);
    let name = |(name, entity): (kinds::Name, entities::EntityId)| EntityName {
        span: document.span(&name.tokens),
        entity: entity.0,
        kind: name.kind,
    };
    EntityTable::of(&document).names.into_iter().map(name).collect()
}
