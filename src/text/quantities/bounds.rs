//! Bounds and roundings of a claim that hold for a value of its document: "more than a thousand" for 1,204. A claim with
//! the value in their place says more, so a document that supports it supports the claim.
//!
//! Decides which value that is: the only one of its kind for which the bound holds. Refuses claims with a negation, of
//! which the value may say less, bounds on what may be ("up to", "within"), years, and values that are bounds themselves.

use std::ops::Range;

use super::lists::{modifier_after, modifier_before};
use super::lookup::Quantities;
use super::quantity::{Modifier, Quantity, Value};
use crate::text::words::{has_negation, words};

/// Maximum number of words of a modifier.
const LONGEST: usize = 4;

/// A bound or rounding of a claim, and the value of the document that it holds for.
pub(super) struct Met<'q> {
    /// The quantity of the claim with its modifier.
    pub(super) place: Range<usize>,
    pub(super) value: &'q Quantity,
}

/// The value of a document for which a quantity of a claim holds.
pub(super) fn met<'q>(
    claim: &str,
    place: &Range<usize>,
    readings: &[&Quantity],
    document: &'q Quantities,
) -> Option<Met<'q>> {
    let is_met = |value: &&Quantity| readings.iter().any(|own| holds_for(own, value));
    let is_year = |values: &[Quantity]| values.iter().any(|value| matches!(value.value, Value::Date(_)));
    let values = document.pieces().filter(|(_, values)| !is_year(values));
    let mut values = values.filter_map(|(_, values)| values.iter().find(is_met));
    let value = values.next()?;
    let is_only = values.all(|other| other.value == value.value) && !has_negation(&words(claim));
    let place = with_modifier(claim, place).filter(|_| is_only)?;
    Some(Met { place, value })
}

/// Whether a bound or rounding holds for a value that is stated as such.
fn holds_for(own: &Quantity, value: &Quantity) -> bool {
    let is_stated = value.certain && value.modifier == Modifier::Plain && value.range.is_none();
    own.modifier != Modifier::Plain
        && is_stated
        && own.is_same_kind(value, &|| true)
        && own.is_implied_by(value)
}

/// A quantity of the claim with the words that modify it.
fn with_modifier(claim: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let (before, after) = (claim[..place.start].to_lowercase(), claim[place.end..].to_lowercase());
    if before.len() != place.start {
        return None;
    }
    let word_starts = before.char_indices().filter(|(at, letter)| {
        !letter.is_whitespace() && before[..*at].chars().next_back().is_none_or(char::is_whitespace)
    });
    let mut starts: Vec<usize> = word_starts.map(|(at, _)| at).collect();
    starts.drain(..starts.len().saturating_sub(LONGEST));
    let is_fact =
        |phrase: &str| !matches!(phrase, "up to" | "within" | "beyond" | "a maximum of" | "a minimum of");
    let modifies = |start: &usize| modifier_before(before[*start..].trim_end()).is_some();
    if let Some(start) = starts.into_iter().find(modifies) {
        return is_fact(before[start..].trim_end()).then_some(start..place.end);
    }
    let phrase = after.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let phrase = phrase.trim_end_matches(|letter: char| letter.is_ascii_punctuation());
    let is_next = modifier_after(phrase).is_some() && after.starts_with(&format!(" {phrase}"));
    is_next.then(|| place.start..place.end + 1 + phrase.len())
}
