//! Amounts: numbers with their currency or unit, their modifier and their place in a range.

use super::lists::{self, NumberWord, Unit, number_word, units};
use super::numerals::{Numeral, Sort, end_of_half, numeral};
use super::quantity::{Amount, AmountKind, Date, Modifier, Quantity, RangeEnd, Value};
use super::tokens::Token;

/// Maximum number of tokens of a unit and of a modifier.
const LONGEST_UNIT: usize = 4;
const LONGEST_MODIFIER: usize = 4;

/// Years that four digits may stand for.
pub(super) const YEARS: std::ops::RangeInclusive<i32> = 1000..=2100;

/// A number in the text with all its readings.
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether only marks precede it in its sentence.
    pub(super) opens: bool,
    /// The number itself, without a currency sign before it.
    pub(super) numeral: Numeral,
    pub(super) readings: Vec<Value>,
    pub(super) modifier: Modifier,
    range: Option<RangeEnd>,
}

impl Found {
    /// Whether it is a number without a unit; it may be a year.
    pub(super) fn is_bare(&self) -> bool {
        let is_plain =
            |value: &Value| amount_of(value).is_none_or(|amount| amount.kind == AmountKind::Number);
        self.numeral.sort == Sort::Cardinal && !self.readings.is_empty() && self.readings.iter().all(is_plain)
    }

    /// Adds what a neighbour shares with it; a unit at the end of a range belongs to both ends.
    fn share(&mut self, readings: Vec<Value>, spans: bool) {
        let has_unit = readings.iter().filter_map(amount_of).any(|amount| !amount.unit.is_empty());
        if spans && has_unit && self.is_bare() {
            self.readings.retain(|own| matches!(own, Value::Date(_)));
        }
        self.readings.extend(readings);
    }
}

/// Collects the amounts of a text.
pub(super) struct Amounts<'s, 't> {
    pub(super) tokens: &'s [Token<'t>],
    pub(super) found: Vec<Found>,
    /// The units that are named without a number, with the token at which they are.
    pub(super) named: Vec<(usize, Amount)>,
}

