//! Times of day: "4:30 pm", "16.30", "half past four", "five o'clock in the morning", "noon".

use super::lists::{NumberWord, number_word};
use super::quantity::{Quantity, Time, Value, Written};
use super::tokens::Token;

/// Seconds of twelve hours.
const HALF_DAY: u32 = 12 * 3600;

/// A time in the text, and the token after it.
struct ParsedTime {
    time: Time,
    end: usize,
    certain: bool,
    /// Whether the tokens cannot be read as a number as well.
    settled: bool,
}

/// Reads the time that begins at a token. Returns the token after it, unless the tokens may be a number as well.
pub(super) fn read(tokens: &[Token<'_>], place: usize, found: &mut Vec<Quantity>) -> Option<usize> {
    let reader = Reader { tokens };
    let parsed = if tokens[place].is_digits() { reader.in_digits(place) } else { reader.in_words(place) }?;
    let parsed = reader.with_part_of_day(parsed);
    let span = tokens[place].start..tokens[parsed.end - 1].end();
    let written = if tokens[place].is_digits() { Written::Digits } else { Written::Words };
    found.push(Quantity::plain(span, Value::Time(parsed.time), written, parsed.certain));
    parsed.settled.then_some(parsed.end)
}

struct Reader<'s, 't> {
    tokens: &'s [Token<'t>],
}

impl Reader<'_, '_> {
    fn is(&self, place: usize, word: &str) -> bool {
        self.tokens.get(place).is_some_and(|token| token.is(word))
    }

    fn in_digits(&self, place: usize) -> Option<ParsedTime> {
        let (hour, minute, second, end) = self.clock(place)?;
        let written_with_colon = end > place + 1;
        let half = self.half(end);
        let end = half.map_or(end, |(_, end)| end);
        let zone = self.tokens.get(end).is_some_and(|next| {
            matches!(&*next.lower, "gmt" | "bst" | "utc" | "cet" | "est" | "hours" | "hrs")
        });
        let two_parts = written_with_colon || self.tokens[place].text.contains('.');
        let four = self.tokens[place].text.len() == 4 && !two_parts;
        if half.is_none() && !(two_parts || (four && zone) || self.is_o_clock(end)) {
            return None;
        }
        let end = if half.is_none() && self.is_o_clock(end) { end + 3 } else { end };
        let hour = with_half(hour, half.map(|(half, _)| half))?;
        let time = Time {
            seconds: hour * 3600 + minute * 60 + second,
            half_known: half.is_some() || hour > 12 || hour == 0,
        };
        let settled = half.is_some() || written_with_colon || zone || self.is_o_clock(place + 1);
        Some(ParsedTime { time, end, certain: settled, settled })
    }

    /// Hour, minute and second: "4", "4:30", "4.30", "16:30:05", "1630".
    fn clock(&self, place: usize) -> Option<(u32, u32, u32, usize)> {
        let text = self.tokens[place].text;
        let below = |text: &str, limit: u32, digits: std::ops::RangeInclusive<usize>| {
            let fits = digits.contains(&text.len());
            fits.then(|| text.parse::<u32>().ok()).flatten().filter(|number| *number < limit)
        };
        if let Some((hour, minute)) = text.split_once('.') {
            return Some((below(hour, 25, 1..=2)?, below(minute, 60, 2..=2)?, 0, place + 1));
        }
        if text.len() == 4 {
            return Some((below(text.get(..2)?, 25, 2..=2)?, below(&text[2..], 60, 2..=2)?, 0, place + 1));
        }
        let hour = below(text, 25, 1..=2)?;
        let part = |place: usize| {
            let glued = |place: usize| self.tokens.get(place).filter(|token| token.glued);
            glued(place).filter(|mark| mark.text == ":")?;
            below(glued(place + 1)?.text, 60, 2..=2)
        };
        match (part(place + 1), part(place + 3)) {
            (Some(minute), Some(second)) => Some((hour, minute, second, place + 5)),
            (Some(minute), None) => Some((hour, minute, 0, place + 3)),
            _ => Some((hour, 0, 0, place + 1)),
        }
    }

    /// "am", "p.m.": whether it is afternoon, and the token after it.
    fn half(&self, place: usize) -> Option<(bool, usize)> {
        match &*self.tokens.get(place)?.lower {
            "am" => Some((false, place + 1)),
            "pm" => Some((true, place + 1)),
            letter @ ("a" | "p") if self.is(place + 1, ".") && self.is(place + 2, "m") => {
                let stop = self.tokens.get(place + 3).is_some_and(|token| token.glued && token.text == ".");
                Some((letter == "p", place + 3 + usize::from(stop)))
            }
            letter @ ("a" | "p") if self.is(place + 1, "m") => Some((letter == "p", place + 2)),
            _ => None,
        }
    }

