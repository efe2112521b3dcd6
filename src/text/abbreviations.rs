//! Abbreviations: words that are written with a full stop.
//!
//! Decides from the words before and after a stop alone whether the stop belongs to an abbreviation inside a sentence.
//! The lists have common English abbreviations, grouped by what may follow them.

use super::coreference::{is_function_word, is_office};
use super::quantities::is_unit;
use super::style::Style;
use super::word_list::WordList;

/// Length in bytes of the longest listed word.
const LONGEST_LISTED: usize = 8;
/// Length in bytes of the longest abbreviation of a unit.
const LONGEST_UNIT: usize = 3;

/// The group of an abbreviation, by what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abbreviation {
    /// "Dr.", "e.g.": the sentence always continues.
    Inner,
    /// "No.", "Fig.": the sentence continues if a number follows.
    BeforeNumber,
    /// "J." of a name: the sentence continues unless the next word usually opens one.
    Initial,
    /// "Inc.", "U.S.", "a.m.": the sentence may end.
    Final,
    /// "kg." after a number: the same.
    Unit,
}

/// Titles and link words, which something always follows.
static INNER: WordList = WordList::new(include_str!("abbreviations/inner.txt"));

/// Reference words and months, which a number follows.
static BEFORE_NUMBER: WordList = WordList::new(include_str!("abbreviations/before_number.txt"));

/// Abbreviations that occur inside a sentence or at its end.
static FINAL: WordList = WordList::new(include_str!("abbreviations/final.txt"));

/// Abbreviations that are also words: they count as abbreviations only with a capital letter.
static ALSO_WORDS: WordList = WordList::new(include_str!("abbreviations/also_words.txt"));

/// The role of the stop after a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It ends the sentence.
    Ends,
    /// It only marks the abbreviation.
    Marks,
    /// It ends the sentence if the words on both sides can be sentences.
    Unclear,
}

/// The role of the stop after `word`, given the words around both.
pub(super) fn role(previous: &str, word: &str, next_word: &str, style: Style) -> Role {
    let opener = || !style.lower_cased && is_opener(next_word);
    // "U.S. Senate", "Apple Inc. President".
    let office = || word.starts_with(char::is_uppercase) && is_office(&next_word.to_lowercase());
    match classify(previous, word.rsplit('-').next().unwrap_or(word), style) {
        None => Role::Ends,
        Some(Abbreviation::Initial) if next_word.len() > 1 && opener() => Role::Ends,
        Some(Abbreviation::BeforeNumber) if !is_numeral(next_word) => Role::Ends,
        Some(Abbreviation::Initial | Abbreviation::Inner | Abbreviation::BeforeNumber) => Role::Marks,
        Some(Abbreviation::Final) if next_word.starts_with(char::is_numeric) => Role::Ends,
        Some(Abbreviation::Final | Abbreviation::Unit) if opener() => Role::Ends,
        Some(Abbreviation::Final) if style.lower_cased || office() => Role::Marks,
        Some(Abbreviation::Final | Abbreviation::Unit) => Role::Unclear,
    }
}

/// The group of a word; `None` for a word that is written without a stop.
fn classify(previous: &str, word: &str, style: Style) -> Option<Abbreviation> {
    let mut buffer = [0; LONGEST_LISTED];
    let Some(small) = lower_case(word, &mut buffer) else {
        return is_dotted(word).then_some(Abbreviation::Final);
    };
    let has_capital = word != small;
    let may_be_unit = !has_capital && !style.lower_cased && word.len() <= LONGEST_UNIT;
    if may_be_unit && is_number(previous) && is_unit(word) {
        return Some(Abbreviation::Unit);
    }
    if is_letter(word) && word != "I" {
        return Some(Abbreviation::Initial);
    }
    if BEFORE_NUMBER.contains(small) {
        return Some(Abbreviation::BeforeNumber);
    }
    if !has_capital && ALSO_WORDS.contains(small) {
        return None;
    }
    let is_street = word == "St" && is_name(previous);
    if INNER.contains(small) && !is_street {
        return Some(Abbreviation::Inner);
    }
    (is_street || word == "I" || FINAL.contains(small) || is_dotted(word)).then_some(Abbreviation::Final)
}

/// Whether a word begins like a number: "5", "$1,200".
fn is_number(word: &str) -> bool {
    let begins = |letter: char| letter.is_ascii_digit();
    word.trim_start_matches(|letter: char| !letter.is_alphanumeric()).starts_with(begins)
}

/// Whether a word begins like a name, and is no abbreviation: "Cooper" of "Cooper St."
fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.ends_with(char::is_alphabetic) && !is_opener(word)
}

/// Whether a word is or has a number: "5", "B2", "IV".
fn is_numeral(word: &str) -> bool {
    let roman = word.len() > 1 && word.bytes().all(|letter| b"IVXLC".contains(&letter));
    roman || word.bytes().any(|letter| letter.is_ascii_digit())
}

/// Whether a word usually opens a sentence.
pub(super) fn is_opener(word: &str) -> bool {
    is_function_word(&word.to_lowercase())
}

/// The word in lower-case ASCII letters; `None` if it is longer than every listed word. Allocates nothing, because it runs
/// at every stop of a text.
fn lower_case<'b>(word: &str, buffer: &'b mut [u8; LONGEST_LISTED]) -> Option<&'b str> {
    let bytes = buffer.get_mut(..word.len())?;
    bytes.copy_from_slice(word.as_bytes());
    bytes.make_ascii_lowercase();
    std::str::from_utf8(bytes).ok()
}

/// Whether a word is single letters separated by stops: "U.S", "p.m", "J.K".
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.split('.').all(is_letter)
}

/// Whether a word is one letter, as in "J. K. Rowling".
fn is_letter(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_words_are_short_and_lower_case() {
        for list in [&INNER, &BEFORE_NUMBER, &FINAL, &ALSO_WORDS] {
            let short =
                |word: &str| word.len() <= LONGEST_LISTED && !word.bytes().any(|b| b.is_ascii_uppercase());
            assert!(list.words().all(short));
        }
    }

    #[test]
    fn ambiguous_words_are_listed_as_abbreviations() {
        for word in ALSO_WORDS.words() {
            assert!([&INNER, &BEFORE_NUMBER, &FINAL].iter().any(|list| list.contains(word)));
        }
    }

    #[test]
    fn look_up_ignores_case() {
        let style = Style { lower_cased: false, tokenised: false };
        assert!(is_opener("The") && is_opener("although") && is_opener("I"));
        assert!(!is_opener("") && !is_opener("Élan") && !is_opener("Chicago"));
        assert_eq!(classify("", "MR", style), Some(Abbreviation::Inner));
        assert_eq!(classify("", "Wash", style), Some(Abbreviation::Final));
        assert_eq!(classify("", "wash", style), None);
    }
}
