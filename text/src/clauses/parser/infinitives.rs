//! Infinitives after a verb.
//!
//! Decides whether the verb needs the infinitive ("wants to win") or it is an optional purpose. Refuses "to" before a
//! noun, which is a phrase.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{names, verb_kinds};
use super::super::tree::{Piece, Predicate, start_of};
use super::Parser;
use super::groups::verb_group;
use super::nouns::noun_phrase;
use super::predicates::Cursor;

impl Parser<'_, '_> {
    /// Reads an infinitive: needed by the verb, or a purpose.
    pub(crate) fn infinitive(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (start, end) = (at.place, at.end);
        let group = verb_group(self.words, start + 1, end);
        if !group.is_some_and(|group| self.words[group.first].forms.has(Forms::BASE)) {
            return self.phrase(into, at);
        }
        let (inner, next) = self.predicates(start + 1, end, &at.subject.of_dependent());
        if inner.is_empty() {
            return false;
        }
        let controls = verb_kinds::CONTROL.contains(self.base(at));
        let needed = into.dependents.is_empty()
            && (into.adjuncts.is_empty() || controls)
            && (into.slots.is_empty() || controls || self.is_copula(at));
        if needed {
            into.dependents = inner;
            for predicate in &mut into.dependents {
                predicate.verb.insert(0, Piece::Source(start..start + 1));
                predicate.singular = predicate.verb.clone();
            }
        } else {
            self.purposes(into, at, inner);
        }
        at.pass(next);
        true
    }

    /// Adds optional infinitives. After a phrase they belong to it: "in an attempt to win".
    fn purposes(&self, into: &mut Predicate, at: &Cursor, inner: Vec<Predicate>) {
        let after_time = at.last.as_ref().is_none_or(|last| last.is_time(self.words));
        let opener = into.adjunct_before(at.place).filter(|_| !after_time).cloned().unwrap_or_default();
        // "with ten minutes to go"
        let timed =
            into.adjunct_before(at.place).filter(|before| self.lower(start_of(before)) == "with").cloned();
        let opener = timed.clone().unwrap_or(opener);
        if timed.is_some() || names::INTENTS.contains(self.lower(at.place - 1)) && !opener.is_empty() {
            into.adjuncts.pop();
        }
        for predicate in inner {
            let purpose = [Piece::Source(at.place..at.place + 1), Piece::Source(predicate.range)];
            into.adjuncts.push([&opener[..], &purpose].concat());
        }
    }

    /// The end of "to build a house" inside a subject: before the finite verb.
    pub(crate) fn infinitive_end(&self, place: usize, end: usize) -> Option<usize> {
        let group = verb_group(self.words, place + 1, end)?;
        Some(noun_phrase(self.words, group.end, end).map_or(group.end, |noun| noun.end))
    }

    /// The end of "of building a house" inside a subject.
    pub(crate) fn gerund_phrase(&self, place: usize, end: usize) -> Option<usize> {
        let gerund = self.words.get(place + 1).is_some_and(|word| word.forms.has(Forms::ING));
        if gerund { self.infinitive_end(place, end) } else { None }
    }
}
