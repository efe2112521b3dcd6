//! Clauses inside a predicate: what was said, what is asked, why and when.
//!
//! Decides which of them are claims of their own and which stay with their verb. Refuses to say by
//! itself what someone only said, or a condition.

use super::super::lexicon::{classes, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Clause, Phrase, Predicate, ends_at, source, start_of};
use super::groups::finite_at;
use super::nouns::noun_phrase;
use super::predicates::Reading;
use super::{Parser, Subject};
use crate::token::TokenKind;

impl Parser<'_, '_> {
    /// "that" behind a verb of saying, a noun or an adjective.
    pub fn that(&mut self, into: &mut Predicate, at: &mut Reading) -> bool {
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

    /// "who", "where", "what": about the noun before it, or what the verb is about.
    pub fn question(&mut self, into: &mut Predicate, at: &mut Reading) -> bool {
        let asks = matches!(self.lower(at.place), "what" | "why" | "how");
        (!asks && self.about_last(into, at)) || self.embedded(into, at, at.place + 1)
    }

    /// A relative clause about the noun just read; false if there is none.
    fn about_last(&mut self, into: &mut Predicate, at: &mut Reading) -> bool {
        let end = at.end;
        let said = self.asides.len();
        let (start, free) = (at.place, at.after_comma);
        let Some(noun) = at.last.clone() else { return false };
        let of_subject = self.words[at.group.main].is(Tag::Be)
            && !free
            && into.slots.len() == 1
            && ends_at(&into.slots[0].whole, start)
            && self.may_be_named(&at.subject.slot.whole);
        let name = of_subject.then(|| at.subject.slot.whole.clone());
        let Some(next) = self.relative_of(name, &noun, start, end, free) else { return false };
        // "found a cure for a disease, which shocked them": about one of two nouns, or about all of it.
        let in_phrase = into.adjunct_before(start.saturating_sub(1)).is_some() && !into.slots.is_empty();
        if free && self.lower(start) == "which" && (in_phrase || self.gerunds > 0) {
            self.asides.truncate(said);
        }
        // "It was Ann Hall who left."
        into.indivisible |=
            self.words[at.group.main].is(Tag::Be) && self.lower(start_of(&at.subject.slot.whole)) == "it";
        if !free && !noun.determined && !noun.name {
            into.extend(start, next);
        } else if self.asides.len() == said {
            let from = start - usize::from(free);
            into.push_behind(from, source(from..next));
        }
        at.place = next;
        true
    }

    /// Whether a subject stands for what its predicate noun does: not "it" and "there".
    fn may_be_named(&self, subject: &Phrase) -> bool {
        let start = start_of(subject);
        let empty =
            matches!(self.lower(start), "it" | "there" | "this" | "that" | "what" | "these" | "those");
        start < self.words.len() && !empty
    }

    /// What was said, from `from` on.
    pub fn report(&mut self, into: &mut Predicate, at: &mut Reading, from: usize) -> bool {
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

    /// A clause that only its verb makes sense of: kept with it.
    pub fn embedded(&mut self, into: &mut Predicate, at: &mut Reading, from: usize) -> bool {
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

    /// "because he fell": said by itself too, if it is a fact. `opener` is the subordinator, or an
    /// adverb before it: "even if".
    pub fn subordinate(&mut self, into: &mut Predicate, at: &mut Reading, opener: usize) -> bool {
        let end = at.end;
        let start = at.place;
        let kept = self.asides.len();
        let (inner, mut next) = self.up_to_comma(start + 1, end);
        if inner.is_empty() {
            (_, next) = self.predicates(start + 1, end, &Subject::default());
            // A pronoun whose verb no rule has read.
            into.indivisible |= next <= start + 1 && self.tag(start + 1, end) == Some(Tag::Pronoun);
            next = if next > start + 1 { next } else { self.phrase_end(start, end) };
            // "after a boat she was on exploded": a clause that no rule has read
            if self.has_clause(next, end) {
                next = (next..end).find(|&at| self.words[at].is(Tag::Comma)).unwrap_or(end);
            }
        }
        if classes::FACTUAL.contains(self.lower(start)) {
            self.say_facts(inner, start, kept);
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

    /// "It has been ten years": since when is part of it.
    fn counts_time(&self, into: &Predicate, at: &Reading) -> bool {
        let measured = into.slots.first().is_some_and(|slot| ends_at(&slot.whole, at.place));
        measured && self.lower(start_of(&at.subject.slot.whole)) == "it"
    }

    /// The clauses from `from` on that no comma ends.
    pub fn up_to_comma(&mut self, from: usize, end: usize) -> (Vec<Clause>, usize) {
        let outer = std::mem::replace(&mut self.comma_ends, true);
        let found = self.sequence(from, end);
        self.comma_ends = outer;
        found
    }

    fn phrase_end(&self, start: usize, end: usize) -> usize {
        let comma = || (start + 1..end).find(|&at| self.words[at].is(Tag::Comma));
        self.prepositional(start, end).or_else(comma).unwrap_or(end)
    }

    /// A quotation is kept as it is.
    pub fn quotation(&mut self, into: &mut Predicate, at: &mut Reading) -> bool {
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
