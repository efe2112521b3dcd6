//! Abbreviations: words that are written with a full stop.
//!
//! Decides from the words before and after a stop alone whether the stop belongs to an abbreviation inside a sentence.
//! The lists have common English abbreviations, grouped by what may follow them.

use super::style::Style;
use super::word_list::WordList;

/// Length in bytes of the longest listed word.
const LONGEST_LISTED: usize = 8;

/// The group of an abbreviation, by what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abbreviation {
    /// "Dr.", "e.g.": the sentence always continues.
    Inner,
    /// "No.", "Fig.": the sentence continues if a number follows.
    BeforeNumber,
    /// "Inc.", "U.S.", "a.m.": the sentence ends if the next word usually opens one.
    Final,
}

/// Titles and link words, which something always follows.
static INNER: WordList = WordList::new(include_str!("abbreviations/inner.txt"));

/// Reference words and months, which a number follows.
static BEFORE_NUMBER: WordList = WordList::new(include_str!("abbreviations/before_number.txt"));

/// Abbreviations that occur inside a sentence or at its end.
static FINAL: WordList = WordList::new(include_str!("abbreviations/final.txt"));

/// Abbreviations that are also words: they count as abbreviations only with a capital letter.
static ALSO_WORDS: WordList = WordList::new(include_str!("abbreviations/also_words.txt"));

/// Words that open a sentence far more often than they follow an abbreviation with a capital letter.
static OPENERS: WordList = WordList::new(include_str!("abbreviations/openers.txt"));

/// Whether the stop after `word` only marks an abbreviation, given the next word.
pub(super) fn continues(word: &str, next_word: &str, style: Style) -> bool {
    let opener = || !style.lower_cased && is_opener(next_word);
    let number_follows = next_word.starts_with(char::is_numeric);
    if is_initial(word) {
        return !(next_word.len() > 1 && opener());
    }
    let last_part = word.rsplit('-').next().unwrap_or(word);
    match classify(last_part) {
        None => false,
        Some(Abbreviation::Inner) => true,
        Some(Abbreviation::BeforeNumber) => number_follows,
        Some(Abbreviation::Final) => !number_follows && !opener(),
    }
}

fn classify(word: &str) -> Option<Abbreviation> {
    let mut buffer = [0; LONGEST_LISTED];
    let Some(small) = lower_case(word, &mut buffer) else {
        return is_dotted(word).then_some(Abbreviation::Final);
    };
    if BEFORE_NUMBER.contains(small) {
        return Some(Abbreviation::BeforeNumber);
    }
    if !word.starts_with(char::is_uppercase) && ALSO_WORDS.contains(small) {
        return None;
    }
    if INNER.contains(small) {
        return Some(Abbreviation::Inner);
    }
    (FINAL.contains(small) || is_dotted(word)).then_some(Abbreviation::Final)
}

/// Whether a word usually opens a sentence.
pub(super) fn is_opener(word: &str) -> bool {
    lower_case(word, &mut [0; LONGEST_LISTED]).is_some_and(|small| OPENERS.contains(small))
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
    word.contains('.')
        && word.split('.').all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
        })
}

/// Whether a word is one letter, as in "J. K. Rowling".
fn is_initial(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_words_are_short_and_lower_case() {
        for list in [&INNER, &BEFORE_NUMBER, &FINAL, &ALSO_WORDS, &OPENERS] {
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
        assert!(is_opener("The") && is_opener("although") && is_opener("I"));
        assert!(!is_opener("") && !is_opener("Élan") && !is_opener("Nevertheless"));
        assert_eq!(classify("MR"), Some(Abbreviation::Inner));
        assert_eq!(classify("Wash"), Some(Abbreviation::Final));
        assert_eq!(classify("wash"), None);
    }
}
