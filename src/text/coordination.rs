//! Splits a sentence that joins several statements: "The pool closes in March, and the library opens in May."
//!
//! Splits at coordinators between two parts that each have a verb, if the second part begins with its own subject.
//! Refuses sentences with a denial or a condition, which may hold for all parts.

use super::tagging::{PartOfSpeech, TaggedWord, tagged_words, verb_form};
use super::words::{has_negation, words};

/// Coordinators between statements.
const COORDINATORS: [&str; 7] = [", and ", "; ", ", but ", ", while ", " and ", " while ", ", whereas "];

/// Words after which no part is a statement by itself.
const CONDITIONS: [&str; 6] = ["if", "unless", "whether", "either", "neither", "both"];

/// Prepositions that begin a quantity, which may be a subject.
const BEFORE_QUANTITIES: [&str; 4] = ["up to ", "at least ", "at most ", "about "];

/// Minimum number of words in a statement.
const MIN_WORDS: usize = 3;

/// Splits a sentence into its statements, each as a complete sentence; empty if there is only one.
#[must_use]
pub fn coordinated(sentence: &str) -> Vec<String> {
    let own = words(sentence);
    let is_condition = |form: &str| CONDITIONS.contains(&form);
    if has_negation(&own) || own.iter().any(|word| is_condition(&word.text.to_lowercase())) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut rest = sentence.trim().trim_end_matches('.');
    while let Some((first, later)) = split(rest) {
        parts.push(first);
        rest = later;
    }
    if parts.is_empty() {
        return parts;
    }
    parts.push(rest.to_owned());
    parts.iter().map(|part| as_sentence(part)).collect()
}

/// The first statement of a text and the rest, at the first coordinator that joins statements.
fn split(text: &str) -> Option<(String, &str)> {
    let mut places: Vec<(usize, &str)> =
        COORDINATORS.iter().flat_map(|word| text.match_indices(word)).collect();
    places.sort_by_key(|(at, word)| (*at, std::cmp::Reverse(word.len())));
    places.into_iter().find_map(|(at, word)| {
        let (first, later) = (&text[..at], &text[at + word.len()..]);
        (is_statement(first) && is_statement(later) && !begins_with_verb(later))
            .then(|| (first.to_owned(), later))
    })
}

/// Whether a part lacks a subject: "and walked home".
fn begins_with_verb(part: &str) -> bool {
    let is_verb = |word: &TaggedWord<'_>| matches!(word.part, PartOfSpeech::Verb | PartOfSpeech::Auxiliary);
    tagged_words(part).first().is_some_and(is_verb)
}

/// Whether a text has a verb after its first word.
fn is_statement(text: &str) -> bool {
    let words = tagged_words(text);
    let is_verb = |at: usize| {
        matches!(words[at].part, PartOfSpeech::Verb | PartOfSpeech::Auxiliary) || looks_finite(&words, at)
    };
    words.len() >= MIN_WORDS && begins_with_subject(text, &words) && (1..words.len()).any(is_verb)
}

/// Whether a text may begin with its subject: "Up to five days" does, "In 2020" and "Between May and June" do not.
fn begins_with_subject(text: &str, words: &[TaggedWord<'_>]) -> bool {
    let opening = text.trim_start().to_lowercase();
    words[0].part != PartOfSpeech::Preposition
        || BEFORE_QUANTITIES.iter().any(|words| opening.starts_with(words))
}

/// Whether a word that was taken for a noun can be a verb in the third person: "opens" after "the library".
fn looks_finite(words: &[TaggedWord<'_>], at: usize) -> bool {
    let follows_subject = at > 0
        && matches!(words[at - 1].part, PartOfSpeech::Noun | PartOfSpeech::Name | PartOfSpeech::Pronoun);
    let text = words[at].text.to_lowercase();
    follows_subject && words[at].part == PartOfSpeech::Noun && text.ends_with('s') && verb_form(&text).known
}

/// A part with a capital letter and a full stop.
fn as_sentence(part: &str) -> String {
    let part = part.trim();
    let mut letters = part.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_split_into_their_statements() {
        for line in include_str!("tests/coordination.tsv").lines().filter(|line| !line.starts_with('#')) {
            let (sentence, parts) = line.split_once('\t').unwrap_or((line, ""));
            assert_eq!(coordinated(sentence).join(" ‖ "), parts, "{sentence}");
        }
        assert!(coordinated("").is_empty());
    }
}
