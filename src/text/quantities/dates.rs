//! Dates: "3 May 2024", "May 3rd", "2024-05-03", "2024-05", "3/5", "Monday", "the 1970s", "the 19th century". Years alone are read with the
//! numbers.

use super::amounts::YEARS;
use super::lists::{month, number_word, weekday};
use super::numerals::{Sort, numeral};
use super::quantity::{Date, Quantity, Value, Written};
use super::tokens::Token;

/// Maximum number of days in a list before one month: "3, 4 and 5 May".
const MAX_DAYS: usize = 5;

/// Months whose name is also a verb, a noun or a person's name.
const OTHER_WORDS: [&str; 5] = ["may", "march", "april", "june", "august"];

/// Words that precede a month without a day.
const BEFORE_MONTH: [&str; 24] = [
    "in", "since", "until", "till", "by", "from", "to", "last", "next", "this", "early", "late", "mid", "of",
    "during", "through", "between", "and", "before", "after", "every", "each", "for", "on",
];

/// Reads the date that begins at a token. Returns the token after it.
pub(super) fn read(tokens: &[Token<'_>], place: usize, found: &mut Vec<Quantity>) -> Option<usize> {
    let reader = Reader { tokens };
    if let Some((dates, end)) = reader.numeric(place) {
        found.extend(dates.into_iter().map(|date| reader.quantity(place, end, date, true)));
        return Some(end);
    }
    if let Some(dates) = reader.of_two_numbers(place) {
        // The two may be numbers as well.
        found.extend(dates.into_iter().map(|date| reader.quantity(place, place + 3, date, false)));
        return None;
    }
    let dated = reader.in_words(place).or_else(|| reader.span_of_years(place));
    let (dates, end, certain) = dated?;
    found.extend(dates.into_iter().map(|date| reader.quantity(place, end, date, certain)));
    Some(end)
}

/// A day and a month without a year.
fn of_no_year(day: i32, month: i32) -> Option<Date> {
    let day = (1..=31).contains(&day).then_some(day as u8)?;
    Some(Date { month: Some(month_number(month)?), day: Some(day), years: 1, ..Date::default() })
}

fn month_number(number: i32) -> Option<u8> {
    (1..=12).contains(&number).then_some(number as u8)
}

struct Reader<'s, 't> {
    tokens: &'s [Token<'t>],
}

impl Reader<'_, '_> {
    fn quantity(&self, from: usize, end: usize, date: Date, certain: bool) -> Quantity {
        let span = self.tokens[from].start..self.tokens[end - 1].end();
        let written = if self.tokens[from..end].iter().any(Token::is_digits) {
            Written::Digits
        } else {
            Written::Words
        };
        Quantity::plain(span, Value::Date(date), written, certain)
    }

