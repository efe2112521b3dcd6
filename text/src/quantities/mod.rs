//! Quantities of an English text: numbers, money, shares, measures, lengths of time, ordinals, dates and times of day,
//! as values with units, with the precision that they are written in.
//!
//! Decides what number a piece of text says and whether another text says it too, with rounding as people do. Where a
//! piece can be read in two ways ("5m", "03/05/2024", "1974", "pounds") both readings are kept, with the same span.
//! Refuses to know what is counted ("21 people" and "21 houses" are 21), to know today's date ("last Friday") and to
//! convert money.
//!
//! `tokens` -> `numerals` (digits and number words) -> `amounts` (units, ranges, modifiers), `dates`, `times`; `agree`
//! compares. Word lists are the .tsv files.

mod agree;
mod amounts;
mod dates;
mod lists;
mod numerals;
#[cfg(test)]
mod tests;
mod times;
mod tokens;

use std::ops::Range;

pub use self::agree::Quantities;

/// A quantity of a text, in one reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Its bytes in the text, unit and currency included, modifier not.
    pub span: Range<usize>,
    /// What it says.
    pub value: Value,
    /// What is said of how exact it is.
    pub modifier: Modifier,
    /// Which end of a range it is, if it is one.
    pub range: Option<RangeEnd>,
    /// How it is written.
    pub written: Written,
    /// Whether it is a quantity beyond doubt; "one", "an hour" and "second" often are none.
    pub certain: bool,
}

/// What a quantity says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number, with or without a unit.
    Amount(Amount),
    /// A date, or a part of one.
    Date(Date),
    /// A time of day.
    Time(Time),
}

/// A number of something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// What sort of thing is measured.
    pub kind: AmountKind,
    /// The unit's name as `units.tsv` has it; empty for plain numbers.
    pub unit: &'static str,
    /// The number, "million" applied.
    pub number: f64,
    /// The unit of the last place as written: 0.1 in "2.4", 100,000 in "2.4 million".
    pub step: f64,
    /// What a unit is in the kind's basic unit, by which amounts of one kind are compared.
    pub factor: f64,
}

impl Amount {
    /// The amount in the basic unit of its kind.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.number * self.factor
    }
}

/// What sort of thing an amount measures. Amounts of two kinds are different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AmountKind {
    /// A count of something, or a number by itself.
    Number,
    /// "3rd", "twenty-first".
    Ordinal,
    /// A share of a whole: "9%", "a third", "one in five".
    Share,
    /// An amount of a currency; each unit is a kind by itself.
    Money,
    /// Seconds to weeks.
    Duration,
    /// Months to centuries.
    LongDuration,
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
    /// Degrees; each unit is a kind by itself.
    Temperature,
    /// Watts.
    Power,
    /// Bytes.
    Data,
}

/// A date as far as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Date {
    /// The year; of a decade or a century its first.
    pub year: Option<i32>,
    /// How many years it means: 1, 10 ("1970s") or 100 ("19th century").
    pub years: i32,
    /// 1..=12.
    pub month: Option<u8>,
    /// 1..=31.
    pub day: Option<u8>,
    /// 0 is Monday.
    pub weekday: Option<u8>,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Seconds since midnight.
    pub seconds: u32,
    /// Whether morning or afternoon is told; else "4:30" may be either.
    pub half_known: bool,
}

/// What is said of how exact a quantity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Modifier {
    /// Nothing.
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

/// The quantities of a text, in order of their starts; readings of one piece follow each other.
#[must_use]
pub fn quantities(text: &str) -> Vec<Quantity> {
    let tokens = tokens::tokens(text);
    let mut found = Vec::new();
    let mut place = 0;
    let mut amounts = amounts::Amounts::new(&tokens);
    while place < tokens.len() {
        let dated = dates::read(&tokens, place, &mut found);
        let timed = times::read(&tokens, place, &mut found);
        if let Some(end) = dated.max(timed) {
            place = end;
            continue;
        }
        place = amounts.read(place).unwrap_or(place + 1);
    }
    found.extend(amounts.finish());
    found.sort_by_key(|quantity| (quantity.span.start, quantity.span.end));
    found
}
