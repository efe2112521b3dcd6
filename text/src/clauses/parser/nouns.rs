//! Noun phrases.
//!
//! Decides where a noun phrase ends, what its head is and whether it is a name or a quantity. Dates ("June 5, 2014"),
//! places ("Paris, Texas") and nouns joined by "of" or "between" are one phrase. Refuses lists and other modifiers after
//! the head.

use std::ops::Range;

use super::super::lexicon::{classes, names};
use super::super::tagging::ahead::is_plural_noun;
use super::super::tagging::{Tag, Word};
use super::nominals::{is_quantity_opener, nominals};

/// A noun phrase: words `start..end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noun {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) head: usize,
    /// The end of the phrase without "of ...".
    pub(crate) core_end: usize,
    pub(crate) plural: bool,
    pub(crate) name: bool,
    pub(crate) pronoun: bool,
    pub(crate) determined: bool,
    pub(crate) number: bool,
}

impl Noun {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the phrase names a time: "last year", "on Monday", "20 times".
    pub(crate) fn is_time(&self, words: &[Word]) -> bool {
        let (first, head) = (&words[self.start], words[self.head].lower());
        let month = |word: &Word| word.is(Tag::Name) && names::MONTHS.contains(word.lower());
        let counted = names::TIME_OPENERS.contains(first.lower()) || first.is(Tag::Number);
        let unit = names::TIME_NOUNS.contains(head) && self.head + 1 == self.core_end;
        let relative =
            self.head + 2 == self.core_end && names::TIME_SHIFTS.contains(words[self.head + 1].lower());
        relative
            || names::DAYS.contains(head)
            || (unit && self.head > self.start && names::DAYS.contains(words[self.head - 1].lower()))
            || words[self.range()].iter().any(month)
            || (unit && (counted || names::NAMED_DAYS.contains(head)))
    }

    pub(crate) fn is_single_name(&self) -> bool {
        self.name && self.end == self.start + 1
    }

    /// Whether it cannot take "of": "he of".
    fn is_closed(&self, words: &[Word]) -> bool {
        self.pronoun && !classes::PARTITIVES.contains(words[self.head].lower())
    }

    /// A pronoun or determiner as a whole phrase.
    fn alone(word: &Word, place: usize) -> Self {
        Self {
            start: place,
            end: place + 1,
            head: place,
            core_end: place + 1,
            plural: classes::PLURAL_PRONOUNS.contains(word.lower()),
            name: false,
            pronoun: true,
            determined: true,
            number: false,
        }
    }
}

/// Maximum number of nouns joined by "of".
const LONGEST_CHAIN: usize = 7;

/// The noun phrase at `from` with its "of ...".
pub(crate) fn noun_phrase(words: &[Word], from: usize, end: usize) -> Option<Noun> {
    let mut noun = plain_noun(words, from, end)?;
    for _ in 1..LONGEST_CHAIN {
        if noun.end >= end || words[noun.end].lower() != "of" || noun.is_closed(words) {
            break;
        }
        let Some(next) = plain_noun(words, noun.end + 1, end) else { break };
        noun.end = next.end;
    }
    if !noun.pronoun && !noun.is_time(words) {
        noun.end = between_end(words, noun.end, end).unwrap_or(noun.end);
    }
    Some(noun)
}

/// The end of "between A and B", whose preposition is at `place`; phrases may follow A.
pub(crate) fn between_end(words: &[Word], place: usize, end: usize) -> Option<usize> {
    if place >= end || words[place].lower() != "between" {
        return None;
    }
    let mut noun = noun_phrase(words, place + 1, end)?;
    for _ in 0..4 {
        let next = words.get(noun.end).filter(|_| noun.end < end)?;
        noun = match next.tag {
            Tag::Coordinator => return noun_phrase(words, noun.end + 1, end).map(|last| last.end),
            Tag::Preposition => noun_phrase(words, noun.end + 1, end)?,
            _ => return None,
        };
    }
    None
}

