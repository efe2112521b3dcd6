//! Two neighbouring numbers that make one value: a share ("one in five"), a score ("3-0"), a season ("1904-05"), a sum of two
//! units ("a year and six months"), and a number that was split ("26, 000").
//!
//! Decides whether the value replaces the two numbers, as a score that cannot be a range and a season do, or may stand
//! beside them.

use super::amounts::{Amounts, Found, amount, amount_of};
use super::numerals::{Numeral, Sort};
use super::quantity::{Amount, AmountKind, Date, Quantity, Value, Written};
use super::tokens::Token;

/// Numbers of a score are smaller than this.
const SCORES_END: f64 = 1000.0;
/// Maximum number of tokens between the numbers of a score: "Arsenal 3, Manchester United 0".
const MAX_BETWEEN: usize = 4;

impl Amounts<'_, '_> {
    /// The values that the number at `second` makes with the one before it.
    pub(super) fn pairs(&mut self, second: usize) -> Vec<Quantity> {
        let (one, two) = (&self.found[second - 1], &self.found[second]);
        let between = &self.tokens[one.end.min(two.start)..two.start];
        let replacing = season(one, two, between).or_else(|| self.certain_score(second, between));
        if let Some(value) = replacing {
            let whole = Quantity { certain: true, ..self.whole(one, two, value) };
            self.found[second - 1].readings.clear();
            self.found[second].readings.clear();
            return vec![whole];
        }
        let beside = [self.ratio(second), score(one, two, between), sum(one, two, between)];
        let beside = beside.into_iter().flatten().map(|value| self.whole(one, two, value));
        beside.chain(self.split_number(second)).collect()
    }

    /// A value that the two numbers and all between them make.
    fn whole(&self, first: &Found, second: &Found, value: Value) -> Quantity {
        let span = self.tokens[first.start].start..self.tokens[second.end - 1].end();
        Quantity { modifier: first.modifier, ..Quantity::plain(span, value, first.numeral.written, false) }
    }

    /// "one in five", "three out of ten".
    fn ratio(&self, second: usize) -> Option<Value> {
        let (first, second) = (&self.found[second - 1], &self.found[second]);
        let between = self.phrase(first.end.min(second.start), second.start);
        let whole =
            |found: &Found| found.numeral.sort == Sort::Cardinal && found.numeral.number.fract() == 0.0;
        let (part, all) = (first.numeral.number, second.numeral.number);
        let is_ratio = matches!(between.as_str(), "in" | "out of" | "in every" | "of" | "of every" | "in a");
        let fits = is_ratio && whole(first) && whole(second) && 0.0 < part && part < all && all <= 1000.0;
        let numeral = Numeral { number: part / all, step: 0.01, ..first.numeral };
        fits.then(|| amount(AmountKind::Share, numeral))
    }

