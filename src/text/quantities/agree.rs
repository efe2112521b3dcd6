//! Whether a quantity of one text is implied by a quantity of another, with the rounding that is usual in prose.
//!
//! The precision as written decides: 2,938,000 implies "2.9 million", but not the reverse. Kinds decide too: a share is
//! implied by shares, money by money, a duration by durations. A plain number is implied by a number with any unit, but does
//! not imply one, unless its text names the unit elsewhere (see `elided`).

use std::ops::Range;

use super::{Amount, AmountKind, Date, Modifier, Quantity, Time, Value, Written, quantities};

/// Largest rounding of a whole number, as a share of it; and of one in millions or in another unit.
const ROUNDED: f64 = 0.2;
const ROUNDED_IN_MILLIONS: f64 = 0.1;
/// Largest rounding of a number with zeros at its end, and from which size on: without and with a unit.
const ROUND: f64 = 0.01;
const LARGE: f64 = 10_000.0;
const LARGE_WITH_UNIT: f64 = 1000.0;
/// Smallest and largest deviation, as a share, that "about" allows.
const ABOUT: [f64; 2] = [0.025, 0.1];
/// Smallest and largest deviation, as a share, that "nearly" and "more than" allow.
const BEYOND: [f64; 2] = [0.1, 0.2];
/// Maximum number of pieces that contain the same piece.
const MAX_AROUND: usize = 4;
/// Tolerance for floating-point rounding, relative.
const EPSILON: f64 = 1e-9;

/// A plain number in words up to this is often a count of items that the text lists.
const MAX_COUNTED: f64 = 12.0;

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

    /// Whether a text with `other` also states this quantity.
    pub(super) fn is_implied_by(&self, other: &Self) -> bool {
        match (self.value, other.value) {
            (Value::Amount(own), Value::Amount(others)) => amount_is_implied(&own, self.modifier, &others),
            (Value::Date(own), Value::Date(others)) => date_is_implied(&own, &others),
            (Value::Time(own), Value::Time(others)) => time_is_implied(own, others),
            (Value::Amount(amount), Value::Date(date)) => is_part_of_date(&amount, &date),
            (Value::Date(date), Value::Amount(amount)) => is_year(&date, &amount),
            (Value::Amount(amount), Value::Time(time)) => is_hour(&amount, time),
            (Value::Time(time), Value::Amount(amount)) => is_hour(&amount, time),
            (Value::Score(own), Value::Score([first, second])) => {
                own == [first, second] || own == [second, first]
            }
            (Value::Amount(Amount { kind: AmountKind::Number, number, .. }), Value::Score(sides)) => {
                sides.map(f64::from).contains(&number)
            }
            _ => false,
        }
    }
}

fn amount_is_implied(own: &Amount, modifier: Modifier, others: &Amount) -> bool {
    use AmountKind::{Duration, Label, LongDuration, Money, Number, Ordinal, Share, Temperature};
    let same_unit = own.unit == others.unit;
    let comparable = match (own.kind, others.kind) {
        (Number, Label) | (Number | Label, Share) if others.unit.is_empty() => false,
        (Number, _) | (Label | Ordinal, Number) => true,
        // "the 800th anniversary" and "800 years".
        (Ordinal, Duration | LongDuration) | (Duration, LongDuration) | (LongDuration, Duration) => true,
        (Money, Money) => same_unit || are_dollars(own.unit, others.unit),
        (Temperature, Temperature) => same_unit,
        (kind, others) => kind == others,
    };
    if !comparable {
        return false;
    }
    // A plain 2000 may be a year.
    let large = if own.unit.is_empty() { LARGE } else { LARGE_WITH_UNIT };
    if matches!(own.kind, Number | Label | Ordinal) {
        return interval(own.number, own.step, modifier, false, large).holds(others.number);
    }
    let (value, step) = (
        own.value() * seconds(own.kind, others.kind),
        own.step * own.factor * seconds(own.kind, others.kind),
    );
    let other_value = others.value() * seconds(others.kind, own.kind);
    interval(value, step, modifier, !same_unit, large * own.factor).holds(other_value)
}

/// Whether one of two currencies is "$", which is the dollar of the text's country.
fn are_dollars(one: &str, other: &str) -> bool {
    let is_any = |unit: &str| unit == "USD";
    (is_any(one) || is_any(other)) && one.ends_with('D') && other.ends_with('D')
}

/// The factor that converts a duration to seconds if the other one is in seconds.
fn seconds(kind: AmountKind, other: AmountKind) -> f64 {
    if kind == AmountKind::LongDuration && other == AmountKind::Duration {
        86_400.0 * 365.25 / 12.0
    } else {
        1.0
    }
}

/// The values that a written number may stand for.
struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    fn holds(&self, value: f64) -> bool {
        let slack = EPSILON * value.abs().max(1e-300);
        value == self.low || (self.low - slack <= value && value <= self.high + slack)
    }
}