/// A noun phrase without "of".
pub(crate) fn plain_noun(words: &[Word], from: usize, end: usize) -> Option<Noun> {
    let first = words.get(from).filter(|_| from < end)?;
    if first.is(Tag::Pronoun) && !words.get(from + 1).is_some_and(|next| next.is(Tag::Possessive)) {
        return Some(Noun::alone(first, from));
    }
    let (place, determined) = openers(words, from, end);
    let (last, head, number) = nominals(words, place, end);
    if let Some(head) = head {
        let name = words[head].is(Tag::Name);
        let found = Noun {
            start: from,
            end: last,
            head,
            core_end: last,
            plural: is_plural_noun(words[head].lower()) && !name,
            name,
            pronoun: false,
            determined,
            number,
        };
        return Some(with_what_belongs(words, found, end));
    }
    let article = matches!(first.lower(), "the" | "a" | "an" | "every" | "no");
    let stands_alone = !article && !classes::POSSESSIVE_DETERMINERS.contains(first.lower());
    (determined && place == from + 1 && stands_alone).then(|| Noun::alone(first, from))
}

/// The place after the words before the nouns ("both", "about", determiners), and whether there is a determiner.
fn openers(words: &[Word], from: usize, end: usize) -> (usize, bool) {
    let mut place = from;
    while place < end && place < from + 3 && is_quantity_opener(words, place, end) {
        place += 1;
    }
    let mut determined = false;
    while place < end
        && place < from + 4
        && matches!(words[place].tag, Tag::Determiner | Tag::PossessiveDeterminer | Tag::That)
    {
        determined = true;
        place += 1;
    }
    while place < end && place < from + 7 && determined && is_quantity_opener(words, place, end) {
        place += 1;
    }
    (place, determined)
}

/// Extends dates and places after a comma, names with a bracket, and times with "ago".
fn with_what_belongs(words: &[Word], mut noun: Noun, end: usize) -> Noun {
    let at = noun.end;
    let tag = |place: usize| (place < end).then(|| words[place].tag);
    let shifts = names::TIME_NOUNS.contains(words[noun.head].lower()) && noun.head + 1 == at;
    let after = match tag(at) {
        Some(_) if shifts && names::TIME_SHIFTS.contains(words[at].lower()) => Some(at + 1),
        Some(Tag::Comma) => region_end(words, at, end).or_else(|| year_end(words, at, end)),
        Some(Tag::Bracket) if at + 2 < end && words[at].lower() == "(" && words[at + 2].lower() == ")" => {
            Some(at + 3)
        }
        _ => None,
    };
    if let Some(after) = after {
        noun.end = after;
        noun.core_end = after;
    }
    noun
}

/// The end of "Paris, Texas", whose comma is at `comma`. A second comma belongs to the place if a predicate follows:
/// "Paris, Texas, is".
fn region_end(words: &[Word], comma: usize, end: usize) -> Option<usize> {
    let town = |word: &Word| matches!(word.tag, Tag::Name | Tag::Noun);
    if !comma.checked_sub(1).is_some_and(|last| town(&words[last])) {
        return None;
    }
    let next = words.get(comma + 1).filter(|_| comma + 1 < end)?.lower();
    let pair =
        words.get(comma + 2).filter(|_| comma + 2 < end).map(|second| [next, second.lower()].join("-"));
    let stop = if pair.is_some_and(|pair| names::REGION_PAIRS.contains(&pair)) {
        comma + 3
    } else if names::REGIONS.contains(next) && closes(words, comma + 2, end) {
        comma + 2
    } else {
        return None;
    };
    let predicate = |word: &Word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal | Tag::Do | Tag::Verb);
    let second = stop + 1 < end && words[stop].is(Tag::Comma) && predicate(&words[stop + 1]);
    Some(stop + usize::from(second))
}

/// The end of "June 5, 2014".
fn year_end(words: &[Word], comma: usize, end: usize) -> Option<usize> {
    let year = words.get(comma + 1).filter(|_| comma + 1 < end)?;
    let dated =
        comma >= 2 && words[comma - 1].is(Tag::Number) && names::MONTHS.contains(words[comma - 2].lower());
    (dated && year.is(Tag::Number) && year.lower().len() == 4).then_some(comma + 2)
}

/// Whether no list continues at `place`.
fn closes(words: &[Word], place: usize, end: usize) -> bool {
    let goes_on = |word: &Word| matches!(word.tag, Tag::Coordinator | Tag::Name | Tag::Noun | Tag::Adjective);
    place >= end || words.get(place).is_none_or(|word| !goes_on(word))
}
