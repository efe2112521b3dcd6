//! The entities of a note (section 3.1): short phrases with one point each. Statements come from the claim extractor;
//! sentences without a verb are split into phrases.
//!
//! An entity whose words all occur in another entity in the same order is part of that one; a bare date is joined to its
//! neighbour; an entity without content words, or with words missing from its own span, is dropped. A negated and an
//! affirmed entity are never joined.

use std::ops::Range;

use super::entity::{Entity, content_words, has_verb, is_listed, merged};
use super::note::Note;
use crate::metrics::row::has_words;
use veridic::pipeline::{Claim, ClaimExtractor, Summary};
use veridic::text::{Lookup, PartOfSpeech as Part, TaggedWord, TextIndex, tagged_words};
use veridic::{Result, Span};

/// Nouns and adverbs of time.
const TIMES: &str = "\
    day days week weeks month months year years hour hours morning afternoon evening night today \
    yesterday tomorrow tonight ago last next early late spring summer winter";

/// The entities of each section's text, in the note's order.
pub(super) fn entities(note: &Note<'_>, extractor: &ClaimExtractor) -> Result<Vec<Entity>> {
    let mut all = Vec::new();
    for (section, body) in note.bodies().enumerate().filter(|(_, body)| has_words(body.text)) {
        let claims = extractor.extract(&[Summary::new(body.text)])?.swap_remove(0).claims;
        let mut found = Vec::new();
        for claim in claims {
            found.extend(of_claim(&note.index, body.start, claim, section));
        }
        found.retain(|entity| is_sourced(&note.index, entity));
        all.extend(with_dates(found));
    }
    Ok(merged(all))
}

/// Returns the entities of a claim: itself, or its pieces if it has no verb. `start` is the start of its text in the note.
fn of_claim(note: &TextIndex<'_>, start: usize, claim: Claim, section: usize) -> Vec<Entity> {
    let moved = |span: Span| Span { start: span.start + start, end: span.end + start };
    let spans: Vec<Span> = claim.spans.into_iter().map(moved).collect();
    let [span] = spans[..] else {
        return vec![Entity { text: claim.text.trim().to_owned(), spans, section }];
    };
    if has_verb(&claim.text) {
        return vec![Entity { text: claim.text.trim().to_owned(), spans, section }];
    }
    let mut entities = Vec::new();
    for Piece { from, text } in pieces(note.slice(span)) {
        let start = span.start + from;
        let spans = vec![Span { start, end: start + text.chars().count() }];
        entities.push(Entity { text: text.to_owned(), spans, section });
    }
    entities
}

/// A piece of a phrase.
struct Piece<'t> {
    /// The number of characters before it.
    from: usize,
    text: &'t str,
}

/// Splits a phrase at commas, semicolons and "and". "And" does not split if one of its sides has no noun.
fn pieces(phrase: &str) -> Vec<Piece<'_>> {
    let (mut found, mut from) = (Vec::new(), 0);
    for cut in cuts(phrase) {
        let piece = &phrase[from.min(cut.start)..cut.start];
        let inside = piece.trim_start_matches(|c: char| !c.is_alphanumeric() && !"($£€\"“'‘".contains(c));
        let left = piece.len() - inside.len();
        let inside = inside.trim_end_matches(|c: char| c.is_whitespace() || ",;.:-".contains(c));
        if has_words(inside) {
            found.push(Piece { from: phrase[..from + left].chars().count(), text: inside });
        }
        from = cut.end;
    }
    found
}

/// What separates the pieces of a phrase, in bytes, and its end.
fn cuts(phrase: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for (at, _) in phrase.match_indices([',', ';']) {
        if phrase[at + 1..].starts_with(char::is_whitespace) {
            cuts.push(at..at + 1);
        }
    }
    for (at, and) in phrase.match_indices(" and ") {
        let from = cuts.iter().map(|cut| cut.end).filter(|end| *end <= at).max().unwrap_or(0);
        let to = cuts.iter().map(|cut| cut.start).filter(|start| *start > at).min().unwrap_or(phrase.len());
        let (before, after) = (&phrase[from..at], &phrase[at + and.len()..to]);
        if before.trim().is_empty() || (has_noun(before) && has_noun(after)) {
            cuts.push(at..at + and.len());
        }
    }
    cuts.sort_unstable_by_key(|cut| (cut.start, cut.end));
    cuts.push(phrase.len()..phrase.len());
    cuts
}

fn has_noun(text: &str) -> bool {
    tagged_words(text).iter().any(|word| matches!(word.part, Part::Noun | Part::Name | Part::Number))
}

/// Joins bare dates to the preceding entity, or else to the next one; a date without neighbours is dropped.
fn with_dates(entities: Vec<Entity>) -> Vec<Entity> {
    let mut joined: Vec<Entity> = Vec::new();
    let mut early: Option<Entity> = None;
    for mut entity in entities {
        if !is_bare_date(&entity.text) {
            if let Some(date) = early.take() {
                entity.text = format!("{}, {}", date.text.trim_end_matches('.'), entity.text);
                entity.spans.splice(0..0, date.spans);
            }
            joined.push(entity);
        } else if let Some(before) = joined.last_mut() {
            before.text = format!("{}, {}", before.text.trim_end_matches('.'), entity.text);
            before.spans.extend(entity.spans);
        } else {
            early = early.or(Some(entity));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entity_texts(text: &str) -> Vec<String> {
        let found = entities(&Note::of(text), &ClaimExtractor::Sentence).unwrap();
        found.into_iter().map(|entity| entity.text).collect()
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

    proptest! {
        #[test]
        fn spans_are_of_the_note(text in "[a-zA-Z0-9é,;.: \n#]{0,60}[a-z]") {
            let note = Note::of(&text);
            for entity in entities(&note, &ClaimExtractor::Sentence).unwrap() {
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
            for Piece { from, text: piece } in pieces(&phrase) {
                let slice: String = phrase.chars().skip(from).take(piece.chars().count()).collect();
                prop_assert_eq!(slice, piece);
            }
        }
    }
}
