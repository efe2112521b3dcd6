//! The words of a sentence with their parts of speech, and the forms by which they are looked up in another text.
//!
//! Decides by the tagger's tags. Refuses punctuation, and sentences too long for the tagger.

use std::collections::HashSet;

use super::lexicon::classes;
use super::lexicon::verb_forms::verb_form;
use super::tagger::tag;
use super::tokens::tokens;
use super::word::{Tag, Word};
use crate::text::words::words;

/// Maximum tokens of a sentence that is tagged.
const LONGEST: usize = 400;

/// The part of speech of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOfSpeech {
    /// A proper noun.
    Name,
    /// A month or a day of the week.
    Date,
    /// A number in digits or letters.
    Number,
    /// Any other noun.
    Noun,
    /// An adjective.
    Adjective,
    /// A main verb.
    Verb,
    /// A form of "be", "have" or "do", or a modal verb.
    Auxiliary,
    /// A pronoun or a possessive determiner.
    Pronoun,
    /// "In", "of", "to".
    Preposition,
    /// A subordinating conjunction: "because", "after", "while".
    Link,
    /// Any other word.
    Other,
}

/// A word of a sentence with its part of speech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedWord<'t> {
    /// The word as written.
    pub text: &'t str,
    /// Its part of speech.
    pub part: PartOfSpeech,
    /// The forms by which it is looked up; a text must have all of them.
    forms: Vec<String>,
}

impl TaggedWord<'_> {
    /// The forms by which it is looked up.
    #[must_use]
    pub fn forms(&self) -> &[String] {
        &self.forms
    }
}

/// The words of a sentence, in order; empty for a sentence of more than 400 tokens.
#[must_use]
pub fn tagged_words(sentence: &str) -> Vec<TaggedWord<'_>> {
    let tokens = tokens(sentence);
    let tagged = if tokens.len() > LONGEST { Vec::new() } else { tag(tokens) };
    let with_forms = |word: &Word<'_>| {
        let text = &sentence[word.token.start..word.token.end()];
        let forms = forms(text);
        (!forms.is_empty()).then(|| TaggedWord { text, part: part(word), forms })
    };
    tagged.iter().filter_map(with_forms).collect()
}

fn part(word: &Word<'_>) -> PartOfSpeech {
    let lower = word.lower();
    if word.is_capital() && (classes::MONTHS.contains(lower) || classes::DAYS.contains(lower)) {
        return PartOfSpeech::Date;
    }
    match word.tag {
        Tag::Name => PartOfSpeech::Name,
        Tag::Number => PartOfSpeech::Number,
        Tag::Noun => PartOfSpeech::Noun,
        Tag::Adjective => PartOfSpeech::Adjective,
        Tag::Verb => PartOfSpeech::Verb,
        Tag::Be | Tag::Have | Tag::Do | Tag::Modal => PartOfSpeech::Auxiliary,
        Tag::Pronoun | Tag::PossessiveDeterminer => PartOfSpeech::Pronoun,
        Tag::Preposition if classes::FACTUAL.contains(lower) => PartOfSpeech::Link,
        Tag::Preposition | Tag::To => PartOfSpeech::Preposition,
        Tag::Subordinator => PartOfSpeech::Link,
        _ => PartOfSpeech::Other,
    }
}

/// The look-up forms of a token's words: the base of a verb, and the form that [`words`] gives to any other word.
fn forms(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| base(&word.text.to_lowercase()).unwrap_or(word.form)).collect()
}

fn base(lower: &str) -> Option<String> {
    let form = verb_form(lower);
    (form.known && !lower.contains('-')).then_some(form.base)
}

/// The words of a text, in which words of another text are looked up.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    forms: HashSet<String>,
    /// Forms of five letters or more.
    long: Vec<String>,
}

/// Minimum length in letters of a shared beginning for two words to be alike.
const MIN_SHARED: usize = 5;

impl Lookup {
    /// Collects the words of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut lookup = Self::default();
        for word in words(text) {
            lookup.forms.extend(base(&word.text.to_lowercase()));
            lookup.forms.insert(word.form);
        }
        let is_long = |form: &&String| form.chars().count() >= MIN_SHARED;
        lookup.long = lookup.forms.iter().filter(is_long).cloned().collect();
        lookup
    }

    /// Whether the text has the word, or a word with the same beginning: "announce" and "announcement", "Kenya" and
    /// "Kenyan".
    #[must_use]
    pub fn has(&self, word: &TaggedWord<'_>) -> bool {
        word.forms.iter().all(|form| self.forms.contains(form) || self.has_alike(form))
    }

    fn has_alike(&self, form: &str) -> bool {
        let length = form.chars().count();
        let alike = |other: &String| {
            let shared = form.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
            shared >= MIN_SHARED && shared + 1 >= length.min(other.chars().count())
        };
        length >= MIN_SHARED && self.long.iter().any(alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_parts() {
        use PartOfSpeech::{Auxiliary, Date, Name, Noun, Number, Other, Preposition, Verb};
        let found: Vec<PartOfSpeech> = tagged_words("The pool was closed in May by 12 men of Harwell.")
            .iter()
            .map(|word| word.part)
            .collect();
        let expected =
            [Other, Noun, Auxiliary, Verb, Preposition, Date, Preposition, Number, Noun, Preposition, Name];
        assert_eq!(found, expected);
        assert!(tagged_words("... !").is_empty());
    }

    #[test]
    fn words_are_found_by_base_and_beginning() {
        let lookup = Lookup::new("Kenya won. The NFL announced 1,000 plans");
        let has = |word: &str| lookup.has(&tagged_words(word)[0]);
        for word in ["winning", "Kenyan", "announcement", "1000", "planned", "Wins"] {
            assert!(has(word), "{word}");
        }
        for word in ["Ken", "plane", "100", "dog-tale", "of"] {
            assert!(!has(word), "{word}");
        }
    }
}
