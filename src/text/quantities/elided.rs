//! Units that a bare number may have because the text names them elsewhere: in its sentence or the one before ("rose from 3
//! last year to 5 per cent"), before all numbers ("in EUR million", a heading, a table's header), anywhere (a currency), or nowhere (an age).
//!
//! Decides which numbers are bare: those that count nothing by the word after them. Such a unit is used in look-ups
//! only: since it may be meant, a quantity that equals it cannot be reported as missing.

use std::ops::Range;

use super::amounts::{Amounts, Found, amount_of, measured, scale_of};
use super::lists::{self, NumberWord, Unit, number_word, units};
use super::numerals::Sort;
use super::quantity::{Amount, AmountKind, Quantity, Value};
use super::tokens::Token;
use crate::text::coreference::is_function_word;

/// Maximum number of different units that a number may have from one sentence, and from headings.
const MAX_UNITS: usize = 16;
/// Maximum number of words between a number and its unit: "10 business days".
const MAX_BETWEEN: usize = 2;
/// An age in years, which is often written as a bare number: "Smith, 24, said", "She is eleven."
const AGE: Amount =
    Amount { kind: AmountKind::Age, unit: "year", number: 1.0, step: 1.0, factor: MONTHS_OF_A_YEAR };
const MONTHS_OF_A_YEAR: f64 = 12.0;

impl Amounts<'_, '_> {
    /// Notes the unit at a token that is not a number's: "EUR million", "millions of euros", "%", "(thousands)".
    pub(super) fn name_unit(&mut self, place: usize) {
        if !lists::begins_unit(&self.tokens[place].lower) {
            return;
        }
        let scale = |at: usize| {
            let word = &*self.tokens.get(at)?.lower;
            match number_word(word.strip_suffix('s').unwrap_or(word))? {
                (NumberWord::Scale | NumberWord::ShortScale, scale) if scale >= 1000.0 => Some(scale),
                _ => None,
            }
        };
        let is_of = |at: usize| self.tokens.get(at).is_some_and(|token| token.is("of"));
        let before = scale(place);
        let unit_at = place + before.map_or(0, |_| 1 + usize::from(is_of(place + 1)));
        let named = self.named_unit(unit_at);
        let end = named.map_or(unit_at, |(_, end)| end);
        let is_in = self.tokens.get(end).is_some_and(|token| token.is("in"));
        let number = before.or_else(|| scale(end + usize::from(is_in))).unwrap_or(1.0);
        let plain = Amount { kind: AmountKind::Number, unit: "", number, step: 1.0, factor: 1.0 };
        if named.is_some() || before.is_some() {
            self.named.push((place, named.map_or(plain, |(unit, _)| Amount { number, ..unit })));
        }
    }

    /// The unit or currency at a token, and the token after it.
    fn named_unit(&self, place: usize) -> Option<(Amount, usize)> {
        let token = self.tokens.get(place).filter(|token| !token.is_digits())?;
        let one = |kind, unit, factor| Amount { kind, unit, number: 1.0, step: 1.0, factor };
        if let Some(currency) = lists::currency(&token.lower) {
            return Some((one(AmountKind::Money, currency, 1.0), place + 1));
        }
        let (units, end) = self.unit_in(place, |_, _| true)?;
        Some((one(units[0].kind, units[0].name, units[0].factor), end))
    }

    /// The bare numbers of a text with the units that they may have; `sentences` are its byte ranges.
    pub(super) fn elided(&self, text: &str, sentences: &[Range<usize>]) -> Vec<Quantity> {
        let sentence_of = |place: usize| {
            let start = self.tokens[place].start;
            sentences.partition_point(|sentence| sentence.end <= start).min(sentences.len() - 1)
        };
        let mut of_text = Units::default();
        let mut of_sentences = vec![Units::default(); sentences.len()];
        for (place, unit) in &self.named {
            let sentence = sentence_of(*place);
            if self.is_for_all(*place) || is_heading(&text[sentences[sentence].clone()]) {
                of_text.add(*unit);
            }
            of_sentences[sentence].add(*unit);
        }
        for found in &self.found {
            let units = found.readings.iter().filter_map(amount_of).filter(|own| !own.unit.is_empty());
            for unit in units {
                of_sentences[sentence_of(found.start)]
                    .add(Amount { number: scale_of(&found.numeral), ..unit });
                // A text names its currency once.
                if unit.kind == AmountKind::Money {
                    of_text.add(Amount { number: 1.0, ..unit });
                }
            }
        }
        of_text.add(AGE);
        let of_found = |found: &Found| {
            let sentence = sentence_of(found.start);
            let near = of_sentences[sentence.saturating_sub(1)..=sentence].iter().chain([&of_text]);
            self.units_of(found, near.flat_map(|units| &units.0).copied())
        };
        self.found.iter().flat_map(of_found).collect()
    }

