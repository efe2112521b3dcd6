//! A quantity as the text has it: its value, how precisely it is written, and its place.

use std::ops::Range;

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

impl Quantity {
    /// A quantity without a modifier that is no end of a range.
    pub(super) fn plain(span: Range<usize>, value: Value, written: Written, certain: bool) -> Self {
        Self { span, value, modifier: Modifier::Plain, range: None, written, certain }
    }
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
    /// "nearly", "almost", "just under".
    Nearly,
    /// "just over".
    JustOver,
    /// "less than", "up to".
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
