//! Clauses inside a predicate: reported speech, questions, reasons and times.
//!
//! Decides which of them make claims of their own and which stay with their verb. Refuses to make a claim of reported
//! speech or a condition alone.

use super::super::lexicon::{classes, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Clause, Phrase, Predicate, ends_at, source, start_of};
use super::groups::finite_at;
use super::nouns::noun_phrase;
use super::predicates::Cursor;
use super::{Parser, Subject};
use crate::token::TokenKind;

impl Parser<'_, '_> {
    /// Reads "that" after a verb of speech, a noun or an adjective.
    pub(crate) fn that(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let start = at.place;
        if finite_at(self.words, start + 1, end) && self.about_last(into, at) {
            return true;
        }
        if verb_kinds::CLAUSAL.contains(self.base(at)) && into.reported.is_empty() {
            into.opener = source(start..start + 1);
            return self.report(into, at, start + 1);
        }
        self.embedded(into, at, start + 1)
    }

    /// Reads "who", "where" or "what": a modifier of the noun before it, or the object of the verb.
    pub(crate) fn question(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let asks = matches!(self.lower(at.place), "what" | "why" | "how");
        (!asks && self.about_last(into, at)) || self.embedded(into, at, at.place + 1)
    }

    /// Reads a relative clause about the noun just read; false if there is none.
    fn about_last(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let kept = self.asides.len();
        let (start, free) = (at.place, at.after_comma);
        let Some(noun) = at.last.clone() else { return false };
        let of_subject = self.words[at.group.main].is(Tag::Be)
            && !free
            && into.slots.len() == 1
            && ends_at(&into.slots[0].whole, start)
            && self.may_be_named(&at.subject.slot.whole);
        let name = of_subject.then(|| at.subject.slot.whole.clone());
        let Some(next) = self.relative_of(name, &noun, start, end, free) else { return false };
        // "found a cure for a disease, which shocked them": about either noun, or the whole statement.
        let in_phrase = into.adjunct_before(start.saturating_sub(1)).is_some() && !into.slots.is_empty();
        if free && self.lower(start) == "which" && (in_phrase || self.gerunds > 0) {
            self.asides.truncate(kept);
        }
        // "It was Ann Hall who left."
        into.indivisible |=
            self.words[at.group.main].is(Tag::Be) && self.lower(start_of(&at.subject.slot.whole)) == "it";
        if !free && !noun.determined && !noun.name {
            into.extend(start, next);
        } else if self.asides.len() == kept {
            let from = start - usize::from(free);
            into.push_behind(from, source(from..next));
        }
        at.place = next;
        true
    }

    /// Whether a subject refers to something: not "it" or "there".
    fn may_be_named(&self, subject: &Phrase) -> bool {
        let start = start_of(subject);
        let empty =
            matches!(self.lower(start), "it" | "there" | "this" | "that" | "what" | "these" | "those");
        start < self.words.len() && !empty
    }

    /// Reads reported clauses from `from` on.
    pub(crate) fn report(&mut self, into: &mut Predicate, at: &mut Cursor, from: usize) -> bool {
        let end = at.end;
        self.reporters.push(self.words[at.group.first].forms);
        let (inner, next) = self.sequence(from, end);
        self.reporters.pop();
        if inner.is_empty() {
            into.opener.clear();
            return false;
        }
        into.reported = inner;
        at.pass(next);
        true
    }

    /// Reads a clause that stays with its verb.
    pub(crate) fn embedded(&mut self, into: &mut Predicate, at: &mut Cursor, from: usize) -> bool {
        let end = at.end;
        let start = at.place;
        let kept = self.asides.len();
        let (inner, mut next) = self.sequence(from, end);
        if inner.is_empty() {
            let (predicates, stop) = self.predicates(from, end, &Subject::default());
            if predicates.is_empty() {
                return false;
            }
            next = stop;
        }
        self.asides.truncate(kept);
        into.extend(start, next);
        at.pass(next);
        true
    }

    /// Reads a subordinate clause, which also makes a claim of its own if it is a fact: "because he fell". `opener` is the
    /// place of the subordinator, or of an adverb before it: "even if".
    pub(crate) fn subordinate(&mut self, into: &mut Predicate, at: &mut Cursor, opener: usize) -> bool {
        let end = at.end;
        let start = at.place;
        let kept = self.asides.len();
        let (inner, mut next) = self.up_to_comma(start + 1, end);
        if inner.is_empty() {
            (_, next) = self.predicates(start + 1, end, &Subject::default());
            // A pronoun whose verb no rule read.
            into.indivisible |= next <= start + 1 && self.tag(start + 1, end) == Some(Tag::Pronoun);
            next = if next > start + 1 { next } else { self.phrase_end(start, end) };
            // "after a boat she was on exploded": a clause that no rule read
            if self.has_clause(next, end) {
                next = (next..end).find(|&at| self.words[at].is(Tag::Comma)).unwrap_or(end);
            }
        }
        if classes::FACTUAL.contains(self.lower(start)) {
            self.add_facts(inner, start, kept);
        } else {
            self.asides.truncate(kept);
        }
        let counted = self.is_copula(at) && self.lower(start) == "since" && self.counts_time(into, at);
        let moment = self.lower(start) == "when"
            && matches!(self.lower(start - 1), "day" | "moment" | "point" | "time");
        if moment && !at.after_comma {
            into.extend(opener, next);
        } else if counted {
            into.conditions.extend(source(opener..next));
        } else if classes::CONDITIONAL.contains(self.lower(start)) {
            into.conditions.extend(source(opener..next));
            into.scope.extend(source(opener..next));
        } else {
            into.adjuncts.push(source(opener..next));
        }
        at.pass(next);
        true
    }

    /// Whether the predicate measures a time, so that "since" belongs to it: "It has been ten years".
    fn counts_time(&self, into: &Predicate, at: &Cursor) -> bool {
        let measured = into.slots.first().is_some_and(|slot| ends_at(&slot.whole, at.place));
        measured && self.lower(start_of(&at.subject.slot.whole)) == "it"
    }

    /// Reads clauses from `from` up to a comma.
    pub(crate) fn up_to_comma(&mut self, from: usize, end: usize) -> (Vec<Clause>, usize) {
        let outer = std::mem::replace(&mut self.comma_ends, true);
        let found = self.sequence(from, end);
        self.comma_ends = outer;
        found
    }

    fn phrase_end(&self, start: usize, end: usize) -> usize {
        let comma = || (start + 1..end).find(|&at| self.words[at].is(Tag::Comma));
        self.prepositional(start, end).or_else(comma).unwrap_or(end)
    }

    /// Reads a quotation, which stays unchanged.
    pub(crate) fn quotation(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let start = at.place;
        if into.slots.len() < 2 && noun_phrase(self.words, start, end).is_some() {
            return self.object(into, at);
        }
        let opens = self.words[start].token.kind == TokenKind::OpenQuote;
        let close = (start + 1..end).find(|&inner| opens && self.words[inner].is(Tag::Quote));
        let stop = close.unwrap_or(start) + 1;
        into.extend(start, stop);
        at.pass(stop);
        true
    }
}
