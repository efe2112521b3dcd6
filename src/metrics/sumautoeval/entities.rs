//! The entities of a note (section 3.1): short phrases with one point each. Statements come from the claims' rules (or
//! the model that `--claims` names), phrases from sentences without a verb, piece by piece.
//!
//! Decides what is one entity: an entity whose words another has in the same order is part of that one, a bare date
//! goes to its neighbour, and what its own span does not support, or says nothing, is dropped. Refuses to join what one
//! text denies and the other does not.

use serde::Serialize;

use super::note::Note;
use crate::error::Result;
use crate::pipeline::{Claim, ClaimExtractor, Summary};
use veridic_text::{Lookup, Part, Span, Spoken, TextIndex, denies, parts, words};

/// Nouns and adverbs that say when.
const TIMES: [&str; 26] = [
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "morning",
    "afternoon",
    "evening",
    "night",
    "today",
    "yesterday",
    "tomorrow",
    "tonight",
    "ago",
    "last",
    "next",
    "early",
    "late",
    "spring",
    "summer",
    "winter",
];

/// A unit of information.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entity {
    /// What it says.
    pub(super) text: String,
    /// Where the note says so.
    pub(super) spans: Vec<Span>,
    /// Number of its section, from 0.
    #[serde(skip)]
    pub(super) section: usize,
}

/// The entities of each section's text, in the note's order; of a text with words, one at least.
pub(super) fn entities(note: &Note<'_>, extractor: &ClaimExtractor) -> Result<Vec<Entity>> {
    let mut all = Vec::new();
    for (section, body) in note.bodies().enumerate() {
        if body.text.chars().any(char::is_alphanumeric) {
            let claims = extractor.extract(&[Summary { text: body.text, claims: None }])?.swap_remove(0);
            let found =
                claims.claims.into_iter().flat_map(|claim| of_claim(&note.index, body.start, claim, section));
            all.extend(with_dates(found.filter(|entity| is_sourced(&note.index, entity)).collect()));
        }
    }
    let merged = merged(all);
    Ok(if merged.is_empty() { vec![whole(note)] } else { merged })
}

/// The note as one entity.
fn whole(note: &Note<'_>) -> Entity {
    let span = Span { start: 0, end: note.index.characters() };
    Entity { text: note.index.text().trim().to_owned(), spans: vec![span], section: 0 }
}

/// The words that say what a text is about.
pub(super) fn telling(text: &str) -> Vec<Spoken<'_>> {
    parts(text).into_iter().filter(tells).collect()
}

fn tells(word: &Spoken<'_>) -> bool {
    !matches!(word.part, Part::Auxiliary | Part::Pronoun | Part::Preposition | Part::Link | Part::Other)
}

/// A claim is an entity; one without a verb is as many as it has pieces. `start`: where its text begins in the note.
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

