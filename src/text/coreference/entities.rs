//! The names of a text with their entities and kinds, for rules that need to know whether two names may be of one thing.

use std::ops::Range;

use super::entity_table::EntityTable;
pub(crate) use super::kinds::Kind;
use super::roles::person_noun;
use super::tokens::{Document, Token};
use crate::text::word_list::WordList;

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

/// The names of a text, in order. `sentences` are byte ranges of the text, as for
/// [`coreference_clusters`](super::coreference_clusters).
pub(crate) fn entity_names(text: &str, sentences: &[Range<usize>]) -> Vec<EntityName> {
    let document = Document::read(text, sentences);
    let table = EntityTable::of(&document);
    let name = |(name, entity): (&super::kinds::Name, super::entity_table::EntityId)| EntityName {
        span: document.tokens[name.tokens.start].start..document.tokens[name.tokens.end - 1].end(),
        entity: entity.0,
        kind: name.kind,
    };
    let is_certain =
        |(name, _): &(&super::kinds::Name, _)| !may_be_other(&document.tokens[name.tokens.clone()]);
    table.names_with_entities().filter(is_certain).map(name).collect()
}

/// Whether the words may be a role ("CEO") or a line in capitals ("NEW YORK") instead of a name.
fn may_be_other(words: &[Token<'_>]) -> bool {
    match words {
        [only] => person_noun(&only.lower).is_some() || ROLES.contains(&only.lower),
        _ => words.iter().all(Token::is_all_capitals),
    }
}

/// Roles that are written like acronyms.
static ROLES: WordList =
    WordList::new("ceo cfo cto coo mp mps msp msps mep meps am ams pm pc dj vp gp gps md");
