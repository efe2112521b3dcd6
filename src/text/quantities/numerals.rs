//! Numbers without their units: "1,850.00", "twenty-one", "two and a half million", "a third", "½", "21st".

use super::lists::{NumberWord, number_word, part};
use super::quantity::Written;
use super::tokens::Token;

/// The grammatical kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Cardinal,
    Ordinal,
    /// A fraction of one.
    Share,
}

/// A number in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numeral {
    /// The token after it.
    pub(super) end: usize,
    pub(super) number: f64,
    /// The place value of its last digit as written.
    pub(super) step: f64,
    pub(super) sort: Sort,
    pub(super) written: Written,
    pub(super) certain: bool,
    /// Whether it includes a scale such as "million".
    pub(super) scaled: bool,
}

impl Numeral {
    /// "one".
    pub(super) const ONE: Self = Self {
        end: 0,
        number: 1.0,
        step: 1.0,
        sort: Sort::Cardinal,
        written: Written::Words,
        certain: false,
        scaled: false,
    };
}

/// Reads the number that begins at a token.
pub(super) fn numeral(tokens: &[Token<'_>], place: usize) -> Option<Numeral> {
    let token = tokens.get(place)?;
    if token.is_digits() {
        return share(tokens, place).or_else(|| in_digits(tokens, place));
    }
    if let Some(number) = vulgar(token.text) {
        let sort = Sort::Share;
        return Some(Numeral { number, step: 0.04, sort, ..in_words(place + 1, number, true) });
    }
    if !token.is_word() {
        return None;
    }
    half_of_more(tokens, place).or_else(|| share(tokens, place)).or_else(|| Spelled::read(tokens, place))
}

fn in_words(end: usize, number: f64, certain: bool) -> Numeral {
    Numeral { end, number, certain, ..Numeral::ONE }
}

fn in_digits(tokens: &[Token<'_>], place: usize) -> Option<Numeral> {
    let token = &tokens[place];
    let plain: String = token.text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let decimals = plain.find('.').map_or(0, |at| plain.len() - at - 1);
    let (mut number, mut step) = (plain.parse::<f64>().ok()?, 10_f64.powi(-(decimals.min(300) as i32)));
    let mut end = place + 1;
    if let Some(more) = tokens.get(end).filter(|next| next.glued).and_then(|next| vulgar(next.text)) {
        (number, step, end) = (number + more, 0.1, end + 1);
    } else if let Some((more, after)) =
        fraction_after(tokens, end).filter(|_| number < 1000.0 && decimals == 0)
    {
        (number, step, end) = (number + more, 0.1, after);
    }
    let suffix = tokens.get(end).filter(|next| next.glued && decimals == 0);
    let is_ordinal = suffix.is_some_and(|next| matches!(&*next.lower, "st" | "nd" | "rd" | "th"));
    let (sort, end) = if is_ordinal { (Sort::Ordinal, end + 1) } else { (Sort::Cardinal, end) };
    let code = token.glued && place.checked_sub(1).is_some_and(|before| ends_code(tokens, before));
    let numeral =
        Numeral { end, number, step, sort, written: Written::Digits, certain: !code, scaled: false };
    Some(if is_ordinal { numeral } else { scaled(numeral, tokens) })
}

/// The fraction of a mixed number, and the token after it: "1/2" in "7-1/2" and "7 1/2".
fn fraction_after(tokens: &[Token<'_>], end: usize) -> Option<(f64, usize)> {
    let dash = usize::from(tokens.get(end)?.is_dash() && tokens[end].glued);
    let first = tokens.get(end + dash).filter(|token| token.is_digits() && token.glued == (dash > 0))?;
    let fraction = share(tokens, end + dash).filter(|_| first.text.len() == 1)?;
    Some((fraction.number, fraction.end))
}

/// Whether the token before a number makes it part of a code: "M25", "Covid-19".
fn ends_code(tokens: &[Token<'_>], before: usize) -> bool {
    let named = |token: &Token<'_>| token.is_word() && token.lower.len() > 1 && token.is_capitalised();
    let token = &tokens[before];
    token.is_word()
        || (token.is_dash() && token.glued && before.checked_sub(1).is_some_and(|at| named(&tokens[at])))
}

/// The number multiplied by the scales after it, such as "million".
fn scaled(mut numeral: Numeral, tokens: &[Token<'_>]) -> Numeral {
    loop {
        let dash = usize::from(tokens.get(numeral.end).is_some_and(Token::is_dash));
        let word = tokens.get(numeral.end + dash).map(|token| &*token.lower);
        let plural = word.map(|word| word.strip_suffix('s').unwrap_or(word));
        let Some((NumberWord::Scale, scale)) = plural.and_then(number_word) else { return numeral };
        numeral.number *= scale;
        numeral.step *= scale;
        numeral.scaled |= scale >= 1000.0;
        numeral.end += dash + 1;
    }
}

/// "half a million", "half a dozen", "a quarter of a million".
fn half_of_more(tokens: &[Token<'_>], place: usize) -> Option<Numeral> {
    let at = |offset: usize| tokens.get(place + offset).map(|token| &*token.lower);
    let is_article = |word: Option<&str>| matches!(word, Some("a" | "an"));
    let from = usize::from(matches!(at(0)?, "a" | "one"));
    let share = part(at(from)?).filter(|share| *share >= 0.25)?;
    let of = usize::from(at(from + 1) == Some("of") || at(from + 1).is_some_and(|word| word == "-"));
    let article = usize::from(is_article(at(from + 1 + of)));
    let scale = at(from + 1 + of + article)?;
    let (NumberWord::Scale, scale) = number_word(scale)? else { return None };
    let end = place + from + 2 + of + article;
    let number = share * scale;
    let step = if scale >= 1000.0 { scale / 10.0 } else { 1.0 };
    Some(Numeral { step, scaled: scale >= 1000.0, ..in_words(end, number, true) })
}

/// "half", "a third", "two-thirds", "3/4", "3 quarters".
fn share(tokens: &[Token<'_>], place: usize) -> Option<Numeral> {
    let token = &tokens[place];
    let count = match (&*token.lower, number_word(&token.lower)) {
        ("a" | "an", _) => 1.0,
        (_, Some((NumberWord::Unit, count))) => count,
        _ => token.whole().filter(|count| (1..10).contains(count)).map_or(0.0, f64::from),
    };
    let made = |end: usize, number: f64, certain: bool| {
        let step = if token.is_digits() { 0.01 } else { 0.04 };
        Numeral { step, sort: Sort::Share, ..in_words(end, number, certain) }
    };
    if count == 0.0 {
        let (part, plural) =
            (part(&token.lower)?, token.lower.ends_with('s') || token.lower.ends_with("ves"));
        let alone = matches!(&*token.lower, "half" | "quarter");
        return (alone && !plural).then(|| made(place + 1, part, false));
    }
    if token.is_digits() && tokens.get(place + 1).is_some_and(|next| next.glued && next.text == "/") {
        let below = tokens.get(place + 2).filter(|next| next.glued).and_then(Token::whole)?;
        let goes_on = |next: &Token<'_>| {
            next.text == "/" || next.text == "-" && tokens.get(place + 4).is_some_and(Token::is_digits)
        };
        let ends = !tokens.get(place + 3).is_some_and(|next| next.glued && goes_on(next));
        let fits = ends && (2..=10).contains(&below) && count < f64::from(below);
        return fits.then(|| made(place + 3, count / f64::from(below), false));
    }
    let dash = usize::from(tokens.get(place + 1).is_some_and(Token::is_dash));
    let word = tokens.get(place + 1 + dash)?;
    let plural = word.lower.ends_with('s');
    let part = part(&word.lower).filter(|_| plural == (count > 1.0))?;
    (count * part < 1.0).then(|| made(place + 2 + dash, count * part, true))
}

fn vulgar(text: &str) -> Option<f64> {
    Some(match text {
        "½" => 0.5,
        "⅓" => 1.0 / 3.0,
        "⅔" => 2.0 / 3.0,
        "¼" => 0.25,
        "¾" => 0.75,
        "⅕" => 0.2,
        "⅛" => 0.125,
        _ => return None,
    })
}

/// Reads a number in words.
struct Spelled<'s, 't> {
    tokens: &'s [Token<'t>],
    place: usize,
    /// The completed part: "two million" in "two million three hundred".
    total: f64,
    /// The part that the next scale multiplies.
    current: f64,
    /// The kind of the last word.
    last: Option<NumberWord>,
    /// The last scale.
    scale: f64,
    /// Whether a half was added.
    halved: bool,
}

impl<'s, 't> Spelled<'s, 't> {
    fn read(tokens: &'s [Token<'t>], place: usize) -> Option<Numeral> {
        let word = &*tokens[place].lower;
        if let Some((NumberWord::Multiple, number)) = number_word(word) {
            return Some(in_words(place + 1, number, false));
        }
        let article = matches!(word, "a" | "an");
        let mut spelled =
            Self { tokens, place, total: 0.0, current: 0.0, last: None, scale: 1.0, halved: false };
        if article {
            spelled.start_with_article()?;
        }
        let ordinal = spelled.take_words();
        spelled.last?;
        if ordinal {
            let number = spelled.total + spelled.current;
            let certain = number > 3.0;
            return Some(Numeral { sort: Sort::Ordinal, ..in_words(spelled.place, number, certain) });
        }
        Some(spelled.finish(place, article))
    }

    /// "a million", "a dozen"; also "a hundred and one".
    fn start_with_article(&mut self) -> Option<()> {
        let next = self.tokens.get(self.place + 1)?;
        let (NumberWord::Scale, _) = number_word(&next.lower)? else { return None };
        self.place += 1;
        Some(())
    }

    /// Reads words while they form one number. Returns whether the last of them made it an ordinal.
    fn take_words(&mut self) -> bool {
        while let Some(offset) = self.offset_of_next() {
            let Some(token) = self.tokens.get(self.place + offset) else { break };
            let Some((word, value)) = number_word(&token.lower) else { break };
            if word == NumberWord::Ordinal {
                let fits = self.last.is_none_or(|last| follows(last, value) || value >= 100.0);
                if fits {
                    self.current =
                        if value >= 100.0 { self.current.max(1.0) * value } else { self.current + value };
                    self.last = Some(word);
                    self.place += offset + 1;
                }
                return fits;
            }
            if !self.add(word, value) {
                break;
            }
            self.last = Some(word);
            self.place += offset + 1;
        }
        false
    }

    /// The number of tokens before the next word: none, or one for a hyphen, or for "and" after a scale.
    fn offset_of_next(&self) -> Option<usize> {
        let Some(last) = self.last else { return Some(0) };
        let next = self.tokens.get(self.place)?;
        if next.is_dash() && (next.glued || last == NumberWord::Ten) {
            return Some(1);
        }
        let and = next.is("and") && last == NumberWord::Scale;
        let small = |token: &Token<'_>| {
            number_word(&token.lower).is_some_and(|(word, value)| word != NumberWord::Scale && value < 100.0)
        };
        Some(usize::from(and && self.tokens.get(self.place + 1).is_some_and(small)))
    }

    /// Adds a word if it continues the number; returns whether it does.
    fn add(&mut self, word: NumberWord, value: f64) -> bool {
        let below = self.current % 100.0;
        match word {
            NumberWord::Unit if self.last.is_none_or(|last| follows(last, value)) => self.current += value,
            NumberWord::Teen | NumberWord::Ten
                if self.last.is_none_or(|last| last == NumberWord::Scale) && below == 0.0 =>
            {
                self.current += value;
            }
            // "nineteen eighty-four", "twenty twenty".
            NumberWord::Teen | NumberWord::Ten if self.is_century() => {
                self.current = self.current * 100.0 + value;
            }
            NumberWord::Scale if value == 100.0 || value == 12.0 => {
                if self.current >= 100.0 || self.halved {
                    return false;
                }
                (self.current, self.scale) = (self.current.max(1.0) * value, value);
            }
            NumberWord::Scale => {
                if self.last == Some(NumberWord::Scale) && self.current == 0.0 {
                    self.total *= value;
                } else {
                    self.total += self.current.max(1.0) * value;
                }
                (self.current, self.scale) = (0.0, value);
            }
            _ => return false,
        }
        true
    }

    fn is_century(&self) -> bool {
        self.total == 0.0
            && matches!(self.last, Some(NumberWord::Teen | NumberWord::Ten))
            && (16.0..=20.0).contains(&self.current)
    }

    fn finish(mut self, start: usize, article: bool) -> Numeral {
        let last_word_is_scale = self.last == Some(NumberWord::Scale);
        let mut number = self.total + self.current;
        let mut step = if last_word_is_scale && self.scale >= 1000.0 { self.scale } else { 1.0 };
        if let Some((decimals, digits)) = self.decimals() {
            number += decimals;
            step = 10_f64.powi(-digits);
        }
        if let Some(end) = end_of_half(self.tokens, self.place) {
            self.place = end;
            self.halved = true;
            number += 0.5 * if last_word_is_scale { self.scale } else { 1.0 };
            step = 0.1 * if last_word_is_scale { self.scale } else { 1.0 };
        }
        let one = number == 1.0 && self.place == start + 1;
        let scale_alone =
            !article && matches!(number_word(&self.tokens[start].lower), Some((NumberWord::Scale, _)));
        let certain = !(one || scale_alone || (article && number < 100.0));
        let numeral = Numeral { step, scaled: self.scale >= 1000.0, ..in_words(self.place, number, certain) };
        if self.halved || step < 1.0 { scaled(numeral, self.tokens) } else { numeral }
    }

    /// "two point five": the value of the decimals and their count.
    fn decimals(&mut self) -> Option<(f64, i32)> {
        self.tokens.get(self.place).filter(|token| token.is("point"))?;
        let digit = |place: usize| match number_word(&self.tokens.get(place)?.lower)? {
            (NumberWord::Unit, value) => Some(value),
            _ => None,
        };
        let (mut value, mut count, mut place) = (0.0, 0, self.place + 1);
        while let Some(next) = digit(place).filter(|_| count < 15) {
            count += 1;
            value += next * 10_f64.powi(-count);
            place += 1;
        }
        (count > 0).then(|| self.place = place)?;
        Some((value, count))
    }
}

/// The token after "and a half" or "-and-a-half" at a place.
pub(super) fn end_of_half(tokens: &[Token<'_>], mut place: usize) -> Option<usize> {
    for word in ["and", "a", "half"] {
        place += usize::from(tokens.get(place).is_some_and(Token::is_dash));
        tokens.get(place).filter(|token| token.is(word))?;
        place += 1;
    }
    Some(place)
}

/// Whether a number word of this value may follow a word.
fn follows(last: NumberWord, value: f64) -> bool {
    match last {
        NumberWord::Ten => (1.0..10.0).contains(&value),
        NumberWord::Scale => value > 0.0 && value < 100.0,
        _ => false,
    }
}
