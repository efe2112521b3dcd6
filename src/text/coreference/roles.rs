//! Nouns for one person, by role, kinship or age, and their gender.
//!
//! Such a noun before a name shows that the name is a person's; elsewhere it is another person whom a pronoun may refer to.
//! Plurals are left out.

use super::gender::Gender;
use crate::text::word_list::WordList;

static MALE: WordList = WordList::new(include_str!("words/persons_male.txt"));

static FEMALE: WordList = WordList::new(include_str!("words/persons_female.txt"));

static EITHER: WordList = WordList::new(include_str!("words/persons.txt"));

/// Words of `EITHER` that mean a person only after a determiner, and do not show that a name after them is a person's.
static WEAK: WordList = WordList::new(include_str!("words/persons_weak.txt"));

/// The gender of the person that a lower-case noun means; `None` if it does not mean a person.
pub(super) fn person_noun(word: &str) -> Option<Gender> {
    if is_aged(word) {
        return Some(Gender::Unknown);
    }
    if MALE.contains(word) {
        Some(Gender::Male)
    } else if FEMALE.contains(word) {
        Some(Gender::Female)
    } else if EITHER.contains(word) {
        Some(Gender::Unknown)
    } else {
        let by_ending = ["woman", "girl"].iter().any(|ending| word.ends_with(ending));
        let by_male_ending = word.len() > 5 && (word.ends_with("man") && !word.ends_with("human"));
        let neutral = word.len() > 5
            && ["ologist", "person", "keeper", "maker"].iter().any(|ending| word.ends_with(ending));
        if by_ending {
            Some(Gender::Female)
        } else if by_male_ending {
            Some(Gender::Male)
        } else {
            neutral.then_some(Gender::Unknown)
        }
    }
}

/// The gender if the noun shows that a name after it is a person's: "striker", "actress".
pub(super) fn introduces_person(word: &str) -> Option<Gender> {
    person_noun(word).filter(|_| !WEAK.contains(word))
}

/// The years in "24-year-old".
pub(super) fn age_of(word: &str) -> Option<u8> {
    word.strip_suffix("-year-old")?.parse().ok()
}

fn is_aged(word: &str) -> bool {
    word.ends_with("-year-old")
}