    /// A number with the units that it may have: its own if that stands apart, and `units` if it is open.
    fn units_of(&self, found: &Found, units: impl Iterator<Item = Amount>) -> Vec<Quantity> {
        let numeral = found.numeral;
        let scaled = |unit: Amount| {
            let scales = [1.0, if numeral.scaled { 1.0 } else { unit.number }];
            scales.map(|scale| Amount { number: numeral.number * scale, step: numeral.step * scale, ..unit })
        };
        let is_open = self.is_open(found);
        let amounts = self.unit_apart(found).into_iter().chain(units.filter(|_| is_open).flat_map(scaled));
        let span = self.tokens[found.start].start..self.tokens[found.end - 1].end();
        let quantity =
            |amount: Amount| Quantity::plain(span.clone(), Value::Amount(amount), numeral.written, false);
        amounts.map(quantity).collect()
    }

    /// Whether a unit is meant for numbers after it: "in EUR million", "(%)".
    fn is_for_all(&self, place: usize) -> bool {
        let before = place.checked_sub(1).map(|before| &*self.tokens[before].lower);
        matches!(before, Some("in" | "(" | "["))
    }

    /// Whether a number is bare, counts nothing, and is not a section number, as in "5.2 The Supplier".
    fn is_open(&self, found: &Found) -> bool {
        let is_capitalised = |next: &Token<'_>| next.is_capitalised() && !next.opens_line;
        let is_section = found.opens && self.tokens.get(found.end).is_some_and(is_capitalised);
        let is_number = found.is_bare() && found.readings.iter().any(|value| amount_of(value).is_some());
        is_number && found.numeral.certain && !is_section && !self.counts(found)
    }

    /// Whether the word after a number, or after a hyphen there, says what it counts: "5 people".
    fn counts(&self, found: &Found) -> bool {
        let is_aged = |before: usize| self.tokens[before].is("aged");
        let dash = self.tokens.get(found.end).is_some_and(|token| token.is_dash() && token.glued);
        let next = self.tokens.get(found.end + usize::from(dash)).filter(|next| !next.opens_line);
        let is_other = |word: &Token<'_>| word.is_capitalised() || word.lower.ends_with("ly");
        next.is_some_and(|next| next.is_word() && !is_other(next) && !is_function_word(&next.lower))
            && !found.start.checked_sub(1).is_some_and(is_aged)
    }

    /// The unit after other words, of one letter after a space, or of an ordinal: "10 business days", "5 m", "the 87th minute".
    fn unit_apart(&self, found: &Found) -> Vec<Amount> {
        let is_ordinal = found.numeral.sort == Sort::Ordinal;
        if !(found.is_bare() || is_ordinal) {
            return Vec::new();
        }
        let joins = |token: &&Token<'_>| token.is_word() && !is_function_word(&token.lower);
        let most = if is_ordinal { 0 } else { MAX_BETWEEN };
        let between = self.tokens[found.end..].iter().take(most).take_while(joins).count();
        let unit = (0..=between).find_map(|between| Some(self.unit(found.end + between)?.0));
        let letter = self.tokens.get(found.end).filter(|token| token.text.len() == 1);
        let units = unit.as_deref().unwrap_or_else(|| letter.map_or(&[], |letter| units(&letter.lower)));
        let is_time = |unit: &&Unit| matches!(unit.kind, AmountKind::Duration | AmountKind::LongDuration);
        let units = units.iter().filter(|unit| !is_ordinal || is_time(unit));
        units.filter_map(|unit| amount_of(&measured(unit, found.numeral))).collect()
    }
}

/// Different units, each with a scale as its number.
#[derive(Debug, Clone, Default)]
struct Units(Vec<Amount>);

impl Units {
    fn add(&mut self, unit: Amount) {
        let same = |other: &Amount| {
            other.unit == unit.unit && other.factor == unit.factor && other.number == unit.number
        };
        if self.0.len() < MAX_UNITS && !self.0.iter().any(same) {
            self.0.push(unit);
        }
    }
}

/// Whether a sentence is a heading, a label or a table's row: no stop ends it.
fn is_heading(sentence: &str) -> bool {
    let end = sentence.trim_end_matches(['"', '\'', '”', '’', ')', ']', '*', '_']);
    !end.ends_with(['.', '!', '?', '…'])
}
