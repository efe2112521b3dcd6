//! A claim in its document's notation: a quantity of the claim that the document writes otherwise is written as there
//! ("forty-seven" becomes "47"), because a judge compares notations worse than values.
//!
//! Decides which quantities are the same: to the precision as written, of one kind, and no less said of them in the
//! document. A bound or rounding that only one value of the document meets is read as that value (see `bounds`). Refuses to change a claim's value, a notation that the document has too, small numbers, which any judge
//! reads, ends of ranges, and words that are seldom quantities ("second", "may").

use std::ops::Range;

use super::bounds::{Met, met};
use super::lists::{NumberWord, number_word};
use super::lookup::Quantities;
use super::quantity::{Amount, AmountKind, Date, Modifier, Quantity, Time, Value};
use crate::text::index::TextIndex;
use crate::text::span::Span;
use crate::text::word_list::WordList;

/// Whole numbers up to this are left as they are.
const SMALL: f64 = 12.0;

/// Words before "half" that make it a part of something named: "the second half of the match".
static NAMED_HALF: WordList =
    WordList::new("the this that each every either last other latter top bottom upper lower early better");
/// Words after "half" that make it a share.
static SHARED: WordList = WordList::new("of the a an all its his her their our");

/// A claim as the judge reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadClaim {
    /// The text that is read.
    pub text: String,
    /// The parts that differ from the claim as given, in order.
    replaced: Vec<Replaced>,
}

/// A part of the claim as given, and what is read for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Replaced {
    given: Span,
    read: Span,
}

impl ReadClaim {
    /// A claim that is read as given.
    #[must_use]
    pub fn as_given(claim: &str) -> Self {
        Self { text: claim.to_owned(), replaced: Vec::new() }
    }

    /// A claim in the notation of a document, whose quantities are `quantities`.
    #[must_use]
    pub fn in_notation_of(document: &str, quantities: &Quantities, claim: &str) -> Self {
        let own = Quantities::of(claim);
        let mut read = Self { text: String::new(), replaced: Vec::new() };
        let (index, mut end) = (TextIndex::new(claim), 0);
        for (place, readings) in own.pieces() {
            let is_part = own.pieces().any(|(whole, _)| holds(&whole, &place));
            let readings: Vec<&Quantity> =
                readings.iter().filter(|reading| !is_part && is_replaceable(claim, reading)).collect();
            let Some((place, other)) = read_for(claim, place, &readings, document, quantities) else {
                continue;
            };
            if place.start < end {
                continue;
            }
            read.text += &claim[end..place.start];
            let start = read.text.chars().count();
            read.text += &other;
            read.replaced.push(Replaced {
                given: Span { start: index.character(place.start), end: index.character(place.end) },
                read: Span { start, end: read.text.chars().count() },
            });
            end = place.end;
        }
        read.text += &claim[end..];
        read
    }

    /// The part of the claim as given that a part of the read text stands for. A part of a replaced quantity stands for
    /// all of it.
    #[must_use]
    pub fn given(&self, part: Span) -> Span {
        let place = |at: usize, side: fn(&Span) -> usize| match self
            .replaced
            .iter()
            .rev()
            .find(|replaced| replaced.read.start < at)
        {
            None => at,
            Some(Replaced { given, read }) if at < read.end => side(given),
            Some(Replaced { given, read }) => given.end + (at - read.end),
        };
        Span { start: place(part.start, |given| given.start), end: place(part.end, |given| given.end) }
    }
}

/// Whether one part of a text is inside another and shorter.
fn holds(whole: &Range<usize>, part: &Range<usize>) -> bool {
    whole.start <= part.start && part.end <= whole.end && whole != part
}

/// Whether a reading of a claim's quantity may be written otherwise.
fn is_replaceable(claim: &str, reading: &Quantity) -> bool {
    let text = &claim[reading.span.clone()];
    let is_sure = reading.certain
        || match reading.value {
            Value::Date(_) | Value::Time(_) => text.contains(|letter: char| letter.is_ascii_digit()),
            _ if text.eq_ignore_ascii_case("half") => is_share(claim, &reading.span),
            _ => text.to_lowercase().starts_with("half"),
        };
    let is_open = match reading.value {
        Value::Amount(Amount { kind: AmountKind::Number | AmountKind::Ordinal, number, .. }) => {
            number > SMALL || number.fract() != 0.0
        }
        Value::Amount(Amount { kind: AmountKind::Label, .. }) | Value::Score(_) => false,
        _ => true,
    };
    reading.range.is_none() && is_sure && is_open
}

