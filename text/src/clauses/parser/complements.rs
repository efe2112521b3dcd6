//! Complements of a verb: objects, phrases, infinitives, clauses.
//!
//! Decides, phrase by phrase, which rule reads it: whether every claim needs it (an object), it is optional (a time) or it
//! makes a claim of its own (a relative clause). Refuses to guess: words that no rule reads make the predicate
//! indivisible.

use super::super::lexicon::verb_kinds;
use super::super::tagging::Tag;
use super::super::tree::{Predicate, source};
use super::Parser;
use super::groups::finite_at;
use super::nouns::{Noun, noun_phrase};
use super::predicates::Cursor;

/// Maximum length in words of "according to the report".
const LONGEST_SOURCE: usize = 14;

impl Parser<'_, '_> {
    /// Reads one complement; false where the predicate ends.
    pub(crate) fn complement(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let Some(tag) = self.tag(at.place, end) else { return false };
        if self.lower(at.place) == "according" {
            return self.source_of_all(into, at, at.place);
        }
        if self.is_bound(at, tag) {
            return self.bound(into, at);
        }
        if let Some(goes_on) = self.mark(into, at, tag) {
            return goes_on;
        }
        let read = match tag {
            Tag::Preposition => self.phrase(into, at),
            Tag::To => self.infinitive(into, at),
            Tag::That => self.that(into, at),
            Tag::Relative => self.question(into, at),
            Tag::Subordinator => self.subordinate(into, at, at.place),
            Tag::Verb => self.read_participle(into, at),
            Tag::Adverb | Tag::Not => self.adverb(into, at),
            Tag::Quote => self.quotation(into, at),
            _ => self.object(into, at),
        };
        at.after_comma = false;
        if !read {
            into.indivisible = true;
            at.place = self.boundary(at.place, at.end);
        }
        read
    }

    /// Reads a mark, a conjunction or the next verb; returns whether the predicate continues, or `None` at any other word.
    fn mark(&mut self, into: &mut Predicate, at: &mut Cursor, tag: Tag) -> Option<bool> {
        let next = match tag {
            Tag::Comma => return Some(self.comma(into, at)),
            Tag::Coordinator => return Some(self.coordinator(into, at)),
            Tag::Be | Tag::Have | Tag::Do | Tag::Modal => None,
            Tag::Break => self.dashes(at.place, at.end),
            Tag::Bracket => Some(self.bracket(at.place, at.end).unwrap_or(at.end)),
            Tag::Stop => Some(at.place + 1),
            _ => return None,
        };
        // "a 10 metre (33 ft) tower"
        into.indivisible |= tag == Tag::Bracket
            && next.is_some_and(|next| matches!(self.tag(next, at.end), Some(Tag::Noun | Tag::Adjective)));
        at.after_comma &= next.is_none();
        at.place = next.unwrap_or(at.place);
        Some(next.is_some())
    }

    /// Whether the noun just read needs what follows: "the first man to", "the best of".
    fn is_bound(&self, at: &Cursor, tag: Tag) -> bool {
        let modifies = matches!(tag, Tag::Preposition | Tag::To | Tag::That | Tag::Relative | Tag::Verb)
            || self.lower(at.place) == "since";
        let picked_out = |noun: &Noun| noun.end == at.place && self.is_picked_out(noun);
        modifies && !at.after_comma && at.last.as_ref().is_some_and(picked_out)
    }

    /// Reads one complement as part of the phrase before it.
    fn bound(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (start, kept) = (at.place, self.asides.len());
        let picked_out = at.last.take();
        let mut behind = Predicate { range: into.range.clone(), ..Predicate::default() };
        let read = self.complement(&mut behind, at);
        self.asides.truncate(kept);
        into.extend(start, at.place);
        into.indivisible |= !read || self.words[at.group.main].is(Tag::Be);
        // "the biggest fall in prices in a year"
        at.last = picked_out.map(|noun| Noun { end: at.place, ..noun });
        read
    }

    /// The end of words that no rule reads: before ", and" with a clause, or `end`.
    pub(crate) fn boundary(&self, place: usize, end: usize) -> usize {
        let clause_follows = |at: usize| {
            self.words[at].is(Tag::Comma)
                && self.tag(at + 1, end) == Some(Tag::Coordinator)
                && self.has_clause(at + 2, end)
        };
        (place + 1..end).find(|&at| clause_follows(at)).unwrap_or(end)
    }

    pub(crate) fn base(&self, at: &Cursor) -> &str {
        &self.words[at.group.main].base
    }

    pub(crate) fn is_copula(&self, at: &Cursor) -> bool {
        self.words[at.group.main].is(Tag::Be) || verb_kinds::COPULAR.contains(self.base(at))
    }

    /// Reads "according to the report", which every claim keeps, also those of earlier predicates.
    pub(crate) fn source_of_all(&mut self, into: &mut Predicate, at: &mut Cursor, from: usize) -> bool {
        let end = at.end;
        let stop = (at.place + 2..end.min(at.place + LONGEST_SOURCE))
            .find(|&place| self.words[place].is(Tag::Comma))
            .filter(|comma| self.tag(comma + 1, end) != Some(Tag::Relative))
            .unwrap_or(end);
        into.conditions.extend(source(from..stop));
        into.scope.extend(source(from..stop));
        at.place = stop;
        true
    }

    /// Reads "and" or "or" after a complement.
    fn coordinator(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (next, end) = (at.place + 1, at.end);
        let alternative = matches!(self.lower(at.place), "or" | "nor");
        match self.tag(next, end) {
            _ if alternative => {}
            Some(Tag::That) if !self.reporters.is_empty() => return false,
            _ if self.has_own_clause(next, end) || finite_at(self.words, next, end) => return false,
            Some(Tag::Preposition) => {
                // "was 21 and from Hamburg"
                into.indivisible |= self.is_copula(at);
                at.place = next;
                return true;
            }
            Some(Tag::Verb | Tag::To) => return false,
            _ => {}
        }
        let behind_noun = at.last.is_some() || !into.slots.is_empty();
        let Some(noun) = noun_phrase(self.words, next, end).filter(|_| behind_noun) else {
            if alternative {
                into.indivisible = true;
                at.place = self.boundary(at.place, end);
            }
            return false;
        };
        // "Mozart on May 5 and Brahms in Graz": a verb is omitted.
        let after_time = at.last.as_ref().is_some_and(|last| last.is_time(self.words));
        into.indivisible |= after_time && !noun.is_time(self.words);
        into.extend(at.place, noun.end);
        at.place = noun.end;
        at.last = Some(noun);
        true
    }
}
