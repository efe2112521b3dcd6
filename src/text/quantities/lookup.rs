//! Looks up the quantities of one text in another: which of them the other text implies, and which it lacks.

use std::ops::Range;

use super::agree::date_is_implied;
use super::quantity::{Amount, AmountKind, Date, Quantity, Value, Written};
use super::reading::{Read, quantities};
use crate::text::{Poll, go_on};

/// Maximum number of pieces that contain the same piece.
const MAX_AROUND: usize = 4;
/// A plain number in words up to this is often a count of items that the text lists.
const MAX_COUNTED: f64 = 12.0;

/// The quantities of a text, for look-ups.
#[derive(Debug, Clone, Default)]
pub struct Quantities {
    list: Vec<Quantity>,
    /// Readings for look-ups in this text: bare numbers with units that they may have, and dates that a layout shortens.
    looked_up: Vec<Quantity>,
    /// Numbers that stand alone as values and may have any unit.
    values: Vec<Quantity>,
}

impl Quantities {
    /// Reads the quantities of a short text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let Ok(read) = Self::read(text, &go_on);
        read
    }

    /// Reads the quantities of a text.
    ///
    /// # Errors
    /// That of `poll`.
    pub fn read<E>(text: &str, poll: &Poll<'_, E>) -> Result<Self, E> {
        let Read { list, looked_up, values } = quantities(text, poll)?;
        Ok(Self { list, looked_up, values })
    }

    /// The readings of each piece of the text, in order.
    pub fn pieces(&self) -> impl Iterator<Item = (Range<usize>, &[Quantity])> {
        let same_piece = |one: &Quantity, other: &Quantity| one.span == other.span;
        self.list.chunk_by(same_piece).map(|readings| (readings[0].span.clone(), readings))
    }

    /// The pieces of this text, each with whether `document` has it. A part of a piece that is found is found too: "one" and
    /// "five" of "one in five", which "20%" implies.
    #[must_use]
    pub fn found_in<'q>(&'q self, document: &Self) -> Vec<(Range<usize>, &'q [Quantity], bool)> {
        let pieces = self.pieces().map(|(span, readings)| (span, readings, document.contains(readings)));
        let mut pieces: Vec<_> = pieces.collect();
        let wholes: Vec<Range<usize>> =
            pieces.iter().filter(|(.., found)| *found).map(|piece| piece.0.clone()).collect();
        for (span, _, found) in &mut pieces {
            let within = |whole: &Range<usize>| whole.start <= span.start && span.end <= whole.end;
            // The wholes are sorted by start, and few contain one piece.
            let near = wholes.partition_point(|whole| whole.start <= span.start);
            *found |= wholes[near.saturating_sub(MAX_AROUND)..near].iter().any(within);
        }
        pieces
    }

    /// The pieces of this text that `document` lacks. Uncertain readings and small numbers in words, which often count items
    /// that the text lists, are left out.
    pub fn missing_from<'q>(
        &'q self,
        document: &Self,
    ) -> impl Iterator<Item = (Range<usize>, &'q [Quantity])> {
        let pieces = self.found_in(document).into_iter();
        let missing = pieces.filter(|(_, readings, found)| !found && Quantity::is_checkable(readings));
        missing.map(|(span, readings, _)| (span, readings))
    }

    /// Whether this text implies one of the readings.
    #[must_use]
    pub fn contains(&self, readings: &[Quantity]) -> bool {
        readings.iter().any(|reading| self.contains_reading(reading))
    }

    fn contains_reading(&self, reading: &Quantity) -> bool {
        let year_elsewhere = |found: &Quantity| match (reading.value, found.value) {
            // "3 May" implies "3 May 2024" if the text has 2024 too.
            (Value::Date(own), Value::Date(Date { year: None, .. })) if own.month.is_some() => {
                own.year.is_none_or(|year| self.has_year(year))
            }
            _ => true,
        };
        if let Value::Date(Date { year: Some(year), years: 2, .. }) = reading.value {
            return self.has_year(year) && self.has_year(year + 1);
        }
        let mut all = self.list.iter().chain(&self.looked_up);
        all.any(|found| reading.is_implied_by(found) && year_elsewhere(found)) || self.has_value(reading)
    }

    /// Whether a number that stands alone as a value may be this amount.
    fn has_value(&self, reading: &Quantity) -> bool {
        let Value::Amount(own) = reading.value else { return false };
        if matches!(own.kind, AmountKind::Label | AmountKind::Ordinal) {
            return false;
        }
        let plain = Amount { kind: AmountKind::Number, unit: "", factor: 1.0, ..own };
        let plain = Quantity { value: Value::Amount(plain), ..reading.clone() };
        self.values.iter().any(|value| plain.is_implied_by(value))
    }

    fn has_year(&self, year: i32) -> bool {
        let year = Date { year: Some(year), years: 1, ..Date::default() };
        self.list
            .iter()
            .any(|found| matches!(found.value, Value::Date(date) if date_is_implied(&year, &date)))
    }
}

impl Quantity {
    /// Whether a text that has none of these readings can be said to lack the quantity. Uncertain readings and small numbers
    /// in words, which often count items that the text lists, do not qualify.
    fn is_checkable(readings: &[Self]) -> bool {
        let counts = |quantity: &Self| match quantity.value {
            Value::Amount(Amount { kind: AmountKind::Number | AmountKind::Ordinal, number, .. }) => {
                quantity.written == Written::Words && number <= MAX_COUNTED
            }
            _ => false,
        };
        readings.iter().all(|reading| reading.certain && !counts(reading))
    }
}
