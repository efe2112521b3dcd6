//! Whether a quantity of one text is implied by a quantity of another, with the rounding that is usual in prose.
//!
//! The precision as written decides: 2,938,000 implies "2.9 million", but not the reverse. Kinds decide too: a share is
//! implied by shares, money by money, a duration by durations. A plain number is implied by a number with any unit, but does
//! not imply one, unless its text names the unit elsewhere (see `elided`).

use super::quantity::{Amount, AmountKind, Date, Modifier, Quantity, Time, Value};

/// Largest rounding of a whole number, as a share of it; and of one in millions or in another unit.
const ROUNDED: f64 = 0.2;
const ROUNDED_IN_MILLIONS: f64 = 0.1;
/// Largest rounding of a number with zeros at its end, and from which size on: without and with a unit.
const ROUND: f64 = 0.01;
const LARGE: f64 = 10_000.0;
const LARGE_WITH_UNIT: f64 = 1000.0;
/// Smallest and largest deviation, as a share, that "about" allows.
const ABOUT: [f64; 2] = [0.025, 0.1];
/// Smallest and largest deviation, as a share, that "nearly" and "just over" allow.
const BEYOND: [f64; 2] = [0.1, 0.2];
/// How many times a bound a number may be that is said to be above or below it: "more than a thousand" of 1,204. One
/// that is farther away would be said otherwise.
const BOUND: f64 = 5.0;
/// Tolerance for floating-point rounding, relative.
const EPSILON: f64 = 1e-9;

impl Quantity {
    /// Whether a text with `other` also states this quantity.
    pub(super) fn is_implied_by(&self, other: &Self) -> bool {
        match (self.value, other.value) {
            (Value::Amount(own), Value::Amount(others)) => {
                amount_is_implied(&own, self.modifier_beside(other), &others)
            }
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

    /// The modifier, compared with that of another quantity: of two bounds on one side ("up to 5%", "up to 3%") one is not
    /// the other.
    fn modifier_beside(&self, other: &Self) -> Modifier {
        match (self.modifier, other.modifier) {
            (Modifier::Below, Modifier::Below) => Modifier::Nearly,
            (Modifier::Above, Modifier::Above) => Modifier::JustOver,
            (own, _) => own,
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
        Modifier::Nearly => Interval { low: value - beyond, high: value + rounding },
        Modifier::JustOver => Interval { low: value - rounding, high: value + beyond },
        Modifier::Below => Interval { low: value / BOUND, high: value },
        Modifier::Above => Interval { low: value, high: value * BOUND },
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

pub(super) fn date_is_implied(own: &Date, others: &Date) -> bool {
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

/// Whether a time is the other one, or its minute if it has no seconds: 23:32:40 implies "23:32".
fn time_is_implied(own: Time, others: Time) -> bool {
    let precision = if own.seconds.is_multiple_of(60) { 60 } else { 1 };
    let period = if own.half_known && others.half_known { 24 * 3600 } else { 12 * 3600 };
    let as_precise = |time: Time| time.seconds % period / precision;
    as_precise(own) == as_precise(others)
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
