//! Readings that look-ups add, because layouts shorten: a value without its unit ("Cost: 143,90;"), a day without its month
//! ("on 8 February and ... on the 9th"), a date of two numbers ("04-11"), the abbreviation of a day as a header ("Mon").
//!
//! Such a reading may be meant, so a quantity that equals it cannot be reported as missing. It is never read for a claim.

use super::lists::weekday;
use super::quantity::{Amount, AmountKind, Date, Quantity, Value, Written};
use super::tokens::Token;

/// Minimum number of other values that slashes join to one; with one it may be a fraction or a date.
const MIN_BESIDE: usize = 2;
/// How many of them are looked at on each side.
const REACH: usize = 4;

/// The dates that a layout may mean; `found` are the text's quantities, in order.
pub(super) fn dates(tokens: &[Token<'_>], found: &[Quantity]) -> Vec<Quantity> {
    let days = tokens.iter().filter_map(abbreviated_day);
    let months = (0..tokens.len()).flat_map(|place| of_two_numbers(tokens, place));
    days.chain(months).chain(of_named_month(found)).collect()
}

/// The numbers that stand alone as values, without a unit.
pub(super) fn values(tokens: &[Token<'_>]) -> Vec<Quantity> {
    let mut values = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let Some((number, step, end)) = number(tokens, place) else {
            place += 1;
            continue;
        };
        if stands_alone(tokens, place, end) || is_joined(tokens, place, end) {
            let amount = Amount { kind: AmountKind::Number, unit: "", number, step, factor: 1.0 };
            values.push(looked_up(&tokens[place..end], Value::Amount(amount)));
        }
        place = end;
    }
    values
}

fn looked_up(tokens: &[Token<'_>], value: Value) -> Quantity {
    let span = tokens[0].start..tokens[tokens.len() - 1].end();
    Quantity::plain(span, value, Written::Digits, false)
}

/// The number at a token, the place value of its last digit, and the token after it. Two digits or one after a comma are
/// decimals: "1.842,5".
fn number(tokens: &[Token<'_>], place: usize) -> Option<(f64, f64, usize)> {
    let whole = tokens.get(place).filter(|token| token.is_digits())?;
    let decimals = match tokens.get(place + 1..place + 3) {
        Some([comma, decimals])
            if comma.text == "," && comma.glued && decimals.glued && decimals.is_digits() =>
        {
            Some(decimals.text).filter(|text| text.len() <= 2)
        }
        _ => None,
    };
    let (text, end) = match decimals {
        Some(decimals) => (format!("{}.{decimals}", whole.text.replace('.', "")), place + 3),
        None => (whole.text.replace([',', '\u{a0}', '\u{2009}', '\u{202f}'], ""), place + 1),
    };
    let places = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((text.parse().ok()?, 0.1_f64.powi(i32::try_from(places).ok()?), end))
}

/// Whether a number is all that follows a key, a header or a separator, or follows a name in code: "POLL_MS 500".
fn stands_alone(tokens: &[Token<'_>], start: usize, end: usize) -> bool {
    let Some(mut before) = start.checked_sub(1) else { return false };
    if tokens[before].is_dash() && before > 0 {
        before -= 1;
    }
    let of_code =
        tokens[before].glued && before > 0 && tokens[before - 1].text == "_" && tokens[before].is_word();
    let is_separated = matches!(tokens[before].text, ":" | ";" | "=" | "|") && !tokens[start].glued;
    let ends = tokens.get(end).is_none_or(|next| next.opens_line || matches!(next.text, ";" | "|"));
    of_code || is_separated && ends
}

/// Whether slashes join a number to others of one list, one with decimals nearby: "11.2/14.9/21.6 ms".
fn is_joined(tokens: &[Token<'_>], start: usize, end: usize) -> bool {
    let number_beside = |slash: Option<usize>, number: Option<usize>| {
        tokens.get(slash?).filter(|mark| mark.text == "/")?;
        tokens.get(number?).filter(|token| token.is_digits())
    };
    let before =
        (1..=REACH).map(|far| number_beside(start.checked_sub(2 * far - 1), start.checked_sub(2 * far)));
    let after = (0..REACH).map(|far| number_beside(Some(end + 2 * far), Some(end + 2 * far + 1)));
    let beside: Vec<_> = before.map_while(|token| token).chain(after.map_while(|token| token)).collect();
    let has_decimals = beside.iter().chain([&&tokens[start]]).any(|token| token.text.contains('.'));
    beside.len() >= MIN_BESIDE && has_decimals
}

/// "Mon" for Monday.
fn abbreviated_day(token: &Token<'_>) -> Option<Quantity> {
    let (day, whole) = weekday(&token.lower).filter(|_| token.is_capitalised())?;
    let date = Date { weekday: Some(day), years: 1, ..Date::default() };
    (!whole).then(|| looked_up(std::slice::from_ref(token), Value::Date(date)))
}

/// "04-11": the 11th of April, or the 4th of November.
fn of_two_numbers(tokens: &[Token<'_>], place: usize) -> Vec<Quantity> {
    let [first, dash, second, ..] = &tokens[place..] else { return Vec::new() };
    let is_part = |token: &Token<'_>| token.is_digits() && token.text.len() == 2;
    if !(is_part(first) && dash.text == "-" && dash.glued && second.glued && is_part(second)) {
        return Vec::new();
    }
    let number = |token: &Token<'_>| token.whole().and_then(|number| u8::try_from(number).ok());
    let (Some(one), Some(two)) = (number(first), number(second)) else { return Vec::new() };
    let is_date = |(month, day): &(u8, u8)| (1..=12).contains(month) && (1..=31).contains(day);
    let date = |(month, day): (u8, u8)| {
        let date = Date { month: Some(month), day: Some(day), years: 1, ..Date::default() };
        looked_up(&tokens[place..place + 3], Value::Date(date))
    };
    [(one, two), (two, one)].into_iter().filter(is_date).map(date).collect()
}

/// "the 9th" in the month that was named last.
fn of_named_month(found: &[Quantity]) -> Vec<Quantity> {
    let mut named = None;
    let mut dates = Vec::new();
    for quantity in found {
        match quantity.value {
            Value::Date(Date { month: Some(month), .. }) => named = Some(month),
            Value::Amount(Amount { kind: AmountKind::Ordinal, number, .. })
                if (1.0..=31.0).contains(&number) && quantity.written == Written::Digits =>
            {
                let date = Date { month: named, day: Some(number as u8), years: 1, ..Date::default() };
                let value = Value::Date(date);
                dates.extend(named.map(|_| Quantity { value, certain: false, ..quantity.clone() }));
            }
            _ => {}
        }
    }
    dates
}
