//! Quantities of an English text: numbers, money, shares, measures, durations, ordinals, dates and times of day, as values
//! with units and the precision in which they are written.
//!
//! Decides which value a piece of text has, and whether another text implies it, with the rounding that is usual in prose.
//! An ambiguous piece ("5m", "03/05/2024", "1974", "pounds") keeps all its readings, with the same span. What is counted
//! is ignored ("21 people" and "21 houses" are 21), today's date is unknown ("last Friday"), and money is not converted.
//!
//! `tokens` -> `labels`, `numerals` (digits and number words) -> `amounts` (units, ranges, modifiers) with `pairs` and
//! `elided`, `dates`, `times`; `agree` compares values, `kinds` what is measured. The word lists are the .tsv files.

mod agree;
mod amounts;
mod dates;
mod elided;
mod kinds;
mod labels;
mod lists;
mod numerals;
mod pairs;
#[cfg(test)]
mod tests;
mod times;
mod tokens;

use std::ops::Range;

use crate::text::sentences::byte_ranges;
use crate::text::token::TokenKind;

pub use self::agree::Quantities;
pub(crate) use self::agree::agree;
pub(crate) use self::labels::is_part_of_text;

/// One reading of a quantity in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Its byte range in the text, with unit and currency, without modifier.
    pub span: Range<usize>,
    /// Its value.
    pub value: Value,
    /// The modifier before or after it, such as "about".
    pub modifier: Modifier,
    /// Which end of a range it is, if any.
    pub range: Option<RangeEnd>,
    /// Whether it is in digits or in words.
    pub written: Written,
    /// Whether it is certainly a quantity; "one", "an hour" and "second" often are not.
    pub certain: bool,
}

/// The value of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number, with or without a unit.
    Amount(Amount),
    /// A date, or a part of one.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// Two numbers that count for two sides: "3-0". Equal in either order, since either side may be named first.
    Score([u16; 2]),
}

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// The measured kind.
    pub kind: AmountKind,
    /// The unit's name in `units.tsv`; empty for plain numbers.
    pub unit: &'static str,
    /// The number, multiplied by a scale such as "million".
    pub number: f64,
    /// The unit of the last place as written: 0.1 in "2.4", 100,000 in "2.4 million".
    pub step: f64,
    /// The size of the unit in the basic unit of its kind, in which amounts of one kind are compared.
    pub factor: f64,
}

impl Amount {
    /// The amount in the basic unit of its kind.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.number * self.factor
    }
}

/// The kind of an amount. Amounts of different kinds are never equal, except that a claim's plain number is in an
/// amount of any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AmountKind {
    /// A count, or a plain number.
    Number,
    /// "3rd", "twenty-first".
    Ordinal,
    /// The number of a clause, a page or a list item.
    Label,
    /// A share of a whole: "9%", "a third", "one in five".
    Share,
    /// An amount of a currency; different units are never equal.
    Money,
    /// Seconds to weeks.
    Duration,
    /// Months to centuries.
    LongDuration,
    /// The same as the age of somebody or something; "24-year-old" is both.
    Age,
    /// Metres, feet.
    Length,
    /// Square metres, acres.
    Area,
    /// Litres, gallons.
    Volume,
    /// Kilograms, pounds.
    Mass,
    /// Miles per hour.
    Speed,
    /// Degrees; different units are never equal.
    Temperature,
    /// Watts.
    Power,
    /// Bytes.
    Data,
}

/// A date, as far as it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Date {
    /// The year; the first one of a decade or century.
    pub year: Option<i32>,
    /// The number of years: 1, 2 ("1904-05"), 10 ("1970s") or 100 ("19th century").
    pub years: i32,
    /// The month, 1..=12.
    pub month: Option<u8>,
    /// The day of the month, 1..=31.
    pub day: Option<u8>,
    /// The day of the week; 0 is Monday.
    pub weekday: Option<u8>,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Seconds since midnight.
    pub seconds: u32,
    /// Whether it is known to be in the morning or the afternoon; "4:30" may be either.
    pub half_known: bool,
}

/// A modifier of a quantity's precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Modifier {
    /// None.
    #[default]
    Plain,
    /// "about", "around", "some".
    About,
    /// "nearly", "almost", "less than", "up to".
    Below,
    /// "more than", "over", "at least".
    Above,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// "5" in "5 to 10".
    From,
    /// "10" in "5 to 10".
    To,
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// In digits.
    Digits,
    /// In words.
    Words,
}

/// Whether a word after a number is a unit: "kg", "min".
pub(crate) fn is_unit(word: &str) -> bool {
    !lists::units(word).is_empty()
}

/// Finds the quantities of a text, in order of their starts; the readings of one piece follow each other. The second list has
/// units that bare numbers may have from elsewhere.
fn quantities(text: &str) -> [Vec<Quantity>; 2] {
    let tokens = tokens::tokens(text);
    let sentences = byte_ranges(text);
    let mut found = Vec::new();
    let mut place = 0;
    let mut amounts = amounts::Amounts::new(&tokens);
    let mut starts = sentences.iter().map(|sentence| sentence.start).peekable();
    let mut opens = false;
    while place < tokens.len() {
        opens |= starts.next_if(|start| *start <= tokens[place].start).is_some();
        if let Some(end) = labels::read(&amounts, place, opens, &mut found) {
            place = end;
            continue;
        }
        let opening = opens;
        opens &= tokens[place].kind == TokenKind::Mark;
        let dated = dates::read(&tokens, place, &mut found);
        let timed = times::read(&tokens, place, &mut found);
        if let Some(end) = dated.max(timed) {
            place = end;
            continue;
        }
        place = amounts.read(place, opening).unwrap_or_else(|| {
            amounts.name_unit(place);
            place + 1
        });
    }
    found.extend(amounts.finish());
    found.sort_by_key(|quantity| (quantity.span.start, quantity.span.end));
    [found, amounts.elided(text, &sentences)]
}
