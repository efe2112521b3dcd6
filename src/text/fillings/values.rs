//! Other quantities and dates: for each certain one of the claim, those of the evidence that measure the same thing and
//! have another value, as written in the evidence.
//!
//! Refuses ends of ranges, values that rounding makes equal, and values that the claim has too. Two plain numbers count
//! the same thing if one of the next words is the same, or if no word says what one of them counts.

use std::ops::Range;

use super::filling::{Change, Filling, MAX_PER_PART, Presence};
use super::reading::Reading;
use crate::text::quantities::{Quantity, Value, agree, fitted};
use crate::text::wording::Wording;
use crate::text::words::WordKind;

/// Maximum number of words after a number that may say what it counts: "40 trapped miners".
const LONGEST_COUNTED: usize = 3;

pub(super) fn fillings(reading: &Reading<'_>) -> Vec<Filling> {
    let claim = &reading.claim;
    let mut found = Vec::new();
    let mut last_end = 0;
    for (span, own) in claim.quantities.pieces() {
        // A piece inside another one, such as "one" in "one in five", is a part of its value.
        if is_usable(own) && span.start >= last_end {
            last_end = span.end;
            found.extend(of_piece(reading, &span, own));
        }
    }
    found
}

/// Whether a piece is certainly a quantity.
fn is_usable(readings: &[Quantity]) -> bool {
    readings[0].certain && readings.iter().all(|reading| reading.range.is_none())
}

/// The fillings of one quantity of the claim.
fn of_piece(reading: &Reading<'_>, span: &Range<usize>, own: &[Quantity]) -> Vec<Filling> {
    let claim = &reading.claim;
    let presence = presence(reading, own);
    let mut found: Vec<Filling> = Vec::new();
    let mut seen: Vec<&[Quantity]> = vec![own];
    for sentence in &reading.sentences {
        for (place, others) in sentence.wording.quantities.pieces() {
            let counts_same = || {
                let (own, other) = (counted(claim, span), counted(&sentence.wording, &place));
                own.is_empty() || other.is_empty() || own.iter().any(|word| other.contains(word))
            };
            let is_same_kind =
                || own.iter().any(|own| others.iter().any(|other| own.is_same_kind(other, &counts_same)));
            let is_new = is_usable(others)
                && !claim.quantities.contains(others)
                && !seen.iter().any(|seen| agree(seen, others));
            if is_new && is_same_kind() && found.len() < MAX_PER_PART {
                seen.push(others);
                let is_date = others.iter().any(|reading| matches!(reading.value, Value::Date(_)));
                let text = fitted(&claim.text[span.clone()], &sentence.wording.text[place.clone()], is_date);
                let source = sentence.span.start + place.start..sentence.span.start + place.end;
                found.push(reading.filling(change_of(own), presence, span.clone(), text, source));
            }
        }
    }
    found
}

fn presence(reading: &Reading<'_>, own: &[Quantity]) -> Presence {
    let place = reading.sentences.iter().position(|sentence| sentence.wording.quantities.contains(own));
    match place {
        None => Presence::Nowhere,
        Some(0) => Presence::Sentence,
        Some(_) => Presence::Elsewhere,
    }
}

fn change_of(readings: &[Quantity]) -> Change {
    let is_date = readings.iter().any(|reading| matches!(reading.value, Value::Date(_) | Value::Time(_)));
    if is_date { Change::Date } else { Change::Quantity }
}

/// The content words right after a number, one of which names what it counts.
fn counted<'w>(text: &'w Wording<'_>, span: &Range<usize>) -> Vec<&'w str> {
    let mut end = span.end;
    let mut found = Vec::new();
    for word in text.words.iter().filter(|word| word.start >= span.end) {
        let is_near = text.text[end..word.start].trim_matches([' ', '-']).is_empty();
        if !is_near || word.kind != WordKind::Content || found.len() == LONGEST_COUNTED {
            break;
        }
        found.push(word.form.as_str());
        end = word.start + word.text.len();
    }
    found
}
