//! The inside of a noun phrase: adjectives, numbers, nouns, short quotations.
//!
//! Decides which of them belong together and which noun is the head. Refuses determiners, which `nouns` reads first.

use super::super::lexicon::{classes, names};
use super::super::tagging::{Tag, Word};

/// Maximum length in words of a quotation after a noun, with its marks.
const LONGEST_NAME: usize = 9;

/// Nominals read so far.
struct Run<'w, 't> {
    words: &'w [Word<'t>],
    from: usize,
    end: usize,
    /// The end so far.
    last: usize,
    head: Option<usize>,
    number: bool,
}

/// Reads the adjectives, numbers and nouns from `from`: their end, the last noun, and whether that is a number.
pub(crate) fn nominals(words: &[Word], from: usize, end: usize) -> (usize, Option<usize>, bool) {
    let mut run = Run { words, from, end, last: from, head: None, number: false };
    let mut place = from;
    while place < end {
        let Some(next) = run.take(place) else { break };
        place = next;
    }
    let head = run.head.filter(|head| *head < run.last);
    (run.last, head, run.number && head.is_some_and(|head| words[head].is(Tag::Number)))
}

impl Run<'_, '_> {
    /// Adds the word at `place` and returns the next place; `None` where the run ends.
    fn take(&mut self, place: usize) -> Option<usize> {
        let word = &self.words[place];
        match word.tag {
            // "the stunt Wednesday"
            Tag::Name if names::DAYS.contains(word.lower()) && self.is_behind_thing(place) => return None,
            Tag::Noun | Tag::Name => {
                self.add(place);
                // "On Sunday Ann Hall came": a day ends its phrase before a name.
                if names::DAYS.contains(word.lower()) && self.is(place + 1, Tag::Name) {
                    return None;
                }
            }
            // "singer three months ago"
            Tag::Number if self.is_behind_noun() && self.is_time_noun(place + 1) && word.lower() != "1" => {
                return None;
            }
            Tag::Number => {
                self.number |= self.head.is_none();
                self.head.get_or_insert(place);
                self.last = place + 1;
            }
            Tag::Adjective => self.adjective(place)?,
            Tag::Possessive if self.head.is_some() => self.last = place + 1,
            // "Spain's most loved cook"
            Tag::Determiner if self.is(place.wrapping_sub(1), Tag::Possessive) && word.lower() == "most" => {}
            Tag::Quote => return self.quotation(place),
            Tag::Coordinator if self.joins_modifiers(place) => {}
            Tag::Comma if self.joins_modifiers(place) && !self.is_behind_noun() => {}
            _ => return None,
        }
        Some(place + 1)
    }

    /// Makes the noun at `place` the head.
    fn add(&mut self, place: usize) {
        self.head = Some(place);
        self.last = place + 1;
    }

    fn adjective(&mut self, place: usize) -> Option<()> {
        if self.head.is_some() && self.ends_before_adjective(place) {
            return None;
        }
        // "the rich"
        if self.from > 0 && self.words[self.from - 1].is(Tag::Determiner) {
            self.head.get_or_insert(place);
        }
        if self.head.is_some() {
            self.last = place + 1;
        }
        Some(())
    }

    /// Adds a short quotation and returns the place after it.
    fn quotation(&mut self, place: usize) -> Option<usize> {
        let close = quoted(self.words, place, self.end)?;
        if self.head.is_some() && close - place >= LONGEST_NAME {
            return None;
        }
        self.head = Some(place + 1);
        self.last = close + 1;
        Some(close + 1)
    }

    fn is(&self, place: usize, tag: Tag) -> bool {
        self.words.get(place).is_some_and(|word| word.is(tag))
    }

    fn is_behind_noun(&self) -> bool {
        self.head.is_some_and(|head| !self.words[head].is(Tag::Number))
    }

    /// Whether a noun that is not a time precedes `place`.
    fn is_behind_thing(&self, place: usize) -> bool {
        self.is_behind_noun() && self.is(place - 1, Tag::Noun) && !self.is_time_noun(place - 1)
    }

    fn is_time_noun(&self, place: usize) -> bool {
        place < self.end && names::TIME_NOUNS.contains(self.words[place].lower())
    }

    /// Whether the adjective at `place`, after a noun, is not part of the run: "on Monday last", "painted the town red".
    fn ends_before_adjective(&self, place: usize) -> bool {
        let time = matches!(self.words[place].lower(), "last" | "next");
        let behind_noun = self.is_behind_noun() && self.head == place.checked_sub(1);
        let noun_follows = place + 1 < self.end
            && matches!(self.words[place + 1].tag, Tag::Noun | Tag::Name | Tag::Adjective | Tag::Number);
        time || (behind_noun && !noun_follows)
    }

    /// Whether the mark or conjunction at `place` joins adjectives: "pragmatic but effective approach", "a tall, dark man".
    fn joins_modifiers(&self, place: usize) -> bool {
        place > 0
            && place + 2 < self.end
            && self.words[place - 1].is(Tag::Adjective)
            && self.words[place + 1].is(Tag::Adjective)
            && matches!(self.words[place + 2].tag, Tag::Noun | Tag::Adjective)
    }
}

/// Whether the word at `place` belongs to a number ("more than", "about", "only") or an adjective ("very") after it.
pub(crate) fn is_quantity_opener(words: &[Word], place: usize, end: usize) -> bool {
    let between = |word: &Word| !matches!(word.tag, Tag::Noun | Tag::Name | Tag::Comma | Tag::Verb);
    let near_number = (1..=3).any(|step| {
        place + step < end
            && words[place + step].is(Tag::Number)
            && words[place + 1..place + step].iter().all(between)
    });
    let lower = words[place].lower();
    let degree = words[place].is(Tag::Adverb)
        && place + 1 < end
        && words[place + 1].is(Tag::Adjective)
        && lower != "ago";
    degree || (near_number && classes::QUANTITY_OPENERS.contains(lower))
}

/// The closing mark of a short quotation at `place` that contains no clause.
fn quoted(words: &[Word], place: usize, end: usize) -> Option<usize> {
    let close = (place + 1..end.min(place + 12)).find(|&inner| words[inner].is(Tag::Quote))?;
    let verb = |word: &Word| matches!(word.tag, Tag::Be | Tag::Have | Tag::Modal | Tag::Do);
    (close > place + 1 && !words[place + 1..close].iter().any(verb)).then_some(close)
}
