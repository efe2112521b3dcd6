//! Words that tell organisations, places and events from people.
//!
//! Decides from the words of a name, and the noun before it, whether it is an organisation's.

use crate::word_list::WordList;

/// Nouns for one organisation, which "the ..." can name again.
static NOUNS: WordList = WordList::new(include_str!("words/organisation_nouns.txt"));

/// Last words of names of organisations.
static HEADS: WordList = WordList::new(include_str!("words/organisation_heads.txt"));

/// Last words of names of places, events, works and things.
static THINGS: WordList = WordList::new(include_str!("words/thing_heads.txt"));

/// Legal forms and what is left out with them.
static LEGAL: WordList = WordList::new(
    "ltd limited plc inc incorporated corp corporation co company llc llp gmbh ag sa group holdings",
);

/// Whether the word names an organisation's sort: "company", "club".
pub(super) fn is_organisation_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// Whether a name that ends so is an organisation's.
pub(super) fn is_organisation_head(word: &str) -> bool {
    HEADS.contains(word) || LEGAL.contains(word)
}

/// Whether a name that ends so is a place's, an event's or a thing's.
pub(super) fn is_thing_head(word: &str) -> bool {
    THINGS.contains(word)
}

/// Whether the word is a legal form or "Group", which the short name leaves out.
pub(super) fn is_legal_form(word: &str) -> bool {
    LEGAL.contains(word)
}

/// Whether "of" or "for" after the word goes on with the name: "Bank of England".
pub(super) fn takes_of(word: &str) -> bool {
    static WORDS: WordList = WordList::new(include_str!("words/takes_of.txt"));
    WORDS.contains(word)
}

/// Whether "and" may go on with a name after such a word and "of" or "for".
pub(super) fn takes_and(word: &str) -> bool {
    static WORDS: WordList = WordList::new(
        "department ministry association institute office society council committee agency college",
    );
    WORDS.contains(word)
}
