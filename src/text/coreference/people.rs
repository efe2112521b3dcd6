//! An index of the document's people by the parts of their names.
//!
//! A surname or first name refers to the only person with that name, or to the only one of the gender that a title shows.
//! If two are possible, the result is `Several`.

use std::collections::HashMap;

use super::entity_table::{Entity, EntityId};
use super::gender::Gender;
use super::titles;
use super::tokens::Token;

/// The people with a name.
#[derive(Default)]
struct Candidates {
    ids: Vec<EntityId>,
}

/// With more people than this, a name is always ambiguous.
const MAX_CANDIDATES: usize = 6;

impl Candidates {
    fn add(&mut self, id: EntityId) {
        if self.ids.len() <= MAX_CANDIDATES && !self.ids.contains(&id) {
            self.ids.push(id);
        }
    }
}

/// The index of people by name.
#[derive(Default)]
pub(super) struct PersonIndex {
    /// By first and last word: "John A. Smith" is "John Smith".
    full: HashMap<(String, String), EntityId>,
    /// By every shorter ending of a full name.
    endings: HashMap<String, Candidates>,
    /// By the first word of a full name, or by a first name alone.
    firsts: HashMap<String, Candidates>,
}

impl PersonIndex {
    /// The person with this full name, if registered.
    pub(super) fn by_full_name(&self, words: &[Token]) -> Option<EntityId> {
        self.full.get(&full_key(words)?).copied()
    }

    /// Whether the text is the ending of a person's full name.
    pub(super) fn has_ending(&self, name: &str) -> bool {
        self.endings.contains_key(name)
    }

    /// Registers a person by a name of two words or more.
    pub(super) fn add_full(&mut self, words: &[Token], id: EntityId) {
        let Some(key) = full_key(words) else { return };
        self.firsts.entry(key.0.clone()).or_default().add(id);
        self.full.insert(key, id);
        let end = surname_end(words);
        for start in 1..end {
            self.endings.entry(joined(&words[start..end])).or_default().add(id);
        }
    }

    /// Registers a person by a surname alone, or by a first name alone.
    pub(super) fn add_single(&mut self, name: &str, is_first: bool, id: EntityId) {
        let index = if is_first { &mut self.firsts } else { &mut self.endings };
        index.entry(name.to_owned()).or_default().add(id);
    }

    /// Searches by the ending of a full name, given the gender from its title.
    pub(super) fn by_ending(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.endings.get(name), gender, entities)
    }

    /// Searches by a first name.
    pub(super) fn by_first(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.firsts.get(name), gender, entities)
    }

    /// Searches by a surname or a first name.
    pub(super) fn by_any(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.endings.get(name).into_iter().chain(self.firsts.get(name)), gender, entities)
    }
}

/// The result of a search by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    One(EntityId),
    Nobody,
    Several,
}

fn search<'p>(
    candidates: impl IntoIterator<Item = &'p Candidates>,
    gender: Gender,
    entities: &[Entity],
) -> Search {
    let mut found = Search::Nobody;
    for candidates in candidates {
        if candidates.ids.len() > MAX_CANDIDATES {
            return Search::Several;
        }
        for &id in &candidates.ids {
            // People of another gender do not make the name ambiguous.
            found = match found {
                _ if !entities[id.0].gender.agrees(gender) && gender != Gender::Unknown => continue,
                Search::One(other) if other == id => found,
                Search::Nobody => Search::One(id),
                _ => Search::Several,
            };
        }
    }
    found
}

fn full_key(words: &[Token]) -> Option<(String, String)> {
    let end = surname_end(words);
    let last = words[..end].last()?;
    let suffix = &words[end..];
    let last =
        if suffix.is_empty() { last.lower.clone() } else { format!("{} {}", last.lower, joined(suffix)) };
    (end > 1).then(|| (words[0].lower.clone(), last))
}

/// The end of the surname, before "Jr".
fn surname_end(words: &[Token]) -> usize {
    let last = words.iter().rposition(|word| !titles::is_generation(&word.lower));
    last.map_or(words.len(), |last| last + 1)
}

fn joined(words: &[Token]) -> String {
    let words: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    words.join(" ")
}