impl<'s, 't> Amounts<'s, 't> {
    pub(super) fn new(tokens: &'s [Token<'t>]) -> Self {
        Self { tokens, found: Vec::new(), named: Vec::new() }
    }

    /// Reads the amount that begins at a token, with which the words of its sentence open or not. Returns the token after it.
    pub(super) fn read(&mut self, place: usize, opens: bool) -> Option<usize> {
        let (currency, number_at) = self.currency(place);
        let numeral = numeral(self.tokens, number_at).or_else(|| self.article(place))?;
        let (readings, end) = match currency {
            Some(currency) => self.money(currency, numeral),
            None => self.readings(place, numeral),
        };
        let modifier = self.modifier_before(place).or_else(|| self.modifier_after(end)).unwrap_or_default();
        self.found.push(Found { start: place, end, opens, numeral, readings, modifier, range: None });
        Some(end)
    }

    /// The number 1 for the article of "an hour" and "a year and a half".
    fn article(&self, place: usize) -> Option<Numeral> {
        let article = matches!(&*self.tokens[place].lower, "a" | "an");
        let (_, end) = self.unit(place + 1).filter(|_| article && self.tokens[place + 1].is_word())?;
        let certain = end_of_half(self.tokens, end).is_some();
        Some(Numeral { end: place + 1, number: 1.0, certain, ..Numeral::ONE })
    }

    /// The currency whose sign is at a token, and the place of the number after it.
    fn currency(&self, place: usize) -> (Option<&'static str>, usize) {
        let text = |at: usize| self.tokens.get(at).map(|token| &*token.lower);
        let next = |at: usize| self.tokens.get(at);
        // "A$5" and "AU $5", but not "a $5".
        let is_prefix = |next: &Token<'_>| next.glued || self.tokens[place].text.len() > 1;
        let joined = next(place + 1)
            .filter(|next| next.text == "$" && is_prefix(next))
            .and_then(|_| lists::currency(&format!("{}$", text(place)?)));
        if let Some(currency) = joined.filter(|_| next(place + 2).is_some_and(Token::is_digits)) {
            return (Some(currency), place + 2);
        }
        let Some(currency) = text(place).and_then(lists::currency) else { return (None, place) };
        let number_at = place + 1 + usize::from(text(place + 1) == Some("."));
        if next(number_at).is_some_and(Token::is_digits) {
            (Some(currency), number_at)
        } else {
            (None, place)
        }
    }

    /// "$5", "£5m", "$5 million".
    fn money(&self, unit: &'static str, numeral: Numeral) -> (Vec<Value>, usize) {
        let (numeral, end) = self.short_scale(numeral, true).unwrap_or((numeral, numeral.end));
        let amount =
            Amount { kind: AmountKind::Money, unit, number: numeral.number, step: numeral.step, factor: 1.0 };
        (vec![Value::Amount(amount)], end)
    }

    /// The number with a short scale after it: "5m", "3bn".
    fn short_scale(&self, numeral: Numeral, is_money: bool) -> Option<(Numeral, usize)> {
        let token = self.tokens.get(numeral.end)?;
        let (NumberWord::ShortScale, scale) = number_word(&token.lower)? else { return None };
        let fits = token.glued || (is_money || token.lower.len() > 1) && token.lower != "mm";
        let numeral = Numeral {
            number: numeral.number * scale,
            step: numeral.step * scale,
            scaled: true,
            end: numeral.end + 1,
            ..numeral
        };
        (fits && numeral.sort == Sort::Cardinal).then_some((numeral, numeral.end))
    }

    fn readings(&self, start: usize, numeral: Numeral) -> (Vec<Value>, usize) {
        match numeral.sort {
            Sort::Ordinal => (vec![amount(AmountKind::Ordinal, numeral)], numeral.end),
            Sort::Share => self.share_readings(start, numeral),
            Sort::Cardinal => {
                let (mut readings, mut end) = self.with_unit(numeral).unwrap_or_default();
                if let Some((scaled, scaled_end)) = self.short_scale(numeral, false) {
                    let (more, more_end) = self
                        .with_unit(scaled)
                        .unwrap_or_else(|| (vec![amount(AmountKind::Number, scaled)], scaled_end));
                    readings.extend(more);
                    end = end.max(more_end);
                }
                if readings.is_empty() {
                    readings.push(amount(AmountKind::Number, numeral));
                    readings.extend(self.year(start, &numeral));
                    end = numeral.end;
                }
                (readings, end)
            }
        }
    }

    /// A share, possibly of a unit ("half an hour", "three quarters of a mile"), or an ordinal ("a third man").
    fn share_readings(&self, start: usize, numeral: Numeral) -> (Vec<Value>, usize) {
        let is = |place: usize, word: &str| self.tokens.get(place).is_some_and(|token| token.is(word));
        let of = is(numeral.end, "of");
        let mut readings = vec![amount(AmountKind::Share, numeral)];
        let word = number_word(self.tokens[numeral.end - 1].lower.as_ref());
        if let Some((NumberWord::Ordinal, number)) = word.filter(|_| numeral.end > start + 1 && !of) {
            readings.push(amount(AmountKind::Ordinal, Numeral { number, step: 1.0, ..numeral }));
        }
        let mut unit_at = numeral.end + usize::from(of);
        unit_at += usize::from(is(unit_at, "a") || is(unit_at, "an"));
        if unit_at == numeral.end && !self.tokens.get(unit_at).is_some_and(Token::is_dash) {
            return (readings, numeral.end);
        }
        match self.unit(unit_at) {
            Some((units, end)) => {
                readings.extend(units.iter().map(|unit| measured(unit, numeral)));
                (readings, end)
            }
            None => (readings, numeral.end),
        }
    }

    /// The readings of a number with the unit after it.
    fn with_unit(&self, mut numeral: Numeral) -> Option<(Vec<Value>, usize)> {
        let half = end_of_half(self.tokens, numeral.end);
        let (units, mut end) = self.unit(half.unwrap_or(numeral.end))?;
        if let Some(after) = half.or_else(|| end_of_half(self.tokens, end)) {
            (numeral.number, numeral.step, end) = (numeral.number + 0.5, 0.1, end.max(after));
        }
        let after_old = self.after_old(end);
        let kinds =
            |unit: &Unit| [Some(*unit), (after_old > end).then_some(Unit { kind: AmountKind::Age, ..*unit })];
        let readings = units.iter().flat_map(kinds).flatten().map(|unit| measured(&unit, numeral)).collect();
        Some((readings, after_old))
    }

    /// The token after "-old" or "of age" at a place, or the place itself.
    fn after_old(&self, end: usize) -> usize {
        let joined = self.tokens.get(end).is_some_and(|token| token.is_dash() || token.is("of"));
        let old = |token: &Token<'_>| matches!(&*token.lower, "old" | "olds" | "age");
        let place = end + usize::from(joined);
        if self.tokens.get(place).is_some_and(old) { place + 1 } else { end }
    }

    /// The units at a token, or after a hyphen there, and the token after them; "Euro" of "Euro 2016" is a name.
    pub(super) fn unit(&self, place: usize) -> Option<(Vec<Unit>, usize)> {
        self.unit_in(place, |token, unit| {
            let named =
                token.is_capitalised() && token.text.len() > 2 && token.text.chars().any(char::is_lowercase);
            let is_initial = token.is_capitalised() && token.text.len() == 1 && !token.glued;
            !(named || is_initial) || unit.kind == AmountKind::Temperature
        })
    }

    /// The units at a token whose last word is written as `is_written` says.
    pub(super) fn unit_in(
        &self,
        place: usize,
        is_written: impl Fn(&Token<'_>, &Unit) -> bool,
    ) -> Option<(Vec<Unit>, usize)> {
        let dash = self.tokens.get(place).is_some_and(|token| token.is_dash() && token.glued);
        let from = place + usize::from(dash);
        let first = self.tokens.get(from)?;
        let mut phrase = String::new();
        let mut best = None;
        for (index, token) in self.tokens[from..].iter().take(LONGEST_UNIT).enumerate() {
            // "sq. ft.", "U.S. dollars".
            if token.text == "." && token.glued && self.tokens[from + index - 1].text.len() <= 2 {
                continue;
            }
            phrase.push_str(if index > 0 { " " } else { "" });
            phrase.push_str(&token.lower);
            let fits = |unit: &&Unit| !unit.glued_only || (first.glued && !dash && index == 0);
            let fits = |unit: &&Unit| fits(unit) && is_written(token, unit);
            let found: Vec<Unit> = units(&phrase).iter().filter(fits).copied().collect();
            if !found.is_empty() {
                best = Some((found, from + index + 1));
            }
        }
        best
    }

    /// The year that a number may stand for.
    fn year(&self, start: usize, numeral: &Numeral) -> Option<Value> {
        let is_year = match self.tokens[start].whole() {
            Some(year) => self.tokens[start].text.len() == 4 && YEARS.contains(&year),
            None => !numeral.scaled && (1600.0..=2099.0).contains(&numeral.number),
        };
        let whole =
            numeral.number.fract() == 0.0 && (numeral.end == start + 1 || !self.tokens[start].is_digits());
        let year = Date { year: Some(numeral.number as i32), years: 1, ..Date::default() };
        (is_year && whole).then_some(Value::Date(year))
    }

    fn modifier_before(&self, place: usize) -> Option<Modifier> {
        let lengths = (1..=LONGEST_MODIFIER.min(place)).rev();
        lengths.filter_map(|length| lists::modifier_before(&self.phrase(place - length, place))).next()
    }

    fn modifier_after(&self, end: usize) -> Option<Modifier> {
        let lengths = 1..=2.min(self.tokens.len().saturating_sub(end));
        lengths.rev().filter_map(|length| lists::modifier_after(&self.phrase(end, end + length))).next()
    }

    pub(super) fn phrase(&self, from: usize, to: usize) -> String {
        let words: Vec<&str> = self.tokens[from..to].iter().map(|token| &*token.lower).collect();
        words.join(" ")
    }

    /// All amounts of the text.
    pub(super) fn finish(&mut self) -> Vec<Quantity> {
        let mut quantities = Vec::new();
        for second in 1..self.found.len() {
            quantities.extend(self.pairs(second));
            self.relate(second);
        }
        for found in &self.found {
            let span = self.tokens[found.start].start..self.tokens[found.end - 1].end();
            let Found { numeral, modifier, range, .. } = *found;
            let (written, certain) = (numeral.written, numeral.certain);
            let of = |value: &Value| Quantity {
                span: span.clone(),
                value: *value,
                modifier,
                range,
                written,
                certain,
            };
            quantities.extend(found.readings.iter().map(of));
        }
        quantities
    }

    /// Gives a number the unit and scale of the next one, with one word or mark between them: "5 to 10 million", "$5-10m";
    /// and a year of two digits its century: "2006-09".
    fn relate(&mut self, second: usize) {
        let (head, tail) = self.found.split_at_mut(second);
        let (first, second) = (&mut head[head.len() - 1], &mut tail[0]);
        let [between] = &self.tokens[first.end.min(second.start)..second.start] else { return };
        let before = first.start.checked_sub(1).map(|at| &*self.tokens[at].lower);
        let spans = between.is_dash()
            || matches!(&*between.lower, "to" | "till" | "until")
            || between.is("and") && before == Some("between");
        if between.text == "/" {
            // "9/11" is a name.
            (first.numeral.certain, second.numeral.certain) = (false, false);
        }
        if spans {
            (first.range, second.range) = (Some(RangeEnd::From), Some(RangeEnd::To));
        }
        if !(spans || matches!(&*between.lower, "and" | "or" | "," | "x" | "by" | "/" | "&")) {
            return;
        }
        first.share(as_next(first, second), spans);
        if let Some(year) = short_year(first, second).filter(|_| between.is_dash() || between.text == "/") {
            second.readings = vec![year];
        }
    }
}

