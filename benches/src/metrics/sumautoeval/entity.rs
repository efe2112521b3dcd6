//! An entity, and what its wording has in common with that of others.

use serde::Serialize;
use veridic::Span;
use veridic::text::{PartOfSpeech as Part, TaggedWord, has_negation, tagged_words, words};

/// A unit of information.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entity {
    /// Its wording.
    pub(super) text: String,
    /// Its spans in the note.
    pub(super) spans: Vec<Span>,
    /// The index of its section.
    #[serde(skip)]
    pub(super) section: usize,
}

/// The content words of a text.
pub(super) fn content_words(text: &str) -> Vec<TaggedWord<'_>> {
    tagged_words(text).into_iter().filter(is_content_word).collect()
}

fn is_content_word(word: &TaggedWord<'_>) -> bool {
    !matches!(word.part, Part::Auxiliary | Part::Pronoun | Part::Preposition | Part::Link | Part::Other)
}

/// Whether a list of words, separated by spaces, has a word.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// Whether a text has a verb. A word that could be a verb may be a noun in a list ("fever, cough"), so it counts only after a
/// noun or if it is inflected.
pub(super) fn has_verb(text: &str) -> bool {
    text.split([',', ';']).any(|piece| {
        let mut has_subject = false;
        tagged_words(piece).iter().any(|word| {
            let is_inflected = || word.forms().first().is_some_and(|base| *base != word.text.to_lowercase());
            let is_verb = match word.part {
                Part::Auxiliary => true,
                Part::Verb => has_subject || is_inflected(),
                _ => false,
            };
            has_subject |= matches!(word.part, Part::Noun | Part::Name | Part::Pronoun | Part::Number);
            is_verb
        })
    })
}

/// Returns the entities that are not part of another; among equal ones the first is kept.
pub(super) fn merged(entities: Vec<Entity>) -> Vec<Entity> {
    let wordings: Vec<ContentForms> = entities.iter().map(|entity| ContentForms::of(&entity.text)).collect();
    let is_part = |place: usize| {
        wordings.iter().enumerate().any(|(other, whole)| {
            let part = &wordings[place];
            other != place && part.is_part_of(whole) && (other < place || !whole.is_part_of(part))
        })
    };
    let numbered = entities.into_iter().enumerate();
    numbered.filter(|(place, _)| !is_part(*place)).map(|(_, entity)| entity).collect()
}

/// The content words of an entity, for comparison.
pub(super) struct ContentForms {
    forms: Vec<String>,
    denies: bool,
}

impl ContentForms {
    pub(super) fn of(text: &str) -> Self {
        let forms = content_words(text).iter().flat_map(|word| word.forms().to_vec()).collect();
        Self { forms, denies: has_negation(&words(text)) }
    }

    /// Whether it has content words.
    pub(super) fn has_words(&self) -> bool {
        !self.forms.is_empty()
    }

    /// Whether the other entity has all its words in the same order, and both or neither are negated.
    pub(super) fn is_part_of(&self, other: &Self) -> bool {
        let mut rest = other.forms.iter();
        self.denies == other.denies && self.forms.iter().all(|form| rest.any(|found| found == form))
    }
}