/// Whether a text says that something is or does something. A verb by its looks may be a noun in a list ("fever, cough"),
/// so it counts if it stands behind a noun or is inflected.
pub(super) fn has_verb(text: &str) -> bool {
    text.split([',', ';']).any(|piece| {
        let mut has_subject = false;
        parts(piece).iter().any(|word| {
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

/// The pieces of a phrase between commas, semicolons and "and", with the characters before each. "And" stays where one
/// of its sides has no noun of its own.
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
        if inside.chars().any(char::is_alphanumeric) {
            found.push((phrase[..from + left].chars().count(), inside));
        }
        from = next;
    }
    found
}

fn has_noun(text: &str) -> bool {
    parts(text).iter().any(|word| matches!(word.part, Part::Noun | Part::Name | Part::Number))
}

/// Bare dates joined to the entity before them, or to the next one; alone they are dropped.
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

/// Whether a text says when and nothing else.
fn is_bare_date(text: &str) -> bool {
    let telling = telling(text);
    let is_time = |word: &Spoken<'_>| {
        matches!(word.part, Part::Date | Part::Number) || TIMES.contains(&word.text.to_lowercase().as_str())
    };
    !telling.is_empty() && telling.iter().all(is_time)
}

/// Whether the entity says something, and its spans have all the words that say it.
fn is_sourced(note: &TextIndex<'_>, entity: &Entity) -> bool {
    let source: Vec<&str> = entity.spans.iter().map(|span| note.slice(*span)).collect();
    let (source, telling) = (Lookup::new(&source.join(" ")), telling(&entity.text));
    !telling.is_empty() && telling.iter().all(|word| source.has(word))
}

/// Entities that are not part of another; of equal ones the first.
pub(super) fn merged(entities: Vec<Entity>) -> Vec<Entity> {
    let wordings: Vec<Wording> = entities.iter().map(|entity| Wording::of(&entity.text)).collect();
    let is_part = |place: usize| {
        wordings.iter().enumerate().any(|(other, whole)| {
            let part = &wordings[place];
            other != place && part.is_part_of(whole) && (other < place || !whole.is_part_of(part))
        })
    };
    let numbered = entities.into_iter().enumerate();
    numbered.filter(|(place, _)| !is_part(*place)).map(|(_, entity)| entity).collect()
}

/// The telling words of an entity, as they are compared.
pub(super) struct Wording {
    forms: Vec<String>,
    denies: bool,
}

impl Wording {
    pub(super) fn of(text: &str) -> Self {
        let forms = telling(text).iter().flat_map(|word| word.forms().to_vec()).collect();
        Self { forms, denies: denies(&words(text)) }
    }

    /// Whether it says anything.
    pub(super) fn has_words(&self) -> bool {
        !self.forms.is_empty()
    }

    /// Whether the other has all its words in the same order.
    pub(super) fn is_part_of(&self, other: &Self) -> bool {
        let mut rest = other.forms.iter();
        self.denies == other.denies && self.forms.iter().all(|form| rest.any(|found| found == form))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str) -> Vec<String> {
        let note = Note::of(text);
        entities(&note, &ClaimExtractor::Clause).unwrap().into_iter().map(|entity| entity.text).collect()
    }

    #[test]
    fn an_entity_that_another_contains_is_part_of_it() {
        // "The couple moved to Oslo." is in "In 2003, the couple moved to Oslo."
        let expected = ["In 2003, the couple moved to Oslo.", "They opened a cafe."];
        assert_eq!(told("In 2003, the couple moved to Oslo, where they opened a cafe."), expected);
        assert_eq!(told("Rain fell. Rain fell on Anna."), ["Rain fell on Anna."]);
        // What is denied, and who did it to whom, is not the same.
        assert_eq!(told("Rain fell. No rain fell on Anna.").len(), 2);
        assert_eq!(told("Anna beat Boris. Boris beat Anna.").len(), 2);
    }

    #[test]
    fn phrases_without_a_verb_are_taken_apart() {
        let text =
            "Medications:\n- Lisinopril 10 mg daily, metformin 1,000 mg\nPlan:\nChest x-ray and blood tests.";
        let expected = ["Lisinopril 10 mg daily", "metformin 1,000 mg", "Chest x-ray", "blood tests"];
        assert_eq!(told(text), expected);
    }

    #[test]
    fn a_bare_date_is_never_alone() {
        assert_eq!(told("Knee surgery, March 2019"), ["Knee surgery, March 2019"]);
        assert_eq!(told("March 2019, knee surgery, cough"), ["March 2019, knee surgery", "cough"]);
        assert_eq!(told("Rain fell. It was on Monday."), ["Rain fell, It was on Monday."]);
    }

    #[test]
    fn what_its_span_does_not_say_is_dropped() {
        let text = TextIndex::new("The pool closed in May.");
        let entity =
            |text: &str| Entity { text: text.into(), spans: vec![Span { start: 0, end: 15 }], section: 0 };
        assert!(is_sourced(&text, &entity("The pool closes.")));
        assert!(!is_sourced(&text, &entity("The pool closed in May.")), "May is outside the span");
        assert!(!is_sourced(&text, &entity("It was so.")), "it says nothing");
    }

    #[test]
    fn a_note_has_an_entity_whatever_it_says() {
        assert_eq!(told("It was."), ["It was."]);
    }

    proptest! {
        #[test]
        fn spans_are_of_the_note(text in "[a-zA-Z0-9é,;.: \n#]{0,60}[a-z]") {
            let note = Note::of(&text);
            for entity in entities(&note, &ClaimExtractor::Clause).unwrap() {
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
