//! Word lists by word class; look-ups take lower-case words.

use crate::text::word_list::WordList;

/// Words that are capitalised only at the start of a sentence or in a headline.
static FUNCTION: WordList = WordList::new(include_str!("words/function_words.txt"));

/// Days, months and feasts, which are capitalised but are not names of entities.
static CALENDAR: WordList = WordList::new(include_str!("words/calendar.txt"));

/// Months that are also surnames or first names.
pub(super) const NAME_MONTHS: [&str; 5] = ["may", "march", "april", "june", "august"];

static SPEECH: WordList = WordList::new(include_str!("words/speech_verbs.txt"));

/// Auxiliaries that directly follow a subject.
static AUXILIARIES: WordList = WordList::new(
    "is was has had will would can could may might must should does did do are were have been be",
);

static COMMON_NAMES: WordList = WordList::new(include_str!("words/common_surnames.txt"));

pub(crate) fn is_function(word: &str) -> bool {
    FUNCTION.contains(word)
}

pub(super) fn is_calendar(word: &str) -> bool {
    CALENDAR.contains(word)
}

pub(super) fn is_speech(word: &str) -> bool {
    SPEECH.contains(word)
}

pub(super) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(word)
}

/// Whether a surname is also an everyday word, so that a capital at the start of a sentence proves little.
pub(super) fn is_common_word(word: &str) -> bool {
    COMMON_NAMES.contains(word)
}

/// Whether the word is a determiner or a possessive that opens a noun phrase.
pub(super) fn is_determiner(word: &str) -> bool {
    static WORDS: WordList = WordList::new(
        "a an the this that another one each every some any no my your his her its our their whose",
    );
    WORDS.contains(word)
}

/// Whether the word is a form of "be" or "become", after which a description of the subject follows.
pub(super) fn is_copula(word: &str) -> bool {
    static WORDS: WordList =
        WordList::new("is was be been being become became becomes becoming remains remained as");
    WORDS.contains(word)
}
