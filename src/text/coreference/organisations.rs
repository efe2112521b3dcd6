//! Word lists that separate names of organisations, places and events from names of people.

use crate::text::word_list::WordList;

/// Nouns for an organisation, which "the ..." can refer to.
static NOUNS: WordList = WordList::new(include_str!("words/organisation_nouns.txt"));

/// Last words of names of organisations.
static HEADS: WordList = WordList::new(include_str!("words/organisation_heads.txt"));

/// Last words of names of places, events, works and things.
static THINGS: WordList = WordList::new(include_str!("words/thing_heads.txt"));

/// Legal forms, and words that are left out together with them.
static LEGAL: WordList = WordList::new(
    "ltd limited plc inc incorporated corp corporation co company llc llp gmbh ag sa group holdings",
);

/// Whether the word is a noun for an organisation: "company", "club".
pub(super) fn is_organisation_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// Whether a name that ends with the word is an organisation's.
pub(super) fn is_organisation_head(word: &str) -> bool {
    HEADS.contains(word) || LEGAL.contains(word)
}

/// Whether a name that ends with the word is a place's, an event's or a thing's.
pub(super) fn is_thing_head(word: &str) -> bool {
    THINGS.contains(word)
}

/// Whether the word is a legal form or "Group", which the short name leaves out.
pub(super) fn is_legal_form(word: &str) -> bool {
    LEGAL.contains(word)
}

/// Whether a name can continue with "of" or "for" after the word: "Bank of England".
pub(super) fn takes_of(word: &str) -> bool {
    static WORDS: WordList = WordList::new(include_str!("words/takes_of.txt"));
    WORDS.contains(word)
}

/// Whether a name can continue with "and" after the word and "of" or "for".
pub(super) fn takes_and(word: &str) -> bool {
    static WORDS: WordList = WordList::new(
        "department ministry association institute office society council committee agency college",
    );
    WORDS.contains(word)
}
