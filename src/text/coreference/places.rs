//! Word lists of places (countries, regions, large cities) and nationalities, which are never names of people.

use crate::text::word_list::WordList;

static PLACES: WordList = WordList::new(include_str!("words/places.txt"));

static PEOPLES: WordList = WordList::new(include_str!("words/peoples.txt"));

pub(super) fn is_place(name: &str) -> bool {
    PLACES.contains(name)
}

/// Whether the word is a nationality, a faith or a party, as an adjective or as a member.
pub(super) fn is_people(word: &str) -> bool {
    PEOPLES.contains(word)
}