/// `large`: the size from which zeros at the end may be due to rounding; "£11,000" is implied by £11,072.
fn interval(value: f64, step: f64, modifier: Modifier, converted: bool, large: f64) -> Interval {
    let (size, last) = (value.abs(), last_place(value, step));
    let in_millions = step > 1.0 || converted;
    let most = size * if in_millions { ROUNDED_IN_MILLIONS } else { ROUNDED };
    let rounding = (step / 2.0).min(if step < 1.0 && !converted { f64::INFINITY } else { most });
    let rounding = if size >= large { rounding.max((last / 2.0).min(size * ROUND)) } else { rounding };
    let round = (last / 2.0).max(rounding);
    let [least, far] = BEYOND.map(|share| size * share);
    let beyond = last.clamp(least, far);
    match modifier {
        Modifier::Plain => Interval { low: value - rounding, high: value + rounding },
        Modifier::About => {
            let round = round.clamp(size * ABOUT[0], size * ABOUT[1]);
            Interval { low: value - round, high: value + round }
        }
        Modifier::Below => Interval { low: value - beyond, high: value + rounding },
        Modifier::Above => Interval { low: value - rounding, high: value + beyond },
    }
}

/// The place value of the last non-zero digit: 100 for 600.
fn last_place(value: f64, step: f64) -> f64 {
    let mut place = step;
    while place < value.abs() && place.is_finite() && is_whole(value / (place * 10.0)) {
        place *= 10.0;
    }
    place
}

fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() < 1e-6 && number.abs() >= 0.5
}

fn date_is_implied(own: &Date, others: &Date) -> bool {
    let same = |one: Option<u8>, other: Option<u8>| one.zip(other).is_none_or(|(one, other)| one == other);
    let years = match (own.year, others.year) {
        // "2015" is the second year of "2014-15".
        (Some(year), Some(other)) if others.years == 2 && own.years == 1 => {
            year == other || year == other + 1
        }
        (Some(year), Some(other)) => {
            (year..year + own.years.max(1)).contains(&other) && own.years >= others.years
        }
        _ => true,
    };
    let weekday = others.weekday.or_else(|| weekday_of(others));
    let parts =
        years && same(own.month, others.month) && same(own.day, others.day) && same(own.weekday, weekday);
    let has_finest = match own {
        Date { day: Some(_), .. } => others.day.is_some() && others.month.is_some(),
        Date { month: Some(_), .. } => others.month.is_some(),
        Date { year: Some(_), .. } => others.year.is_some(),
        _ => weekday.is_some(),
    };
    parts && has_finest
}

/// The day of the week of a full date (Sakamoto's method); `None` for a day that the month does not have.
fn weekday_of(date: &Date) -> Option<u8> {
    let (year, month, day) = (date.year?, date.month?, date.day?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let index = usize::from(month).checked_sub(1).filter(|index| *index < 12)?;
    if day == 0 || day > days[index] || date.years != 1 {
        return None;
    }
    let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][index];
    let year = if month < 3 { year - 1 } else { year };
    let from_sunday = (year + year / 4 - year / 100 + year / 400 + shift + i32::from(day)).rem_euclid(7);
    Some(((from_sunday + 6) % 7) as u8)
}

fn time_is_implied(own: Time, others: Time) -> bool {
    let half_day = 12 * 3600;
    if own.half_known && others.half_known {
        own.seconds == others.seconds
    } else {
        own.seconds % half_day == others.seconds % half_day
    }
}

/// "2024" of a date, "the 3rd" of "3 May", "3" of "3 May".
fn is_part_of_date(amount: &Amount, date: &Date) -> bool {
    let is = |part: Option<f64>| part.is_some_and(|part| part == amount.number);
    let day = is(date.day.map(f64::from));
    let year = date.years == 1 && is(date.year.map(f64::from));
    let century = date.years == 100 && is(date.year.map(|year| f64::from(year / 100 + 1)));
    match amount.kind {
        AmountKind::Number => day || year || century,
        AmountKind::Ordinal => day || century,
        _ => false,
    }
}

fn is_year(date: &Date, amount: &Amount) -> bool {
    let only_year = date.month.is_none() && date.day.is_none() && date.weekday.is_none();
    let years = f64::from(date.years.max(1));
    let within =
        date.year.map(f64::from).is_some_and(|year| year <= amount.number && amount.number < year + years);
    only_year && date.years == 1 && within && amount.kind == AmountKind::Number
}

/// "4" of "4 pm".
fn is_hour(amount: &Amount, time: Time) -> bool {
    let minutes = time.seconds.is_multiple_of(3600);
    let hour = f64::from(time.seconds / 3600);
    amount.kind == AmountKind::Number && minutes && (amount.number == hour || amount.number + 12.0 == hour)
}

/// Whether one of the readings of a piece implies one of another piece, or the other way round.
pub(crate) fn agree(one: &[Quantity], other: &[Quantity]) -> bool {
    let pairs = || one.iter().flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs().any(|(one, other)| one.is_implied_by(other) || other.is_implied_by(one))
}

/// The quantities of a text, for look-ups.
#[derive(Debug, Clone, Default)]
pub struct Quantities {
    list: Vec<Quantity>,
    /// Bare numbers with units that they may have, for look-ups in this text.
    elided: Vec<Quantity>,
}

impl Quantities {
    /// Reads the quantities of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let [list, elided] = quantities(text);
        Self { list, elided }
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
        let mut all = self.list.iter().chain(&self.elided);
        all.any(|found| reading.is_implied_by(found) && year_elsewhere(found))
    }

    fn has_year(&self, year: i32) -> bool {
        let year = Date { year: Some(year), years: 1, ..Date::default() };
        self.list
            .iter()
            .any(|found| matches!(found.value, Value::Date(date) if date_is_implied(&year, &date)))
    }
}