pub(super) fn amount(kind: AmountKind, numeral: Numeral) -> Value {
    let Numeral { number, step, .. } = numeral;
    Value::Amount(Amount { kind, unit: "", number, step, factor: 1.0 })
}

pub(super) fn measured(unit: &Unit, numeral: Numeral) -> Value {
    let Unit { kind, name: unit, factor, .. } = *unit;
    Value::Amount(Amount { kind, unit, number: numeral.number, step: numeral.step, factor })
}

/// The readings of a number with the unit and scale of the number after it: 5 of "5 to 10 million euros".
fn as_next(first: &Found, second: &Found) -> Vec<Value> {
    let Found { numeral, readings: own, .. } = first;
    if numeral.sort != Sort::Cardinal || second.numeral.sort != Sort::Cardinal {
        return Vec::new();
    }
    let is_scaled =
        numeral.scaled || numeral.number >= 1000.0 || own.iter().any(|value| number_of(value) >= 1000.0);
    let amounts = second.readings.iter().filter_map(amount_of);
    let shared = amounts.flat_map(|other| {
        let scale =
            if is_scaled { 1.0 } else { other.number / second.numeral.number * scale_of(&second.numeral) };
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let scaled = move |amount: Amount| {
            Value::Amount(Amount { number: amount.number * scale, step: amount.step * scale, ..amount })
        };
        let is_informative = !other.unit.is_empty() || scale > 1.0;
        let (unit, kind, factor) = (other.unit, other.kind, other.factor);
        own.iter().filter_map(amount_of).filter(move |_| is_informative).map(move |own| {
            let plain = own.unit.is_empty();
            scaled(if plain { Amount { unit, kind, factor, ..own } } else { own })
        })
    });
    shared.collect()
}

pub(super) fn amount_of(value: &Value) -> Option<Amount> {
    match value {
        Value::Amount(amount) => Some(*amount),
        _ => None,
    }
}

fn number_of(value: &Value) -> f64 {
    amount_of(value).map_or(0.0, |amount| amount.number)
}

/// The scale of a number, such as a million.
pub(super) fn scale_of(numeral: &Numeral) -> f64 {
    let scales = [1e12, 1e9, 1e6, 1e3];
    scales.into_iter().find(|scale| numeral.scaled && numeral.number >= *scale).unwrap_or(1.0)
}

/// The year of two digits after a year: "2006-09".
fn short_year(first: &Found, second: &Found) -> Option<Value> {
    let is_year = first.readings.iter().any(|value| matches!(value, Value::Date(_)));
    let (year, short) = (first.numeral.number, second.numeral.number);
    let fits = is_year && short.fract() == 0.0 && short < 100.0 && short > year % 100.0;
    let year = (year - year % 100.0 + short) as i32;
    (fits && second.is_bare()).then(|| Value::Date(Date { year: Some(year), years: 1, ..Date::default() }))
}