/// Whether a "half" is a share of what follows it.
fn is_share(claim: &str, half: &Range<usize>) -> bool {
    let words = |text: &str| text.to_lowercase().replace('-', " ");
    let (before, after) = (words(&claim[..half.start]), words(&claim[half.end..]));
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let is_named = NAMED_HALF.contains(last) || matches!(number_word(last), Some((NumberWord::Ordinal, _)));
    !is_named && after.split_whitespace().next().is_some_and(|next| SHARED.contains(next))
}

/// What is read for a quantity of the claim, and the part of the claim that it replaces.
fn read_for(
    claim: &str,
    place: Range<usize>,
    readings: &[&Quantity],
    document: &str,
    quantities: &Quantities,
) -> Option<(Range<usize>, String)> {
    let text = |quantity: &Quantity| &document[quantity.span.clone()];
    let is_stated =
        |other: &&Quantity| other.range.is_none() && readings.iter().any(|own| is_same(own, other));
    let same: Vec<&Quantity> =
        quantities.pieces().filter_map(|(_, others)| others.iter().find(is_stated)).collect();
    let Some(first) = same.first() else {
        let Met { place, value } = met(claim, &place, readings, quantities)?;
        let other = fitted(&claim[place.clone()], text(value), false);
        return Some(joined(claim, place, &other));
    };
    let own = &claim[place.clone()];
    let is_date = matches!(first.value, Value::Date(_));
    let is_as_own = |other: &Quantity| squeezed(text(other)).contains(&squeezed(own));
    // "23 September" may be that of one year or of another.
    let is_other = |other: &Quantity| is_date && other.value != first.value;
    if same.iter().any(|other| is_as_own(other) || is_other(other)) {
        return None;
    }
    let other = fitted(own, text(first), is_date);
    Some(joined(claim, place, &other))
}

/// A text in lower case, without spaces and hyphens.
fn squeezed(text: &str) -> String {
    text.to_lowercase().chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect()
}

/// Whether a document's quantity says what the claim's says, whatever their modifiers.
fn is_same(own: &Quantity, other: &Quantity) -> bool {
    match (own.value, other.value) {
        (Value::Amount(_), Value::Amount(_)) if own.is_same_kind(other, &|| true) => {
            let plain = |quantity: &Quantity| Quantity { modifier: Modifier::Plain, ..quantity.clone() };
            let (own, other) = (plain(own), plain(other));
            own.is_implied_by(&other) && other.is_implied_by(&own)
        }
        (Value::Date(own), Value::Date(other)) => is_same_date(&own, &other),
        (Value::Time(own), Value::Time(other)) => is_same_time(own, other),
        _ => false,
    }
}

/// Whether a date is the other one; the other may have a year that it lacks.
fn is_same_date(own: &Date, other: &Date) -> bool {
    let year = own.year.or(other.year.filter(|_| own.month.is_some()));
    Date { year, ..*own } == *other
}

fn is_same_time(own: Time, other: Time) -> bool {
    own.seconds == other.seconds && (other.half_known || !own.half_known)
}

/// A replacement with the words and marks beside it: "the" before "twenty-third of September" goes with it, and of two
/// stops one stays.
fn joined(claim: &str, mut place: Range<usize>, other: &str) -> (Range<usize>, String) {
    let own = &claim[place.clone()];
    if own.contains(" of ")
        && !other.contains(" of ")
        && claim[..place.start].to_lowercase().ends_with("the ")
    {
        place.start -= "the ".len();
    }
    let mut other = other.to_owned();
    if own.ends_with('.') && place.end == claim.len() && !other.ends_with('.') {
        other.push('.');
    } else if other.ends_with('.') && claim[place.end..].starts_with('.') {
        other.pop();
    }
    (place, other)
}

/// Another quantity, capitalised if the replaced one is. Dates keep their capitals.
#[must_use]
pub(crate) fn fitted(own: &str, other: &str, is_date: bool) -> String {
    let (mut letters, opens) = (other.chars(), own.starts_with(char::is_uppercase));
    match letters.next() {
        Some(first) if first.is_lowercase() && opens => first.to_uppercase().chain(letters).collect(),
        Some(first)
            if first.is_uppercase() && !opens && !is_date && letters.clone().any(char::is_lowercase) =>
        {
            first.to_lowercase().chain(letters).collect()
        }
        _ => other.to_owned(),
    }
}
