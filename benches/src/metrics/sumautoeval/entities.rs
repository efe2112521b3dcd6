//! The entities of a note (section 3.1): short phrases with one point each. Statements come from the claim extractor;
//! sentences without a verb are split into phrases.
//!
//! An entity whose words all occur in another entity in the same order is part of that one; a bare date is joined to its
//! neighbour; an entity without content words, or with words missing from its own span, is dropped. A negated and an
//! affirmed entity are never joined.

use serde::Serialize;

use super::by_model::AskedEntities;
use super::note::Note;
use crate::metrics::row::has_words;
use veridic::pipeline::{Claim, ClaimExtractor, Summary};
use veridic::text::{Lookup, PartOfSpeech as Part, TaggedWord, TextIndex, has_negation, tagged_words, words};
use veridic::{Result, Span};

/// Nouns and adverbs of time.
const TIMES: &str = "\
    day days week weeks month months year years hour hours morning afternoon evening night today \
    yesterday tomorrow tonight ago last next early late spring summer winter";

/// Whether a list of words, separated by spaces, has a word.
pub(super) fn is_listed(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

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

/// The method of extracting entities from a text.
pub(super) enum EntitySource {
    /// An extractor of claims, and rules.
    Rules(ClaimExtractor),
    /// A language model, whose answers are known.
    Asked(AskedEntities),
}

/// The entities of each section's text, in the note's order; at least one.
pub(super) fn entities(note: &Note<'_>, source: &EntitySource) -> Result<Vec<Entity>> {
    let extractor = match source {
        EntitySource::Rules(extractor) => extractor,
        EntitySource::Asked(asked) => return asked.entities(note),
    };
    let mut all = Vec::new();
    for (section, body) in note.bodies().enumerate() {
        if has_words(body.text) {
            let claims = extractor.extract(&[Summary::new(body.text)])?.swap_remove(0);
            let found =
                claims.claims.into_iter().flat_map(|claim| of_claim(&note.index, body.start, claim, section));
            all.extend(with_dates(found.filter(|entity| is_sourced(&note.index, entity)).collect()));
        }
    }
    let merged = merged(all);
    Ok(if merged.is_empty() { vec![whole(note)] } else { merged })
}

/// The note as one entity.
pub(super) fn whole(note: &Note<'_>) -> Entity {
    let span = Span { start: 0, end: note.index.characters() };
    Entity { text: note.index.text().trim().to_owned(), spans: vec![span], section: 0 }
}

/// The content words of a text.
pub(super) fn content_words(text: &str) -> Vec<TaggedWord<'_>> {
    tagged_words(text).into_iter().filter(is_content_word).collect()
}

fn is_content_word(word: &TaggedWord<'_>) -> bool {
    !matches!(word.part, Part::Auxiliary | Part::Pronoun | Part::Preposition | Part::Link | Part::Other)
}

/// Returns the entities of a claim: itself, or its pieces if it has no verb. `start` is the start of its text in the note.
fn of_claim(note: &TextIndex<'_>, start: usize, claim: Claim, section: usize) -> Vec<Entity> {
    let moved = |span: Span| Span { start: span.start + start, end: span.end + start };
    let spans: Vec<Span> = claim.spans.into_iter().map(moved).collect();
    match spans[..] {
        [span] if !has_verb(&claim.text) => pieces(note.slice(span))
            .into_iter()
            .map(|(from, text)| {
                let start = span.start + from;
                let span = Span { start, end: start + text.chars().count() };
                Entity { text: text.to_owned(), spans: vec![span], section }
            })
            .collect(),
        _ => vec![Entity { text: claim.text.trim().to_owned(), spans, section }],
    }
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

/// Splits a phrase at commas, semicolons and "and"; each piece comes with the number of characters before it. "And" does not
/// split if one of its sides has no noun.
fn pieces(phrase: &str) -> Vec<(usize, &str)> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for (at, _) in phrase.match_indices([',', ';']) {
        if phrase[at + 1..].starts_with(char::is_whitespace) {
            cuts.push((at, at + 1));
        }
    }
    for (at, and) in phrase.match_indices(" and ") {
        let from = cuts.iter().filter(|cut| cut.1 <= at).map(|cut| cut.1).max().unwrap_or(0);
        let to = cuts.iter().filter(|cut| cut.0 > at).map(|cut| cut.0).min().unwrap_or(phrase.len());
        let (before, after) = (&phrase[from..at], &phrase[at + and.len()..to]);
        if before.trim().is_empty() || (has_noun(before) && has_noun(after)) {
            cuts.push((at, at + and.len()));
        }
    }
    cuts.sort_unstable();
    cuts.push((phrase.len(), phrase.len()));
    let (mut found, mut from) = (Vec::new(), 0);
    for (end, next) in cuts {
        let piece = &phrase[from.min(end)..end];
        let inside = piece.trim_start_matches(|c: char| !c.is_alphanumeric() && !"($£€\"“'‘".contains(c));
        let left = piece.len() - inside.len();
        let inside = inside.trim_end_matches(|c: char| c.is_whitespace() || ",;.:-".contains(c));
        if has_words(inside) {
            found.push((phrase[..from + left].chars().count(), inside));
        }
        from = next;
    }
    found
}

fn has_noun(text: &str) -> bool {
    tagged_words(text).iter().any(|word| matches!(word.part, Part::Noun | Part::Name | Part::Number))
}

