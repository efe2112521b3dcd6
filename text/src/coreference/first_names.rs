//! Common first names and what gender they tell.
//!
//! Decides whether a word is a first name that is very common in English-language news, after the
//! public birth statistics of Britain and the United States, and whether it is given to boys, to
//! girls or to both. Refuses rare names, and surnames that only sometimes are first names.

use super::gender::Gender;
use crate::word_list::WordList;

static MALE: WordList = WordList::new(include_str!("words/first_names_male.txt"));

static FEMALE: WordList = WordList::new(include_str!("words/first_names_female.txt"));

static BOTH: WordList = WordList::new(include_str!("words/first_names_either.txt"));

/// The gender that a first name tells; `None` if the lower-cased word is no common first name.
pub(super) fn first_name(word: &str) -> Option<Gender> {
    let known = |part: &str| {
        if BOTH.contains(part) {
            Some(Gender::Unknown)
        } else if MALE.contains(part) {
            Some(Gender::Male)
        } else if FEMALE.contains(part) {
            Some(Gender::Female)
        } else {
            None
        }
    };
    // "Jean-Claude" is none of its parts, "Anne-Marie" is both.
    known(word).or_else(|| {
        let (first, second) = word.split_once('-')?;
        let (first, second) = (known(first)?, known(second)?);
        Some(if first == Gender::Unknown { second } else { first })
    })
}
