//! Word lists: people by title, role and first name; words of organisations, places and things; word classes.
//!
//! Look-ups take lower-case words. A listed word is not always used in the listed meaning: "King" may be a surname.

use crate::text::word_list::WordList;

/// The gender of a person, as far as the text shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gender {
    Male,
    Female,
    Unknown,
}

impl Gender {
    /// Whether the two can be of one person.
    pub(super) fn agrees(self, other: Gender) -> bool {
        self == other || self == Gender::Unknown || other == Gender::Unknown
    }

    /// This gender, or the other one if this is unknown.
    pub(super) fn or(self, other: Gender) -> Gender {
        if self == Gender::Unknown { other } else { self }
    }
}

/// Words for people, by gender.
pub(super) struct People {
    male: WordList,
    female: WordList,
    either: WordList,
}

impl People {
    /// The gender that a word shows; `None` if it is not in the lists.
    pub(super) fn gender(&self, word: &str) -> Option<Gender> {
        let lists =
            [(&self.either, Gender::Unknown), (&self.male, Gender::Male), (&self.female, Gender::Female)];
        lists.into_iter().find(|(list, _)| list.contains(word)).map(|(_, gender)| gender)
    }
}

/// Titles of address: "Mr", "Dame", "Dr".
pub(super) static TITLES: People = People {
    male: WordList::new(include_str!("words/titles_male.txt")),
    female: WordList::new(include_str!("words/titles_female.txt")),
    either: WordList::new("dr doctor prof professor mx rev reverend hon"),
};

/// The most common first names in English-language news, after the public birth statistics of Britain and the United
/// States. Rare names, and surnames that are seldom first names, are left out.
static FIRST_NAMES: People = People {
    male: WordList::new(include_str!("words/first_names_male.txt")),
    female: WordList::new(include_str!("words/first_names_female.txt")),
    either: WordList::new(include_str!("words/first_names_either.txt")),
};

/// Nouns for one person, by role, kinship or age. Plurals are left out.
static ROLES: People = People {
    male: WordList::new(include_str!("words/persons_male.txt")),
    female: WordList::new(include_str!("words/persons_female.txt")),
    either: WordList::new(include_str!("words/persons.txt")),
};

/// Roles that mean a person only after a determiner, and do not show that a name after them is a person's.
static WEAK_ROLES: WordList = WordList::new(include_str!("words/persons_weak.txt"));

/// Ranks and offices that can precede a name.
pub(super) static RANKS: WordList = WordList::new(include_str!("words/ranks.txt"));

/// Titles that are used with a given name alone: "Prince Harry".
pub(super) static REGNAL: WordList = WordList::new(include_str!("words/regnal_titles.txt"));

static POST_NOMINALS: WordList = WordList::new("mp msp mep am ms qc kc obe mbe cbe kbe phd md");

/// Particles between a given name and a surname: "van Gaal".
pub(super) static PARTICLES: WordList = WordList::new(include_str!("words/particles.txt"));

pub(super) static ORGANISATION_NOUNS: WordList = WordList::new(include_str!("words/organisation_nouns.txt"));

/// Last words of names of organisations.
pub(super) static ORGANISATION_HEADS: WordList = WordList::new(include_str!("words/organisation_heads.txt"));

pub(super) static LEGAL_FORMS: WordList = WordList::new(include_str!("words/legal_forms.txt"));

/// Last words of names of places, events, works and things.
pub(super) static THING_HEADS: WordList = WordList::new(include_str!("words/thing_heads.txt"));

/// Heads of things and of organisations that are also surnames.
pub(super) static SURNAME_THINGS: WordList = WordList::new(include_str!("words/surname_things.txt"));

/// Nouns after which "of" or "for" continues the name: "Bank of England".
pub(super) static TAKES_OF: WordList = WordList::new(include_str!("words/takes_of.txt"));

/// Countries, regions and large cities, which are never names of people.
pub(super) static PLACES: WordList = WordList::new(include_str!("words/places.txt"));

/// Nationalities, faiths and parties, as adjectives and as members.
pub(super) static PEOPLES: WordList = WordList::new(include_str!("words/peoples.txt"));

/// Words that are capitalised only at the start of a sentence or in a headline.
static FUNCTION: WordList = WordList::new(include_str!("words/function_words.txt"));

/// Days, months and feasts, which are capitalised but are not names of entities.
pub(super) static CALENDAR: WordList = WordList::new(include_str!("words/calendar.txt"));

/// Surnames that are also everyday words, so that a capital at the start of a sentence proves little.
pub(super) static COMMON_SURNAMES: WordList = WordList::new(include_str!("words/common_surnames.txt"));

/// Verbs of speech and auxiliaries, which directly follow a subject.
pub(super) static SUBJECT_VERBS: WordList = WordList::new(include_str!("words/subject_verbs.txt"));

/// Determiners and possessives, which open a noun phrase.
pub(super) static DETERMINERS: WordList = WordList::new(include_str!("words/determiners.txt"));

/// Forms of "be" and "become", after which a description of the subject follows.
pub(super) static COPULAS: WordList = WordList::new(include_str!("words/copulas.txt"));

pub(crate) fn is_function_word(word: &str) -> bool {
    FUNCTION.contains(word)
}

/// Whether a lower-case word is a title, a rank or letters after a name, which are not part of the name.
pub(crate) fn is_title_word(word: &str) -> bool {
    TITLES.gender(word).is_some() || RANKS.contains(word) || POST_NOMINALS.contains(word)
}

/// Whether a lower-case word is a rank or an office, or ends names of organisations: "president", "senate".
pub(crate) fn is_office(word: &str) -> bool {
    RANKS.contains(word) || ORGANISATION_HEADS.contains(word)
}

/// The gender of a first name; `None` if the word is not a common first name.
pub(super) fn first_name(word: &str) -> Option<Gender> {
    FIRST_NAMES.gender(word)
}

/// The gender of the person that a noun means; `None` if it does not mean a person.
pub(super) fn person_noun(word: &str) -> Option<Gender> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let by_ending = || {
        if ends(&["woman", "girl"]) {
            Some(Gender::Female)
        } else if word.len() > 5 && ends(&["man"]) && !ends(&["human"]) {
            Some(Gender::Male)
        } else {
            ends(&["-year-old", "ologist", "person", "keeper", "maker"]).then_some(Gender::Unknown)
        }
    };
    ROLES.gender(word).or_else(by_ending)
}

/// The gender if the noun shows that a name after it is a person's: "striker", "actress".
pub(super) fn introduces_person(word: &str) -> Option<Gender> {
    person_noun(word).filter(|_| !WEAK_ROLES.contains(word))
}