/// Joins bare dates to the preceding entity, or else to the next one; a date without neighbours is dropped.
fn with_dates(entities: Vec<Entity>) -> Vec<Entity> {
    let mut joined: Vec<Entity> = Vec::new();
    let mut early: Option<Entity> = None;
    for mut entity in entities {
        match (is_bare_date(&entity.text), joined.last_mut()) {
            (true, Some(before)) => {
                before.text = format!("{}, {}", before.text.trim_end_matches('.'), entity.text);
                before.spans.extend(entity.spans);
            }
            (true, None) => early = early.or(Some(entity)),
            (false, _) => {
                if let Some(date) = early.take() {
                    entity.text = format!("{}, {}", date.text.trim_end_matches('.'), entity.text);
                    entity.spans.splice(0..0, date.spans);
                }
                joined.push(entity);
            }
        }
    }
    joined
}

/// Whether a text has words of time and no other content words.
fn is_bare_date(text: &str) -> bool {
    let content_words = content_words(text);
    let is_time = |word: &TaggedWord<'_>| {
        matches!(word.part, Part::Date | Part::Number) || is_listed(&word.text.to_lowercase(), TIMES)
    };
    !content_words.is_empty() && content_words.iter().all(is_time)
}

/// Whether the entity has content words, and its spans have all of them.
fn is_sourced(note: &TextIndex<'_>, entity: &Entity) -> bool {
    let source: Vec<&str> = entity.spans.iter().map(|span| note.slice(*span)).collect();
    let (source, content_words) = (Lookup::new(&source.join(" ")), content_words(&entity.text));
    !content_words.is_empty() && content_words.iter().all(|word| source.has(word))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entity_texts(text: &str) -> Vec<String> {
        let note = Note::of(text);
        entities(&note, &EntitySource::Rules(ClaimExtractor::Sentence))
            .unwrap()
            .into_iter()
            .map(|entity| entity.text)
            .collect()
    }

    #[test]
    fn an_entity_that_another_contains_is_part_of_it() {
        // "The couple moved to Oslo." is in "In 2003, the couple moved to Oslo."
        let text = "The couple moved to Oslo. In 2003, the couple moved to Oslo. They opened a cafe.";
        assert_eq!(entity_texts(text), ["In 2003, the couple moved to Oslo.", "They opened a cafe."]);
        assert_eq!(entity_texts("Rain fell. Rain fell on Anna."), ["Rain fell on Anna."]);
        // Negation and the order of words make a difference.
        assert_eq!(entity_texts("Rain fell. No rain fell on Anna.").len(), 2);
        assert_eq!(entity_texts("Anna beat Boris. Boris beat Anna.").len(), 2);
    }

    #[test]
    fn phrases_without_a_verb_are_split() {
        let text =
            "Medications:\n- Lisinopril 10 mg daily, metformin 1,000 mg\nPlan:\nChest x-ray and blood tests.";
        let expected = ["Lisinopril 10 mg daily", "metformin 1,000 mg", "Chest x-ray", "blood tests"];
        assert_eq!(entity_texts(text), expected);
    }

    #[test]
    fn a_bare_date_is_joined_to_an_entity() {
        assert_eq!(entity_texts("Knee surgery, March 2019"), ["Knee surgery, March 2019"]);
        assert_eq!(entity_texts("March 2019, knee surgery, cough"), ["March 2019, knee surgery", "cough"]);
        assert_eq!(entity_texts("Rain fell. It was on Monday."), ["Rain fell, It was on Monday."]);
    }

    #[test]
    fn entities_with_words_outside_their_span_are_dropped() {
        let text = TextIndex::new("The pool closed in May.");
        let entity =
            |text: &str| Entity { text: text.into(), spans: vec![Span { start: 0, end: 15 }], section: 0 };
        assert!(is_sourced(&text, &entity("The pool closes.")));
        assert!(!is_sourced(&text, &entity("The pool closed in May.")), "May is outside the span");
        assert!(!is_sourced(&text, &entity("It was so.")), "it has no content words");
    }

    #[test]
    fn every_note_has_an_entity() {
        assert_eq!(entity_texts("It was."), ["It was."]);
    }

    proptest! {
        #[test]
        fn spans_are_of_the_note(text in "[a-zA-Z0-9é,;.: \n#]{0,60}[a-z]") {
            let note = Note::of(&text);
            for entity in entities(&note, &EntitySource::Rules(ClaimExtractor::Sentence)).unwrap() {
                prop_assert!(!entity.text.is_empty() && entity.section < note.sections.len());
                for span in &entity.spans {
                    prop_assert!(span.start < span.end && span.end <= note.index.characters());
                }
                if entity.spans.len() == 1 && entity.spans[0].len() == entity.text.chars().count() {
                    prop_assert_eq!(note.index.slice(entity.spans[0]).to_lowercase().chars().next(), entity.text.to_lowercase().chars().next());
                }
            }
        }

        #[test]
        fn pieces_are_slices(phrase in "[a-zé ,;]{0,20}( and )?[a-zé ,;]{0,20}") {
            for (from, piece) in pieces(&phrase) {
                let slice: String = phrase.chars().skip(from).take(piece.chars().count()).collect();
                prop_assert_eq!(slice, piece);
            }
        }
    }
}
