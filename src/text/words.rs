//! The words of a text in the form in which they are looked up in another text: words, names, numbers and negation.
//!
//! Words are compared in lower case and without common endings ("repairs" matches "repaired"). Meaning is not compared:
//! "car" does not match "vehicle".

use super::coreference::is_function_word;
use crate::text::token::is_combining_mark;

/// A word of a text, with the form that is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'t> {
    /// The word as written.
    pub text: &'t str,
    /// Offset of its first byte in the text.
    pub start: usize,
    /// The compared form: lower case, without possessive and ending; a number without commas.
    pub form: String,
    /// The kind of word.
    pub kind: WordKind,
}

/// The kind of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// A number in digits.
    Number,
    /// A number from two to twelve in words.
    SpelledNumber,
    /// A word with a capital letter that is not due to opening a sentence.
    Name,
    /// A function word: "the", "of", "was".
    Function,
    /// Any other word.
    Content,
}

const SPELLED: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const NEGATIONS: [&str; 10] =
    ["no", "not", "never", "nor", "none", "nobody", "nothing", "neither", "without", "cannot"];

/// The words of a text, in order.
#[must_use]
pub fn words(text: &str) -> Vec<Word<'_>> {
    each_word(text).collect()
}

/// The words of a text one by one, for long texts.
pub fn each_word(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut end_of_last = 0;
    pieces(text).map(move |(start, end)| {
        let ends = ['.', '!', '?', '\n', ':', '"', '“'];
        let opens_sentence = end_of_last == 0 || text[end_of_last..start].contains(ends);
        end_of_last = end;
        Word { start, ..word(&text[start..end], opens_sentence) }
    })
}

/// Whether one of the words is a negation ("not", "never", "don't").
#[must_use]
pub fn has_negation(words: &[Word<'_>]) -> bool {
    words.iter().any(|word| NEGATIONS.contains(&word.form.as_str()) || word.form.ends_with("n't"))
}

fn word(text: &str, opens_sentence: bool) -> Word<'_> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return Word { text, start: 0, form: text.replace(',', ""), kind: WordKind::Number };
    }
    let lower = text.to_lowercase().replace('’', "'");
    let form = lower.strip_suffix("'s").unwrap_or(&lower).to_owned();
    if let Some(index) = SPELLED.iter().position(|word| *word == form) {
        return Word { text, start: 0, form: (index + 2).to_string(), kind: WordKind::SpelledNumber };
    }
    if is_function_word(&form) {
        return Word { text, start: 0, form, kind: WordKind::Function };
    }
    let kind = if is_name(text, opens_sentence) { WordKind::Name } else { WordKind::Content };
    Word { text, start: 0, form: without_ending(&form).to_owned(), kind }
}

/// The word without -ing, -ed, -es or -s, if at least three letters remain.
fn without_ending(word: &str) -> &str {
    let cut = ["ing", "ed", "es", "s"].iter().find_map(|ending| word.strip_suffix(ending));
    cut.filter(|stem| stem.chars().nth(2).is_some()).unwrap_or(word)
}

fn is_name(text: &str, opens_sentence: bool) -> bool {
    let mut capitals = text.char_indices().filter(|(_, c)| c.is_uppercase()).map(|(at, _)| at);
    match capitals.next() {
        None => false,
        Some(0) => !opens_sentence || capitals.next().is_some(),
        Some(_) => true,
    }
}

/// Byte ranges of runs of letters, with inner apostrophes, and of numbers, with inner stops and commas.
fn pieces(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let is_number = text[start..].starts_with(|c: char| c.is_ascii_digit());
        let joins = |c: char| if is_number { matches!(c, '.' | ',') } else { matches!(c, '\'' | '’') };
        let belongs =
            |c: char| if is_number { c.is_ascii_digit() } else { c.is_alphabetic() || is_combining_mark(c) };
        let mut end = start;
        let mut letters = text[start..].chars().peekable();
        while let Some(letter) = letters.next() {
            let goes_on = end == start
                || belongs(letter)
                || joins(letter) && letters.peek().is_some_and(|c| belongs(*c));
            if !goes_on {
                break;
            }
            end += letter.len_utf8();
        }
        rest = end;
        Some((start, end))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_have_forms_and_kinds() {
        let found = words("Engineers of Harwell's pool spent 1,250.5 euros on Three beams. NASA");
        let found = found.iter().map(|word| format!("{}/{}/{:?}", word.text, word.form, word.kind));
        let expected = "Engineers/engineer/Content of/of/Function Harwell's/harwell/Name pool/pool/Content \
                        spent/spent/Content 1,250.5/1250.5/Number euros/euro/Content on/on/Function \
                        Three/3/SpelledNumber beams/beam/Content NASA/nasa/Name";
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn first_word_of_a_sentence_is_not_a_name() {
        let names = |text| words(text).iter().filter(|word| word.kind == WordKind::Name).count();
        assert_eq!(names("Rain fell. Snow followed. \"Hail came\"\nSleet"), 0);
        assert_eq!(names("Rain fell on Anna, said McKay. McKay left"), 3);
    }

    #[test]
    fn numbers_keep_inner_stops_only() {
        let forms: Vec<String> = words("In 2,014. 59.57, 1970s 3rd").into_iter().map(|w| w.form).collect();
        assert_eq!(forms, ["in", "2014", "59.57", "1970", "s", "3", "rd"]);
    }

    #[test]
    fn negations_are_found() {
        for text in ["It is not open.", "They don’t know.", "Nobody came", "without help"] {
            assert!(has_negation(&words(text)), "{text}");
        }
        assert!(!has_negation(&words("A notable knot in Norway")));
    }

    proptest! {
        #[test]
        fn words_are_slices_in_order(text in "\\PC{0,80}") {
            let mut from = 0;
            for word in words(&text) {
                let at = from + text[from..].find(word.text).unwrap();
                prop_assert!(!word.text.is_empty() && !word.form.is_empty());
                prop_assert_eq!(&text[word.start..word.start + word.text.len()], word.text);
                from = at + word.text.len();
            }
        }
    }
}
