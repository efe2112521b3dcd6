//! The words of a text by what they do in it, as the tagger sees them, with the forms by which they are looked up in
//! another text. Refuses marks and the words between words: what is not told here says nothing by itself.

use std::collections::HashSet;

use super::LONGEST;
use super::lexicon::verb_forms::verb_form;
use super::lexicon::{classes, names};
use super::tagging::{Tag, Word, tag, tokens::tokens};
use crate::wording::words;

/// What a word does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Names someone or something.
    Name,
    /// A month or a day.
    Date,
    /// In digits or letters.
    Number,
    /// Any other noun.
    Noun,
    /// Says of what sort a noun is.
    Adjective,
    /// A verb with a meaning: not "was", "has", "will".
    Verb,
    /// "Be", "have", "do", "will" and their forms.
    Auxiliary,
    /// Stands for a noun.
    Pronoun,
    /// "In", "of", "to".
    Preposition,
    /// "Because", "after", "while": ties statements together.
    Link,
    /// Any other word.
    Other,
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken<'t> {
    /// As it stands.
    pub text: &'t str,
    /// What it does.
    pub part: Part,
    /// The forms by which it is looked up; all of them must be there.
    forms: Vec<String>,
}

impl Spoken<'_> {
    /// The forms by which it is looked up.
    #[must_use]
    pub fn forms(&self) -> &[String] {
        &self.forms
    }
}

/// The words of a sentence, in order; none of one that is too long to be one.
#[must_use]
pub fn parts(sentence: &str) -> Vec<Spoken<'_>> {
    let tokens = tokens(sentence);
    let tagged = if tokens.len() > LONGEST { Vec::new() } else { tag(tokens) };
    let spoken = |word: &Word<'_>| {
        let text = &sentence[word.token.start..word.token.end()];
        let forms = forms(text);
        (!forms.is_empty()).then(|| Spoken { text, part: part(word), forms })
    };
    tagged.iter().filter_map(spoken).collect()
}

fn part(word: &Word<'_>) -> Part {
    let lower = word.lower();
    if word.is_capital() && (names::MONTHS.contains(lower) || names::DAYS.contains(lower)) {
        return Part::Date;
    }
    match word.tag {
        Tag::Name => Part::Name,
        Tag::Number => Part::Number,
        Tag::Noun => Part::Noun,
        Tag::Adjective => Part::Adjective,
        Tag::Verb => Part::Verb,
        Tag::Be | Tag::Have | Tag::Do | Tag::Modal => Part::Auxiliary,
        Tag::Pronoun | Tag::Owner => Part::Pronoun,
        Tag::Preposition if classes::FACTUAL.contains(lower) => Part::Link,
        Tag::Preposition | Tag::To => Part::Preposition,
        Tag::Subordinator => Part::Link,
        _ => Part::Other,
    }
}

/// The forms of a token's words: of a verb its base, of others what [`words`] compares.
fn forms(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| base(&word.text.to_lowercase()).unwrap_or(word.form)).collect()
}

fn base(lower: &str) -> Option<String> {
    let form = verb_form(lower);
    (form.known && !lower.contains('-')).then_some(form.base)
}

/// The words of a text, to look those of another up in.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    forms: HashSet<String>,
    /// Words in capitals.
    acronyms: HashSet<String>,
    /// Forms of five letters or more.
    long: Vec<String>,
}

/// Letters from which the beginning of a word says what it is about.
const TELLING: usize = 5;

impl Lookup {
    /// Of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut lookup = Self::default();
        for word in words(text) {
            if word.text.chars().all(char::is_uppercase) {
                lookup.acronyms.insert(word.text.to_owned());
            }
            lookup.forms.extend(base(&word.text.to_lowercase()));
            lookup.forms.insert(word.form);
        }
        let is_long = |form: &&String| form.chars().count() >= TELLING;
        lookup.long = lookup.forms.iter().filter(is_long).cloned().collect();
        lookup
    }

    /// Whether a word is there, or one that begins alike: "announce" and "announcement", "Kenya" and "Kenyan".
    #[must_use]
    pub fn has(&self, word: &Spoken<'_>) -> bool {
        word.forms.iter().all(|form| self.forms.contains(form) || self.has_alike(form))
    }

    /// Whether these initials are there as a word.
    #[must_use]
    pub fn has_acronym(&self, initials: &str) -> bool {
        self.acronyms.contains(initials)
    }

    fn has_alike(&self, form: &str) -> bool {
        let length = form.chars().count();
        let alike = |other: &String| {
            let shared = form.chars().zip(other.chars()).take_while(|(one, two)| one == two).count();
            shared >= TELLING && shared + 1 >= length.min(other.chars().count())
        };
        length >= TELLING && self.long.iter().any(alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_parts() {
        use Part::{Auxiliary, Date, Name, Noun, Number, Other, Preposition, Verb};
        let found: Vec<Part> =
            parts("The pool was closed in May by 12 men of Harwell.").iter().map(|word| word.part).collect();
        let expected =
            [Other, Noun, Auxiliary, Verb, Preposition, Date, Preposition, Number, Noun, Preposition, Name];
        assert_eq!(found, expected);
        assert!(parts("... !").is_empty());
    }

    #[test]
    fn words_are_found_by_base_and_beginning() {
        let lookup = Lookup::new("Kenya won. The NFL announced 1,000 plans");
        let has = |word: &str| lookup.has(&parts(word)[0]);
        for word in ["winning", "Kenyan", "announcement", "1000", "planned", "Wins"] {
            assert!(has(word), "{word}");
        }
        for word in ["Ken", "plane", "100", "dog-tale", "of"] {
            assert!(!has(word), "{word}");
        }
        assert!(lookup.has_acronym("NFL") && !lookup.has_acronym("NL"));
    }
}