    /// A score that cannot be a range: "3-0", "three-nil", but not "3-5" nor a part of "4-4-2".
    fn certain_score(&self, second: usize, between: &[Token<'_>]) -> Option<Value> {
        let (one, two) = (&self.found[second - 1], &self.found[second]);
        let is_dash = |at: usize| self.tokens.get(at).is_some_and(|token| token.glued && token.is_dash());
        let is_glued = matches!(between, [dash] if dash.glued) && self.tokens[two.start].glued;
        let is_part = is_dash(two.end) || one.start.checked_sub(1).is_some_and(is_dash);
        let falls = is_glued && between[0].is_dash() && one.numeral.number >= two.numeral.number;
        score(one, two, between).filter(|_| falls && !is_part)
    }

    /// One number that was split at its comma or stop.
    fn split_number(&self, index: usize) -> Vec<Quantity> {
        let (first, second) = (&self.found[index - 1], &self.found[index]);
        let at = first.numeral.end - 1;
        let adjacent = first.end == at + 1 && second.start == at + 2;
        let Some(Rejoined { number, step, tokens }) = rejoined(&self.tokens[at..]).filter(|_| adjacent)
        else {
            return Vec::new();
        };
        let last = self.found.iter().skip(index).take(tokens).find(|found| found.start == at + tokens - 1);
        let (Some(second), Some(other)) = (last, self.tokens.get(at + tokens - 1)) else { return Vec::new() };
        let money =
            first.readings.iter().filter_map(amount_of).find(|amount| amount.kind == AmountKind::Money);
        let plain = f64::from(other.whole().unwrap_or(0));
        let of = |value: &Value| {
            let amount = amount_of(value)?;
            let scale = if plain > 0.0 { amount.number / plain } else { 1.0 };
            let amount = Amount { number: number * scale, step: step * scale, ..amount };
            let money = money.map(|money| Amount { number: amount.number, step: amount.step, ..money });
            Some(self.whole(first, second, Value::Amount(money.unwrap_or(amount))))
        };
        second.readings.iter().filter_map(of).collect()
    }
}

/// "3-0", "3 to 0", "five votes to four", "Arsenal 3, Chelsea 0".
fn score(one: &Found, two: &Found, between: &[Token<'_>]) -> Option<Value> {
    let counts = |found: &Found| {
        let Numeral { number, certain, written, .. } = found.numeral;
        let is_number = certain || written == Written::Words;
        found.is_bare() && is_number && number.fract() == 0.0 && number < SCORES_END
    };
    let is_name = |token: &Token<'_>| token.is_capitalised() || token.text == ",";
    let joins = match between {
        [mark] => mark.is_dash() || matches!(&*mark.lower, "/" | ":" | "to"),
        [_, last] if last.is("to") => true,
        names => {
            names.len() <= MAX_BETWEEN
                && names.iter().all(is_name)
                && names.iter().any(|token| token.is_word())
        }
    };
    let value = Value::Score([one.numeral.number as u16, two.numeral.number as u16]);
    (joins && counts(one) && counts(two)).then_some(value)
}

/// "1904-05", "1904-1905", "2019/20".
fn season(one: &Found, two: &Found, between: &[Token<'_>]) -> Option<Value> {
    let [mark] = between else { return None };
    let is_year = one.readings.iter().any(|value| matches!(value, Value::Date(_)));
    let (year, next) = (one.numeral.number, two.numeral.number);
    let follows = next == year + 1.0 || next == (year + 1.0) % 100.0;
    let fits = is_year && follows && two.is_bare() && (mark.is_dash() || mark.text == "/");
    fits.then_some(Value::Date(Date { year: Some(year as i32), years: 2, ..Date::default() }))
}

/// "1 year and 6 months", "5 ft 10 in".
fn sum(one: &Found, two: &Found, between: &[Token<'_>]) -> Option<Value> {
    if !(between.is_empty() || matches!(between, [word] if word.is("and") || word.text == ",")) {
        return None;
    }
    let large = one.readings.iter().filter_map(amount_of);
    let mut pairs =
        large.flat_map(|large| two.readings.iter().filter_map(amount_of).map(move |small| (large, small)));
    let adds = |(large, small): &(Amount, Amount)| {
        let is_measure = !matches!(large.kind, AmountKind::Share | AmountKind::Money);
        is_measure && large.kind == small.kind && small.value() < large.factor
    };
    let (large, small) = pairs.find(adds)?;
    Some(Value::Amount(Amount { number: (large.value() + small.value()) / small.factor, ..small }))
}

/// A number that was split into several tokens.
struct Rejoined {
    number: f64,
    step: f64,
    tokens: usize,
}

/// The number that tokenised text may have split: "26, 000", "1. 1 million".
fn rejoined(tokens: &[Token<'_>]) -> Option<Rejoined> {
    let [first, mark, second, ..] = tokens else { return None };
    let (whole, part) = (first.whole()?, second.whole()?);
    let is_group = |pair: &[Token<'_>]| pair[0].text == "," && pair[1].text.len() == 3 && pair[1].is_digits();
    if mark.text == "." && (1..=3).contains(&second.text.len()) {
        let step = 10_f64.powi(-(second.text.len() as i32));
        return Some(Rejoined { number: f64::from(whole) + f64::from(part) * step, step, tokens: 3 });
    }
    let groups = tokens[1..].chunks_exact(2).take(4).take_while(|pair| is_group(pair));
    let numbers: Vec<i32> = groups.filter_map(|pair| pair[1].whole()).collect();
    let number = numbers.iter().fold(f64::from(whole), |number, group| number * 1000.0 + f64::from(*group));
    let tokens = 1 + 2 * numbers.len();
    (first.text.len() <= 3 && !numbers.is_empty()).then_some(Rejoined { number, step: 1.0, tokens })
}
