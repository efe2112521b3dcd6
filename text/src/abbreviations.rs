//! Which words keep their full stop, and what that says about the sentence.
//!
//! Decides from the word before a stop and the word after it whether the stop belongs to an
//! abbreviation in running text. The lists hold common English ones, by what may follow them.
//! Refuses to look further than these two words.

use super::style::Style;
use super::word_list::WordList;

/// Bytes of the longest word in the lists.
const LONGEST_LISTED: usize = 8;

/// What follows an abbreviation, and so when its stop can end a sentence as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abbreviation {
    /// "Dr.", "e.g.": the sentence always goes on.
    Inner,
    /// "No.", "Fig.": goes on if a number follows.
    BeforeNumber,
    /// "Inc.", "U.S.", "a.m.": ends if the next word usually opens a sentence.
    Final,
}

/// Titles and link words: something that belongs to them always follows.
static INNER: WordList = WordList::new(include_str!("abbreviations/inner.txt"));

/// Words of reference and the months: a number belongs to them.
static BEFORE_NUMBER: WordList = WordList::new(include_str!("abbreviations/before_number.txt"));

/// Words that stand inside a sentence or at its end.
static FINAL: WordList = WordList::new(include_str!("abbreviations/final.txt"));

/// Abbreviations that are also words: taken as such only with a capital letter.
static ALSO_WORDS: WordList = WordList::new(include_str!("abbreviations/also_words.txt"));

/// Words that open a sentence far more often than they follow an abbreviation with a capital.
static OPENERS: WordList = WordList::new(include_str!("abbreviations/openers.txt"));

/// Whether the stop after `word` only marks an abbreviation, given the word that follows it.
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

/// Whether a word is among those that usually open a sentence.
pub(super) fn is_opener(word: &str) -> bool {
    lower_case(word, &mut [0; LONGEST_LISTED]).is_some_and(|small| OPENERS.contains(small))
}

/// The word in small ASCII letters; `None` if it is longer than every listed word. It allocates nothing, because
/// words are looked up at every stop of a text.
fn lower_case<'b>(word: &str, buffer: &'b mut [u8; LONGEST_LISTED]) -> Option<&'b str> {
    let bytes = buffer.get_mut(..word.len())?;
    bytes.copy_from_slice(word.as_bytes());
    bytes.make_ascii_lowercase();
    std::str::from_utf8(bytes).ok()
}

/// Whether a word is letters with stops between, "U.S" or "p.m" or "J.K".
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
    fn listed_words_are_short_and_in_small_letters() {
        for list in [&INNER, &BEFORE_NUMBER, &FINAL, &ALSO_WORDS, &OPENERS] {
            let short =
                |word: &str| word.len() <= LONGEST_LISTED && !word.bytes().any(|b| b.is_ascii_uppercase());
            assert!(list.words().all(short));
        }
    }

    #[test]
    fn words_that_are_also_abbreviations_are_listed_as_abbreviations() {
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
