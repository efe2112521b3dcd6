//! Names of places and peoples.
//!
//! Decides whether a lower-cased name is one of a country, a large city, a region or a people:
//! such a name is nobody's. Refuses to list what only locals know.

use crate::word_list::WordList;

static PLACES: WordList = WordList::new(include_str!("words/places.txt"));

static PEOPLES: WordList = WordList::new(include_str!("words/peoples.txt"));

pub(super) fn is_place(name: &str) -> bool {
    PLACES.contains(name)
}

/// Whether the word names a people, a faith or a party, as an adjective or as a member.
pub(super) fn is_people(word: &str) -> bool {
    PEOPLES.contains(word)
}
