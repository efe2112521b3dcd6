//! The words that a reason may name as missing: those of a claim's unsupported words that are in none of the passages
//! about it.
//!
//! Decides by the word's base form or beginning, by values of quantities, and by known forms of names, so that "sold"
//! is in "they sell" and "47" in "forty-seven". Refuses to say whether a passage means the same.

use std::ops::Range;

use super::words::UnsupportedWords;
use crate::text::{Lookup, Name, Names, Quantities, TaggedWord, tagged_words};

/// What the passages about a claim say, for look-ups.
struct Said {
    words: Lookup,
    names: Names,
    quantities: Quantities,
}

impl Said {
    fn has(&self, text: &str, place: &Range<usize>, word: &TaggedWord<'_>) -> bool {
        let name = Name { words: vec![place.clone()] };
        let is_name = word.text.starts_with(char::is_uppercase);
        self.words.has(word) || is_name && self.names.missing(text, &name).is_empty()
    }
}

/// The unsupported words that no passage has; neighbours are one piece.
pub(crate) fn missing_words(unsupported: &[UnsupportedWords], passages: &[&str]) -> Vec<String> {
    let text = passages.join("\n");
    let said = Said { words: Lookup::new(&text), names: Names::of(&text), quantities: Quantities::of(&text) };
    unsupported.iter().flat_map(|words| pieces(&words.text, &said)).collect()
}

/// The missing pieces of neighbouring words.
fn pieces(text: &str, said: &Said) -> Vec<String> {
    let own = Quantities::of(text);
    let of_quantity = |place: &Range<usize>| {
        let pieces = own.found_in(&said.quantities).into_iter();
        let mut found = pieces.filter(|(.., is_found)| *is_found);
        found.any(|(span, ..)| span.start <= place.start && place.end <= span.end)
    };
    let mut missing: Vec<Range<usize>> = Vec::new();
    let (mut end, mut continues) = (0, false);
    for word in tagged_words(text) {
        let Some(start) = text[end..].find(word.text).map(|at| end + at) else { continue };
        end = start + word.text.len();
        let is_missing = !said.has(text, &(start..end), &word) && !of_quantity(&(start..end));
        match missing.last_mut().filter(|_| continues) {
            Some(piece) if is_missing => piece.end = end,
            _ if is_missing => missing.push(start..end),
            _ => {}
        }
        continues = is_missing;
    }
    missing.into_iter().map(|place| text[place].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn missing(unsupported: &[&str], passages: &[&str]) -> Vec<String> {
        let words = |text: &&str| UnsupportedWords {
            text: (*text).to_owned(),
            span: Span { start: 0, end: text.chars().count() },
            probability: 1.0,
        };
        missing_words(&unsupported.iter().map(words).collect::<Vec<_>>(), passages)
    }

    #[test]
    fn only_words_that_no_passage_has_are_missing() {
        let passages = ["Forty-seven LAMPS were sold in New York.", "The Dutch harbour costs 2,000 euros."];
        for said in [
            "lamp",
            "sell",
            "47",
            "Lamps",
            "new york",
            "Netherlands",
            "harbours",
            "2,000 euros",
            "2000",
            "cost",
        ] {
            assert_eq!(missing(&[said], &passages), [""; 0], "{said}");
        }
        for (unsupported, expected) in [
            ("48", vec!["48"]),
            ("sold in Rio", vec!["Rio"]),
            ("3,000 euros", vec!["3,000"]),
            ("red lamps and blue ships", vec!["red", "and blue ships"]),
        ] {
            assert_eq!(missing(&[unsupported], &passages), expected, "{unsupported}");
        }
        assert_eq!(missing(&["Rio", "lamps", "48"], &passages), ["Rio", "48"]);
        assert_eq!(missing(&[], &passages), [""; 0]);
    }
}
