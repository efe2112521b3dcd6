//! Common first names and their gender.
//!
//! The lists have the most common first names in English-language news, after the public birth statistics of Britain and
//! the United States. Rare names, and surnames that are seldom first names, are left out.

use super::gender::Gender;
use crate::text::word_list::WordList;

static MALE: WordList = WordList::new(include_str!("words/first_names_male.txt"));

static FEMALE: WordList = WordList::new(include_str!("words/first_names_female.txt"));

static BOTH: WordList = WordList::new(include_str!("words/first_names_either.txt"));

/// Whether a word is a common first name.
pub(crate) fn is_first_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && first_name(&word.to_lowercase()).is_some()
}

/// The gender of a lower-case first name, `Unknown` if it is given to both; `None` if the word is not a common first name.
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
    // "Jean-Claude": by its parts.
    known(word).or_else(|| {
        let (first, second) = word.split_once('-')?;
        let (first, second) = (known(first)?, known(second)?);
        Some(if first == Gender::Unknown { second } else { first })
    })
}
