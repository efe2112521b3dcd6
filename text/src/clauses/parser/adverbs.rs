//! Adverbs after a verb.
//!
//! Decides whether an adverb introduces the phrase after it or stands alone. Refuses to drop a hedge: "allegedly" stays.

use super::super::lexicon::{classes, names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Predicate, Slot, ends_at, source};
use super::Parser;
use super::nouns::noun_phrase;
use super::predicates::Cursor;

impl Parser<'_, '_> {
    pub(crate) fn adverb(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (start, end) = (at.place, at.end);
        let is_adverb = |place: &usize| matches!(self.tag(*place, end), Some(Tag::Adverb | Tag::Not));
        let stop = (start + 1..end).find(|place| !is_adverb(place)).unwrap_or(end);
        let behind = self.tag(stop, end);
        if stop == start + 1 && self.is_particle(into, at) {
            into.extend(start, stop);
            at.place = stop;
            return true;
        }
        let negates = self.tag(start, end) == Some(Tag::Not) && !verb_kinds::CONTROL.contains(self.base(at));
        if negates && behind == Some(Tag::To) && self.not_to(into, at, stop) {
            return true;
        }
        if behind == Some(Tag::Verb) && at.last.is_some() && self.read_participle(into, at) {
            return true;
        }
        if behind == Some(Tag::Subordinator) && classes::FOCUSING.contains(self.lower(stop - 1)) {
            at.place = stop;
            return self.subordinate(into, at, start);
        }
        if behind == Some(Tag::Adjective) {
            return self.adjectives(into, at);
        }
        if let Some(next) = self.with_adverb(stop, end) {
            if self.is_copula(at) && into.slots.is_empty() && behind == Some(Tag::Preposition) {
                into.slots.push(Slot::single(source(start..next)));
            } else {
                into.adjuncts.push(source(start..next));
            }
            at.pass(next);
            return true;
        }
        if into.slots.is_empty() && noun_phrase(self.words, start, end).is_some() {
            return self.object(into, at);
        }
        self.lone_adverb(into, at, stop);
        at.place = stop;
        true
    }

    /// "its decision not to call up": a negated infinitive stays with the noun or the verb before it.
    fn not_to(&mut self, into: &mut Predicate, at: &mut Cursor, to: usize) -> bool {
        let kept = self.asides.len();
        let (inner, next) = self.predicates(to + 1, at.end, &at.subject.of_dependent());
        self.asides.truncate(kept);
        if inner.is_empty() {
            return false;
        }
        into.extend(at.place, next);
        at.pass(next);
        true
    }

    /// Whether the word is a particle of the verb after its object: "pulled a goal back".
    pub(crate) fn is_particle(&self, into: &Predicate, at: &Cursor) -> bool {
        let word = self.lower(at.place);
        let behind_object = into.slots.first().is_some_and(|slot| ends_at(&slot.whole, at.place));
        (word == "back" || classes::FREE_PARTICLES.contains(word))
            && behind_object
            && !self.is_copula(at)
            && self.lower(at.place + 1) != "of"
    }

    /// The end of the phrase at `place` that the adverb before it introduces: "mostly in Spain",
    /// "earlier this week".
    fn with_adverb(&self, place: usize, end: usize) -> Option<usize> {
        if self.tag(place, end) == Some(Tag::Preposition) {
            return self.prepositional(place, end);
        }
        let noun = noun_phrase(self.words, place, end)?;
        let before = self.lower(place - 1);
        let shifts = names::TIME_SHIFTS.contains(before) && noun.is_time(self.words);
        let counts = matches!(before, "once" | "twice" | "thrice")
            && names::TIME_NOUNS.contains(self.lower(noun.head));
        (shifts || counts).then_some(noun.end)
    }

    /// Adverbs up to `stop` that introduce nothing.
    fn lone_adverb(&self, into: &mut Predicate, at: &Cursor, stop: usize) {
        let last = self.lower(stop - 1);
        let before_verb = self.tag(stop, at.end) == Some(Tag::Verb);
        let free = !before_verb && (last.ends_with("ly") || classes::TIME_ADVERBS.contains(last));
        let complements = self.is_copula(at) && into.slots.is_empty();
        if classes::HEDGES.contains(self.lower(at.place)) {
            into.conditions.extend(source(at.place..stop));
        } else if free && !complements {
            into.adjuncts.push(source(at.place..stop));
        } else {
            into.extend(at.place, stop);
        }
    }
}
