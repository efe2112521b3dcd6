//! Other names: for each name of the claim, the names of the evidence that may replace it; and the claim with two of
//! its names exchanged.
//!
//! A name may replace another if the kinds of their entities, as far as the rules of coreference know them, are the
//! same. Refuses other names of the same entity, names that share a word, an alias or an acronym with a name of the
//! claim, and the exchange of two members of a list.

use std::ops::Range;

use super::filling::{Change, Filling, MAX_PER_PART, Presence};
use super::reading::{Reading, Sentence};
use crate::text::coreference::{EntityName, Kind, entity_names};
use crate::text::names::{Name, Names};
use crate::text::word_list::WordList;

pub(super) fn fillings(reading: &Reading<'_>) -> Vec<Filling> {
    let (claim, evidence) = names_of_both(reading);
    let mut found = Vec::new();
    for own in &claim {
        found.extend(of_name(reading, own, &claim, &evidence));
    }
    found.extend(exchanges(reading, &claim, &evidence));
    found
}

/// The names of the claim and of the evidence, read as one text so that a name of the claim has the entity of its other
/// forms in the evidence.
fn names_of_both(reading: &Reading<'_>) -> (Vec<EntityName>, Vec<EntityName>) {
    let (evidence, claim) = (reading.evidence, reading.claim.text);
    let text = [evidence, "\n", claim].concat();
    let start = evidence.len() + 1;
    let mut sentences: Vec<Range<usize>> =
        reading.sentences.iter().map(|sentence| sentence.span.clone()).collect();
    sentences.sort_by_key(|span| span.start);
    sentences.push(start..text.len());
    let names = entity_names(&text, &sentences);
    let (evidence, mut claim): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.span.start < start);
    for name in &mut claim {
        name.span = name.span.start - start..name.span.end - start;
    }
    (claim, evidence)
}

/// The fillings of one name of the claim.
fn of_name(
    reading: &Reading<'_>,
    own: &EntityName,
    claim: &[EntityName],
    evidence: &[EntityName],
) -> Vec<Filling> {
    let presence = presence(reading, own, evidence);
    let mut found: Vec<Filling> = Vec::new();
    let mut seen = Vec::new();
    for sentence in &reading.sentences {
        for other in evidence.iter().filter(|name| sentence.holds(&name.span)) {
            let text = &reading.evidence[other.span.clone()];
            let is_new = found.len() < MAX_PER_PART
                && !seen.contains(&other.entity)
                && may_replace(own.kind, other.kind)
                && !is_doubtful(other, text, sentence.span.start)
                && !claim.iter().any(|name| {
                    name.entity == other.entity || are_alike(&reading.claim.text[name.span.clone()], text)
                });
            if is_new {
                seen.push(other.entity);
                found.push(reading.filling(
                    Change::Name,
                    presence,
                    own.span.clone(),
                    text.to_owned(),
                    other.span.clone(),
                ));
            }
        }
    }
    found
}

/// Whether a name of kind `other` may replace one of kind `own`: everything that is known of `own` must be known of
/// `other`.
fn may_replace(own: Kind, other: Kind) -> bool {
    own == other || own == Kind::Unknown
}

/// Whether a name may be an everyday word that opens its sentence.
fn is_doubtful(name: &EntityName, text: &str, sentence: usize) -> bool {
    name.kind == Kind::Unknown && name.span.start == sentence && !text.contains(char::is_whitespace)
}

/// Whether two names share a word in some form.
fn are_alike(one: &str, other: &str) -> bool {
    let shares = |one: &str, other: &str| {
        let (name, known) = (Name::whole(one), Names::of(other));
        (0..name.words.len()).any(|index| known.has(one, &name, index))
    };
    shares(one, other) || shares(other, one)
}

fn presence(reading: &Reading<'_>, own: &EntityName, evidence: &[EntityName]) -> Presence {
    let text = &reading.claim.text[own.span.clone()];
    let name = Name::whole(text);
    let has = |sentence: &Sentence<'_>| {
        let has_name =
            || evidence.iter().any(|other| other.entity == own.entity && sentence.holds(&other.span));
        let known = Names::of(sentence.wording.text);
        has_name() || (0..name.words.len()).any(|index| known.has(text, &name, index))
    };
    match reading.sentences.iter().position(has) {
        None => Presence::Nowhere,
        Some(0) => Presence::Sentence,
        Some(_) => Presence::Elsewhere,
    }
}

/// The claim with two names exchanged, for names of one kind that occur in the same sentence of the evidence.
fn exchanges(reading: &Reading<'_>, claim: &[EntityName], evidence: &[EntityName]) -> Vec<Filling> {
    let text = reading.claim.text;
    let mut found = Vec::new();
    for (index, first) in claim.iter().enumerate() {
        for second in &claim[index + 1..] {
            let [one, other] = [first, second].map(|name| &text[name.span.clone()]);
            let between = &text[first.span.end..second.span.start];
            let is_pair = first.entity != second.entity
                && first.kind == second.kind
                && !are_alike(one, other)
                && !is_list(text, first.span.end..second.span.start, claim);
            let holds = |sentence: &&Sentence<'_>| {
                let has = |entity: usize| {
                    evidence.iter().any(|name| name.entity == entity && sentence.holds(&name.span))
                };
                has(first.entity) && has(second.entity)
            };
            if let Some(sentence) = reading.sentences.iter().find(holds).filter(|_| is_pair) {
                let exchanged = [other, between, one].concat();
                let span = first.span.start..second.span.end;
                found.push(reading.filling(
                    Change::Roles,
                    Presence::Sentence,
                    span,
                    exchanged,
                    sentence.span.clone(),
                ));
            }
        }
    }
    found.truncate(MAX_PER_PART);
    found
}

/// Whether the text between two names joins them as members of a list, as a whole and its part, or as two sides that do the
/// same.
fn is_list(text: &str, between: Range<usize>, names: &[EntityName]) -> bool {
    let mut rest = String::new();
    let mut from = between.start;
    let inside = names.iter().filter(|name| between.start <= name.span.start && name.span.end <= between.end);
    for name in inside {
        rest += &text[from..name.span.start];
        from = name.span.end;
    }
    rest += &text[from..between.end];
    let owns = rest.starts_with("'s") || rest.starts_with('’');
    let mut joined = rest.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    owns || joined.all(|word| JOINING.contains(word))
}

/// Words between two names that join them symmetrically, or as a whole and its part.
static JOINING: WordList = WordList::new("and or v vs versus in of the with against from at by");