    /// A time with the part of the day after it, which says whether it is afternoon: "at night", "in the morning".
    fn with_part_of_day(&self, parsed: ParsedTime) -> ParsedTime {
        let ParsedTime { time: Time { seconds, half_known }, end, settled, .. } = parsed;
        let in_the = self.is(end, "in") && self.is(end + 1, "the");
        let (part, words) = if in_the { (end + 2, 3) } else { (end + 1, 2) };
        let is_evening = (HALF_DAY / 2..HALF_DAY).contains(&seconds);
        let afternoon = match self.tokens.get(part).map(|token| &*token.lower) {
            Some("morning") if in_the => false,
            Some("afternoon" | "evening") if in_the => true,
            Some("night") if self.is(end, "at") => is_evening,
            _ => return parsed,
        };
        if half_known || !settled {
            return parsed;
        }
        let seconds = seconds % HALF_DAY + if afternoon { HALF_DAY } else { 0 };
        ParsedTime { time: Time { seconds, half_known: true }, end: end + words, ..parsed }
    }

    fn is_o_clock(&self, place: usize) -> bool {
        let mark = self.tokens.get(place + 1).is_some_and(Token::is_apostrophe);
        self.is(place, "o") && mark && self.is(place + 2, "clock")
    }

    fn in_words(&self, place: usize) -> Option<ParsedTime> {
        let parsed = |hour: u32, minute: u32, half_known: bool, end: usize| {
            let time = Time { seconds: hour * 3600 + minute * 60, half_known };
            Some(ParsedTime { time, end, certain: true, settled: true })
        };
        match &*self.tokens[place].lower {
            "noon" | "midday" => return parsed(12, 0, true, place + 1),
            "midnight" => return parsed(0, 0, true, place + 1),
            _ => {}
        }
        if let Some(hour) = self.hour(place).filter(|_| self.is_o_clock(place + 1)) {
            return parsed(hour, 0, false, place + 4);
        }
        if let Some((hour, (half, end))) = self.hour(place).zip(self.half(place + 1)) {
            let afternoon = self.tokens[end - 1].text.len() > 1 || self.is(end - 1, ".");
            return afternoon.then(|| parsed(with_half(hour, Some(half))?, 0, true, end)).flatten();
        }
        let (minute, after) = self.minutes(place)?;
        let past = self.is(after, "past");
        let hour = self.hour(after + 1).filter(|_| past || self.is(after, "to"))?;
        let clear = past || self.is(place, "quarter") || after > place + 1;
        let minutes = if past { hour * 60 + minute } else { hour * 60 - minute };
        clear.then(|| parsed(minutes / 60 % 24, minutes % 60, false, after + 2)).flatten()
    }

    /// "half", "quarter", "ten minutes" before "past" or "to", and the token after it.
    fn minutes(&self, place: usize) -> Option<(u32, usize)> {
        let minute = match &*self.tokens[place].lower {
            "half" => 30,
            "quarter" => 15,
            word => match number_word(word)? {
                (NumberWord::Unit | NumberWord::Teen | NumberWord::Ten, value) if value < 30.0 => {
                    value as u32
                }
                _ => return None,
            },
        };
        let has_unit = self.is(place + 1, "minutes");
        Some((minute, place + 1 + usize::from(has_unit)))
    }

    fn hour(&self, place: usize) -> Option<u32> {
        let token = self.tokens.get(place)?;
        let spelled = match number_word(&token.lower) {
            Some((NumberWord::Unit | NumberWord::Teen, value)) => Some(value as u32),
            _ => token.whole().and_then(|hour| u32::try_from(hour).ok()),
        };
        spelled.filter(|hour| (1..=12).contains(hour))
    }
}

/// The hour, 0..=23; `None` for an hour that no 12-hour clock has.
fn with_half(hour: u32, afternoon: Option<bool>) -> Option<u32> {
    match afternoon {
        None => Some(hour % 24),
        Some(_) if hour > 24 => None,
        Some(_) if !(1..=12).contains(&hour) => Some(hour % 24),
        Some(afternoon) => Some(hour % 12 + if afternoon { 12 } else { 0 }),
    }
}
