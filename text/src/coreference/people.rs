//! The people of the document, by the parts of their names.
//!
//! Decides which person a surname or a first name can mean: the only one that bears it, or the
//! only one of the gender that a title tells. Refuses if two could be meant.

use std::collections::HashMap;

use super::cast::{Entity, EntityId};
use super::gender::Gender;
use super::titles;
use super::tokens::Token;

/// Who bears a name.
#[derive(Default)]
struct Bearers {
    ids: Vec<EntityId>,
}

/// More bearers than this are not told apart.
const CROWD: usize = 6;

impl Bearers {
    fn add(&mut self, id: EntityId) {
        if self.ids.len() <= CROWD && !self.ids.contains(&id) {
            self.ids.push(id);
        }
    }
}

/// The index of people by name.
#[derive(Default)]
pub(super) struct People {
    /// By first and last word: "John A. Smith" is "John Smith".
    full: HashMap<(String, String), EntityId>,
    /// By every shorter ending of a full name.
    endings: HashMap<String, Bearers>,
    /// By the first word of a full name, or a name that is only a first name.
    firsts: HashMap<String, Bearers>,
}

impl People {
    /// The person with this full name, if registered.
    pub(super) fn by_full_name(&self, words: &[Token]) -> Option<EntityId> {
        self.full.get(&full_key(words)?).copied()
    }

    /// Whether the text ends somebody's full name.
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

    /// The one person whom an ending of a full name can mean, given the gender told with it.
    pub(super) fn by_ending(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.endings.get(name), gender, entities)
    }

    /// The one person whom a first name can mean.
    pub(super) fn by_first(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.firsts.get(name), gender, entities)
    }

    /// The one person whom a bare name can mean, be it a surname or a first name.
    pub(super) fn by_any(&self, name: &str, gender: Gender, entities: &[Entity]) -> Search {
        search(self.endings.get(name).into_iter().chain(self.firsts.get(name)), gender, entities)
    }
}

/// What looking for the bearer of a name gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    One(EntityId),
    Nobody,
    Several,
}

fn search<'p>(bearers: impl IntoIterator<Item = &'p Bearers>, gender: Gender, entities: &[Entity]) -> Search {
    let mut found = Search::Nobody;
    for bearers in bearers {
        if bearers.ids.len() > CROWD {
            return Search::Several;
        }
        for &id in &bearers.ids {
            // Whoever bears the name but has another gender makes it no less clear.
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

/// Where the surname ends: before "Jr".
fn surname_end(words: &[Token]) -> usize {
    let last = words.iter().rposition(|word| !titles::is_generation(&word.lower));
    last.map_or(words.len(), |last| last + 1)
}

fn joined(words: &[Token]) -> String {
    let words: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    words.join(" ")
}
