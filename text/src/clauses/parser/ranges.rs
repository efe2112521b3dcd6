//! Phrases with two ends: "from A to B", "by seven votes to three".
//!
//! Decides whether a "to" phrase is the second end of the phrase before it. Refuses to make a claim of one end.

use super::super::lexicon::names;
use super::super::tagging::Tag;
use super::super::tree::{Predicate, ends_at, start_of};
use super::Parser;
use super::nouns::{Noun, noun_phrase};
use super::predicates::Cursor;

impl Parser<'_, '_> {
    /// The noun after "to", if it is the second end of the phrase before: "from A to B", "by seven votes to three", "Monday
    /// to Friday".
    pub(crate) fn other_end(&self, into: &Predicate, at: &Cursor) -> Option<Noun> {
        let start = at.place;
        if self.lower(start) != "to" || at.after_comma {
            return None;
        }
        let noun = noun_phrase(self.words, start + 1, at.end)?;
        let slot = || into.slots.last().map(|slot| &slot.whole).filter(|whole| ends_at(whole, start));
        let from = into.adjunct_before(start).or_else(slot).map(start_of).filter(|from| *from < start)?;
        let before = &self.words[from..start];
        let counts = before.iter().any(|word| word.is(Tag::Number)) && self.words[noun.start].is(Tag::Number);
        let opened = before.iter().any(|word| word.lower() == "from");
        let times = noun_phrase(self.words, from + usize::from(self.words[from].is(Tag::Preposition)), start)
            .is_some_and(|first| first.end == start && self.is_span(&first) && self.is_span(&noun));
        (opened || counts || times).then_some(noun)
    }

    fn is_span(&self, noun: &Noun) -> bool {
        noun.is_time(self.words) || names::TIME_NOUNS.contains(self.lower(noun.head))
    }
}
