//! Noun phrases.
//!
//! Decides where a noun phrase ends, what its head is and whether it is a name, a time or a
//! quantity. Dates ("June 5, 2014") and places ("Paris, Texas") are one phrase, as is what "of"
//! joins. Refuses lists and what stands behind the head.

use std::ops::Range;

use super::ahead::is_plural_noun;
use super::tagger::{Tag, Word};
use super::words;

/// A noun phrase: words `start..end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Noun {
    pub start: usize,
    pub end: usize,
    pub head: usize,
    /// Where the phrase would end without "of ..." .
    pub core_end: usize,
    pub plural: bool,
    pub name: bool,
    pub pronoun: bool,
    pub determined: bool,
    pub number: bool,
}

impl Noun {
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

pub(super) fn in_list(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|entry| entry == word)
}

/// The noun phrase at `from`, "of ..." included.
pub(super) fn noun_phrase(words: &[Word], from: usize, end: usize) -> Option<Noun> {
    let mut noun = plain_noun(words, from, end)?;
    let mut guard = 0;
    while noun.end < end && words[noun.end].lower() == "of" && guard < 6 && !noun.pronoun_only(words) {
        guard += 1;
        let Some(next) = plain_noun(words, noun.end + 1, end) else { break };
        noun.end = next.end;
    }
    Some(noun)
}

impl Noun {
    fn pronoun_only(&self, words: &[Word]) -> bool {
        self.pronoun
            && !["none", "one", "some", "all", "many", "most", "both", "each", "any", "those", "that"]
                .contains(&words[self.head].lower())
    }
}

/// A noun phrase without "of".
pub(super) fn plain_noun(words: &[Word], from: usize, end: usize) -> Option<Noun> {
    let first = words.get(from).filter(|_| from < end)?;
    let alone = |pronoun| Noun {
        start: from,
        end: from + 1,
        head: from,
        core_end: from + 1,
        plural: matches!(
            first.lower(),
            "they" | "we" | "you" | "them" | "us" | "these" | "those" | "both" | "many" | "few" | "several"
        ),
        name: false,
        pronoun,
        determined: true,
        number: false,
    };
    if first.is(Tag::Pronoun) && !words.get(from + 1).is_some_and(|next| next.is(Tag::Possessive)) {
        return Some(alone(true));
    }
    let mut place = from;
    while place < end && place < from + 3 && is_quantity_opener(words, place, end) {
        place += 1;
    }
    let mut determined = false;
    while place < end
        && matches!(words[place].tag, Tag::Determiner | Tag::Owner | Tag::That)
        && place < from + 4
    {
        determined = true;
        place += 1;
    }
    while place < end && place < from + 7 && determined && is_quantity_opener(words, place, end) {
        place += 1;
    }
    let (last, head, number) = nominals(words, place, end);
    if let Some(head) = head {
        let found = Noun {
            start: from,
            end: last,
            head,
            core_end: last,
            plural: is_plural_noun(words[head].lower()) && !words[head].is(Tag::Name),
            name: words[head].is(Tag::Name),
            pronoun: false,
            determined,
            number,
        };
        return Some(extend(words, found, end));
    }
    let pronoun_like = determined
        && place == from + 1
        && !matches!(
            first.lower(),
            "the" | "a" | "an" | "my" | "your" | "his" | "her" | "its" | "our" | "their" | "every" | "no"
        );
    pronoun_like.then(|| alone(true))
}

/// "more than", "about", "only" before a number; "both", "all" before a determiner.
pub(super) fn is_quantity_opener(words: &[Word], place: usize, end: usize) -> bool {
    let near_number = (1..=3).any(|step| {
        place + step < end
            && words[place + step].is(Tag::Number)
            && words[place + 1..place + step]
                .iter()
                .all(|word| !matches!(word.tag, Tag::Noun | Tag::Name | Tag::Comma | Tag::Verb))
    });
    let lower = words[place].lower();
    let opener = in_list(
        "close to more less fewer than over about around nearly almost only just at least most up to some approximately roughly as many exactly under below above another further",
        lower,
    );
    (opener && near_number)
        || (words[place].is(Tag::Adverb)
            && place + 1 < end
            && words[place + 1].is(Tag::Adjective)
            && lower != "ago")
}