    fn token(&self, place: usize) -> Option<&Token<'_>> {
        self.tokens.get(place)
    }

    /// "2024-05", and "23/9" or "9/23". A span of years ("2006-09") is none, nor a fraction ("1/2") without "on" before it.
    fn of_two_numbers(&self, place: usize) -> Option<Vec<Date>> {
        let [first, mark, second, ..] = &self.tokens[place..] else { return None };
        let (one, two) = (first.whole()?, second.whole()?);
        if !(mark.glued && second.glued && self.stands_apart(place, place + 3)) {
            return None;
        }
        let is_on = place.checked_sub(1).is_some_and(|before| self.tokens[before].is("on"));
        let is_fraction = one < two && two <= 10 && !is_on;
        let is_span = one % 100 < two;
        let dates: Vec<Date> = match (first.text.len(), mark.text, second.text.len()) {
            (4, "-", 2) if YEARS.contains(&one) && !is_span => {
                let of_month =
                    |month| Date { year: Some(one), month: Some(month), years: 1, ..Date::default() };
                month_number(two).map(of_month).into_iter().collect()
            }
            (1 | 2, "/", 1 | 2) if !is_fraction => {
                [of_no_year(one, two), of_no_year(two, one)].into_iter().flatten().collect()
            }
            _ => Vec::new(),
        };
        (!dates.is_empty()).then_some(dates)
    }

    /// Whether no word, dash or slash joins the tokens to their neighbours.
    fn stands_apart(&self, from: usize, end: usize) -> bool {
        let joins = |token: &Token<'_>| token.is_word() || matches!(token.text, "-" | "/");
        let is_joined_before =
            self.tokens[from].glued && from.checked_sub(1).is_some_and(|before| joins(&self.tokens[before]));
        let is_joined_after = self.token(end).is_some_and(|next| next.glued && joins(next));
        !(is_joined_before || is_joined_after)
    }

    /// "2024-05-03", "03/05/2024" in both readings, "3.5.24".
    fn numeric(&self, place: usize) -> Option<(Vec<Date>, usize)> {
        let mark = self.token(place + 1).filter(|mark| mark.glued && matches!(mark.text, "-" | "/" | "."))?;
        let glued = |offset: usize| self.token(place + offset).filter(|token| token.glued);
        let again = glued(3).filter(|again| again.text == mark.text)?;
        let parts = [self.token(place)?, glued(2)?, glued(4)?];
        let [first, second, third] = [parts[0].whole()?, parts[1].whole()?, parts[2].whole()?];
        let date = |year: i32, month: i32, day: i32| {
            let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
            let (month, day) = (Some(month as u8), Some(day as u8));
            fits.then_some(Date { year: Some(year), years: 1, month, day, weekday: None })
        };
        let dates: Vec<Date> = match (parts[0].text.len(), parts[2].text.len()) {
            (4, 1 | 2) if again.text != "." || third > 0 => date(first, second, third).into_iter().collect(),
            (1 | 2, 4) => date(third, second, first).into_iter().chain(date(third, first, second)).collect(),
            (1 | 2, 2) => {
                let year = third + if third < 50 { 2000 } else { 1900 };
                date(year, second, first).into_iter().chain(date(year, first, second)).collect()
            }
            _ => Vec::new(),
        };
        let followed = self
            .token(place + 5)
            .is_some_and(|next| next.glued && next.text == mark.text && mark.text != ".");
        (!dates.is_empty() && !followed).then_some((dates, place + 5))
    }

    /// A date with the name of a month or a day; the last value is whether it certainly is a date.
    fn in_words(&self, place: usize) -> Option<(Vec<Date>, usize, bool)> {
        let token = &self.tokens[place];
        // In lower-cased texts "sat" and "sun" are not days.
        let named = weekday(&token.lower).filter(|(_, whole)| *whole || token.is_capitalised());
        let Some((day, whole)) = named else {
            return self
                .days_of_month(place)
                .or_else(|| self.month_first(place))
                .or_else(|| self.month_alone(place));
        };
        let stop = usize::from(!whole && self.token(place + 1).is_some_and(|next| next.text == "."));
        let comma = usize::from(self.token(place + 1 + stop).is_some_and(|next| next.text == ","));
        let after = place + 1 + stop + comma;
        let the = usize::from(self.token(after).is_some_and(|next| next.is("the")));
        let more = (after + the < self.tokens.len())
            .then(|| self.days_of_month(after + the).or_else(|| self.month_first(after)))
            .flatten();
        if let Some((mut dates, end, _)) = more {
            dates.iter_mut().for_each(|date| date.weekday = Some(day));
            return Some((dates, end, true));
        }
        let alone = Date { weekday: Some(day), years: 1, ..Date::default() };
        whole.then(|| (vec![alone], place + 1, true))
    }

    /// "3 May 2024", "the third of May", "3-5 May".
    fn days_of_month(&self, place: usize) -> Option<(Vec<Date>, usize, bool)> {
        let (days, end) = self.days(place, &["and", "to", ",", "or", "&"])?;
        let of = usize::from(self.token(end).is_some_and(|token| token.is("of")));
        let dash =
            usize::from(of == 0 && self.token(end).is_some_and(|token| token.is_dash() && token.glued));
        let (month, end) = self.month(end + of + dash)?;
        Some(self.dates(month, days, end))
    }

    /// The days of a list, which a dash or one of `joining` joins, and the token after them.
    fn days(&self, place: usize, joining: &[&str]) -> Option<(Vec<u8>, usize)> {
        let (first, mut end) = self.day(place)?;
        let mut days = vec![first];
        let joins = |token: &&Token<'_>| token.is_dash() || joining.contains(&&*token.lower);
        while let Some((day, after)) = self
            .token(end)
            .filter(|token| joins(token) && days.len() < MAX_DAYS)
            .and_then(|_| self.day(end + 1))
        {
            days.push(day);
            end = after;
        }
        Some((days, end))
    }

    /// Days of a month, with the year that may follow at a token.
    fn dates(&self, month: u8, days: Vec<u8>, end: usize) -> (Vec<Date>, usize, bool) {
        let (year, end) = self.year(end);
        let date = |day: u8| Date { year, years: 1, month: Some(month), day: Some(day), weekday: None };
        (days.into_iter().map(date).collect(), end, true)
    }

    /// "May 3", "May 3rd, 2024", "May 2024", "May 3-5".
    fn month_first(&self, place: usize) -> Option<(Vec<Date>, usize, bool)> {
        let (month, end) = self.month(place)?;
        let of = usize::from(self.token(end).is_some_and(|token| token.is("of")));
        if let (Some(year), end) = self.year(end + of) {
            return Some((
                vec![Date { year: Some(year), years: 1, month: Some(month), ..Date::default() }],
                end,
                true,
            ));
        }
        let the = usize::from(self.token(end).is_some_and(|token| token.is("the")));
        let (days, end) = self.days(end + the, &["and", "to", "or", "&"])?;
        Some(self.dates(month, days, end))
    }

    /// "in May": certain after a word that precedes dates.
    fn month_alone(&self, place: usize) -> Option<(Vec<Date>, usize, bool)> {
        let token = &self.tokens[place];
        let (number, whole) = month(&token.lower).filter(|(_, whole)| *whole)?;
        let before = place.checked_sub(1).and_then(|before| self.token(before));
        let dated = before.is_some_and(|before| BEFORE_MONTH.contains(&&*before.lower) || before.is_dash());
        let other = OTHER_WORDS.contains(&&*token.lower);
        let certain = token.is_capitalised() && (!other || dated);
        let fits = whole && (token.is_capitalised() || !other || dated);
        fits.then(|| (vec![Date { month: Some(number), years: 1, ..Date::default() }], place + 1, certain))
    }

    /// A month, and the token after it and after the stop of its abbreviation.
    fn month(&self, place: usize) -> Option<(u8, usize)> {
        let token = self.token(place).filter(|token| token.is_word())?;
        let (number, whole) = month(&token.lower)?;
        let written = token.is_capitalised() || whole;
        let stop =
            usize::from(!whole && self.token(place + 1).is_some_and(|next| next.text == "." && next.glued));
        written.then_some((number, place + 1 + stop))
    }

    /// A day of the month: "3", "3rd", "third".
    fn day(&self, place: usize) -> Option<(u8, usize)> {
        let token = self.token(place)?;
        if let Some(day) = token.whole() {
            let fits = (1..=31).contains(&day) && token.text.len() <= 2;
            let suffix = self
                .token(place + 1)
                .is_some_and(|next| next.glued && matches!(&*next.lower, "st" | "nd" | "rd" | "th"));
            return fits.then_some((day as u8, place + 1 + usize::from(suffix)));
        }
        number_word(&token.lower)?;
        let ordinal = numeral(self.tokens, place).filter(|found| found.sort == Sort::Ordinal)?;
        (1.0..=31.0).contains(&ordinal.number).then_some((ordinal.number as u8, ordinal.end))
    }

    /// The year at a token, or after a comma there, and the token after it.
    fn year(&self, place: usize) -> (Option<i32>, usize) {
        let comma = usize::from(self.token(place).is_some_and(|token| token.text == ","));
        let token = self.token(place + comma).filter(|token| token.text.len() == 4);
        match token.and_then(Token::whole).filter(|year| YEARS.contains(year)) {
            Some(year) => (Some(year), place + comma + 1),
            None => (None, place),
        }
    }

    /// "1970s", "the '70s", "seventies", "19th century".
    fn span_of_years(&self, place: usize) -> Option<(Vec<Date>, usize, bool)> {
        let token = &self.tokens[place];
        let made = |year: i32, years: i32, end: usize| {
            (vec![Date { year: Some(year), years, ..Date::default() }], end, true)
        };
        if let Some(year) = token.whole().filter(|year| year % 10 == 0) {
            let apostrophe =
                usize::from(self.token(place + 1).is_some_and(|next| next.glued && next.is_apostrophe()));
            let ends = self.token(place + 1 + apostrophe).is_some_and(|next| next.glued && next.text == "s");
            match token.text.len() {
                4 if ends && YEARS.contains(&year) => {
                    let (mut dates, end, certain) = made(year, 10, place + 2 + apostrophe);
                    // "The 1900s" are ten years or a century.
                    let century = (year % 100 == 0).then_some(Date { years: 100, ..dates[0] });
                    dates.extend(century);
                    return Some((dates, end, certain));
                }
                2 if ends && year >= 10 => return Some(made(1900 + year, 10, place + 2 + apostrophe)),
                _ => {}
            }
        }
        if let Some(stem) = token.lower.strip_suffix("ies") {
            let (_, tens) = number_word(&format!("{stem}y"))?;
            return Some(made(1900 + tens as i32, 10, place + 1));
        }
        if !(token.is_digits() || number_word(&token.lower).is_some()) {
            return None;
        }
        let ordinal = numeral(self.tokens, place)
            .filter(|found| found.sort == Sort::Ordinal && found.number <= 21.0)?;
        let dash = usize::from(self.token(ordinal.end).is_some_and(Token::is_dash));
        let word = self.token(ordinal.end + dash)?;
        let century = word.is("century") || word.is("centuries");
        century.then(|| made((ordinal.number as i32 - 1) * 100, 100, ordinal.end + dash + 1))
    }
}