/// The adjectives, numbers and nouns from `place`; where they end, and the last noun.
fn nominals(words: &[Word], from: usize, end: usize) -> (usize, Option<usize>, bool) {
    let (mut place, mut head, mut number) = (from, None, false);
    let mut last = from;
    while place < end {
        match words[place].tag {
            Tag::Noun | Tag::Name => {
                if words[place].is(Tag::Noun) && head.is_some_and(|head: usize| words[head].is(Tag::Pronoun))
                {
                    break;
                }
                head = Some(place);
                last = place + 1;
                // "On Sunday Ann Hall came": a day ends its phrase before a name.
                if in_list(words::DAYS, words[place].lower())
                    && words.get(place + 1).is_some_and(|next| next.is(Tag::Name))
                {
                    break;
                }
            }
            Tag::Number => {
                if head.is_none() {
                    head = Some(place);
                    number = true;
                }
                last = place + 1;
            }
            Tag::Adjective => {
                if head.is_some() && in_list("last next", words[place].lower()) {
                    break;
                }
                if head.is_some_and(|head| head + 1 == place && !words[head].is(Tag::Number))
                    && !noun_follows(words, place + 1, end)
                {
                    break;
                }
                if head.is_none() && from > 0 && matches!(words[from - 1].tag, Tag::Determiner) {
                    head = Some(place);
                }
                if head.is_some() {
                    last = place + 1;
                }
            }
            Tag::Possessive if head.is_some() => last = place + 1,
            Tag::Quote => match quoted(words, place, end) {
                Some(close) if head.is_none_or(|_| close - place < 9) => {
                    head = Some(place + 1);
                    last = close + 1;
                    place = close;
                }
                _ => break,
            },
            Tag::Coordinator if joins_modifiers(words, place, end) => {}
            Tag::Comma
                if joins_modifiers(words, place, end)
                    && head.is_none_or(|head| words[head].is(Tag::Number)) => {}
            _ => break,
        }
        place += 1;
    }
    (last, head.filter(|head| *head < last), number && head.is_some_and(|head| words[head].is(Tag::Number)))
}

fn noun_follows(words: &[Word], place: usize, end: usize) -> bool {
    place < end && matches!(words[place].tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number)
}

/// "pragmatic but effective approach", "a tall, dark man".
fn joins_modifiers(words: &[Word], place: usize, end: usize) -> bool {
    place > 0
        && words[place - 1].is(Tag::Adjective)
        && place + 2 < end
        && words[place + 1].is(Tag::Adjective)
        && matches!(words[place + 2].tag, Tag::Noun | Tag::Adjective)
}

/// The closing mark of a short quotation at `place` that has no clause in it.
pub(super) fn quoted(words: &[Word], place: usize, end: usize) -> Option<usize> {
    let close = (place + 1..end.min(place + 12)).find(|&inner| words[inner].is(Tag::Quote))?;
    let sentence = words[place + 1..close]
        .iter()
        .any(|word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal | Tag::Do));
    (close > place + 1 && !sentence).then_some(close)
}

/// Dates and places go on behind a comma.
fn extend(words: &[Word], mut noun: Noun, end: usize) -> Noun {
    let at = noun.end;
    if at + 1 < end && words[at].is(Tag::Comma) {
        let year = words[at + 1].is(Tag::Number) && words[at + 1].lower().len() == 4;
        let dated = at >= 2 && in_list(words::MONTHS, words[at - 2].lower()) && words[at - 1].is(Tag::Number);
        let region = in_list(words::REGIONS, words[at + 1].lower())
            && words[at + 1].is(Tag::Name)
            && words[at - 1].is(Tag::Name);
        let pair = at + 2 < end && {
            let both = [words[at + 1].lower(), words[at + 2].lower()].join(" ");
            words[at + 1].is(Tag::Name)
                && words[at - 1].is(Tag::Name)
                && words::REGION_PAIRS.split('|').any(|entry| entry.trim() == both)
        };
        if pair {
            noun.end = at + 3;
            noun.core_end = noun.end;
            return noun;
        }
        let closed = at + 2 >= end
            || words.get(at + 2).is_none_or(|next| {
                !matches!(next.tag, Tag::Coordinator | Tag::Name | Tag::Noun | Tag::Adjective)
            });
        if (year && dated) || (region && closed) {
            noun.end = at + 2;
            noun.core_end = noun.end;
            // The second comma of "Paris, Texas, is" belongs to the place.
            if region
                && noun.end + 1 < end
                && words[noun.end].is(Tag::Comma)
                && starts_predicate(&words[noun.end + 1])
            {
                noun.end += 1;
            }
        }
    }
    if at + 2 < end && words[at].is(Tag::Bracket) && words[at].lower() == "(" && words[at + 2].lower() == ")"
    {
        noun.end = at + 3;
        noun.core_end = noun.end;
    }
    noun
}

fn starts_predicate(word: &Word) -> bool {
    matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal | Tag::Do | Tag::Verb)
}

/// Whether the phrase names a time: "last year", "on Monday", "20 times".
pub(super) fn is_time(words: &[Word], noun: &Noun) -> bool {
    let head = words[noun.head].lower();
    let month = words[noun.start..noun.end]
        .iter()
        .any(|word| in_list(words::MONTHS, word.lower()) && word.is(Tag::Name));
    let unit = in_list(words::TIME_NOUNS, head) && noun.head + 1 == noun.core_end;
    in_list(words::DAYS, head)
        || month
        || (unit
            && (in_list(words::TIME_OPENERS, words[noun.start].lower())
                || words[noun.start].is(Tag::Number)
                || in_list("tonight today yesterday tomorrow", head)))
}
