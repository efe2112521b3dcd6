//! Nouns and adjectives after a verb.
//!
//! Decides whether a noun is the verb's object, a time, or the subject of a clause that the verb reports or that modifies
//! the noun before. Refuses a third object, which becomes part of the second.

use super::super::lexicon::{classes, names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{self, Phrase, Predicate, Slot, source};
use super::Parser;
use super::groups::verb_group;
use super::nouns::{Noun, noun_phrase, plain_noun};
use super::predicates::Cursor;

impl Parser<'_, '_> {
    /// Reads a noun phrase or an adjective after the verb.
    pub(crate) fn object(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        if self.reports(into, at) {
            return self.report(into, at, at.place);
        }
        let adjective = self.tag(at.place, end) == Some(Tag::Adjective)
            && plain_noun(self.words, at.place, end).is_none();
        let noun = noun_phrase(self.words, at.place, end).filter(|_| !adjective);
        let Some(noun) = noun else { return self.adjectives(into, at) };
        let complements = self.is_copula(at) && into.slots.is_empty();
        let measures = verb_kinds::MEASURING.contains(self.base(at)) && into.slots.is_empty();
        // "eight years after he lost"
        if self.opens_time(at.place, end)
            && self.tag(noun.end, end) == Some(Tag::Subordinator)
            && !complements
        {
            at.place = noun.end;
            return self.subordinate(into, at, noun.start);
        }
        // "shows ten years of sightings"
        let amount = noun.core_end < noun.end && names::TIME_NOUNS.contains(self.lower(noun.head));
        // "a day after the vote"
        if self.opens_time(at.place, end)
            && !complements
            && let Some(stop) = self.prepositional(noun.end, end)
        {
            into.adjuncts.push(source(at.place..stop));
            at.pass(stop);
            return true;
        }
        if noun.is_time(self.words) && !measures && !complements && !amount {
            // "the second time this week"
            if at.last.as_ref().is_some_and(|last| last.end == at.place && self.is_picked_out(last)) {
                into.extend(at.place, noun.end);
                at.pass(noun.end);
                return true;
            }
            into.adjuncts.push(source(at.place..noun.end));
            at.pass(noun.end);
            return true;
        }
        if at.last.is_some() && self.has_clause(at.place, end) {
            return self.contact_clause(into, at);
        }
        // "offered people living there the chance"
        into.indivisible |=
            into.slots.len() == 1 && !into.adjuncts.is_empty() && verb_kinds::GIVING.contains(self.base(at));
        if into.slots.len() > 1 || !into.adjuncts.is_empty() && at.last.is_some() {
            into.extend(at.place, noun.end);
            at.place = noun.end;
            at.last = Some(noun);
            return true;
        }
        into.indivisible |= classes::NEGATIVE_OPENERS.contains(self.lower(noun.start));
        let slot = self.nouns(noun, at);
        into.slots.push(slot);
        true
    }

    /// Whether the verb reports the clause at the current place: "said the bridge was unsafe".
    fn reports(&self, into: &Predicate, at: &Cursor) -> bool {
        let end = at.end;
        let complemented = self.is_copula(at) && !into.slots.is_empty();
        let clausal = complemented || verb_kinds::CLAUSAL.contains(self.base(at));
        if !clausal || (at.group.passive && !into.slots.is_empty()) || !into.reported.is_empty() {
            return false;
        }
        // "noticed it in a bun she had bought": the clause modifies "bun".
        let thing = at.last.as_ref().is_some_and(|last| !last.is_time(self.words));
        if thing && into.adjunct_before(at.place).is_some() && !verb_kinds::SPEAKING.contains(self.base(at)) {
            return false;
        }
        let clause_only = verb_kinds::CLAUSE_ONLY.contains(self.base(at));
        (clause_only || !self.is_modified(at.place, end)) && self.has_clause(at.place, end)
    }

    /// Reads a contact clause, which stays with its noun: "the title he won".
    fn contact_clause(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let kept = self.asides.len();
        let (inner, next) = self.sequence(at.place, end);
        self.asides.truncate(kept);
        if inner.is_empty() {
            return false;
        }
        if names::CONTENTS.contains(self.lower(at.place - 1)) {
            into.extend(at.place, next);
        } else {
            into.push_behind(at.place, source(at.place..next));
        }
        at.pass(next);
        true
    }

    /// Whether a plural noun with a participle follows, rather than a subject and its verb: "trucks built in 2012".
    fn is_modified(&self, place: usize, end: usize) -> bool {
        let Some(noun) = noun_phrase(self.words, place, end) else { return false };
        let group = verb_group(self.words, noun.end, end);
        let phrase_follows = |end_of_verb: usize| self.tag(end_of_verb, end) == Some(Tag::Preposition);
        noun.plural
            && !noun.determined
            && group.is_some_and(|group| group.ambiguous && phrase_follows(group.end))
    }

    /// Reads a noun or a list of nouns as a slot. A role before a name also makes a claim of its own.
    pub(crate) fn nouns(&mut self, noun: Noun, at: &mut Cursor) -> Slot {
        let end = at.end;
        let start = noun.start;
        let nouns = self.list(noun, end, false);
        nouns.iter().for_each(|noun| self.add_role(noun));
        let stop = nouns.last().map_or(start + 1, |noun| noun.end);
        let options: Vec<Phrase> = if self.divides(&nouns) {
            nouns.iter().map(|noun| source(noun.range())).collect()
        } else {
            vec![source(start..stop)]
        };
        at.place = stop;
        // "a former Leeds and Derby striker who"
        let shared = nouns.len() > 1 && self.shares_head(&nouns);
        at.last = nouns.last().map(|last| {
            let (start, determined) =
                if shared { (start, nouns[0].determined) } else { (last.start, last.determined) };
            Noun { start, determined, ..last.clone() }
        });
        Slot::of(options, source(start..stop))
    }

    /// Reads adjectives: "tall", "tall and dark", "very tall".
    pub(crate) fn adjectives(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let start = at.place;
        let mut stop = start;
        while self.tag(stop, end).is_some_and(describes) {
            stop += 1;
        }
        if stop == start {
            return false;
        }
        let negates = |place: usize| {
            matches!(self.lower(place), "unable" | "unlikely" | "impossible" | "reluctant" | "unwilling")
        };
        into.indivisible |= (start..stop).any(negates);
        let mut options = vec![source(start..stop)];
        if self.is_copula(at)
            && self.lower(stop) == "and"
            && self.tag(stop + 1, end) == Some(Tag::Adjective)
            && noun_phrase(self.words, stop + 1, end).is_none()
        {
            options.push(source(stop + 1..stop + 2));
            stop += 2;
        }
        let behind = into.adjuncts.last().is_some_and(|phrase| tree::ends_at(phrase, start));
        if into.slots.is_empty() && !behind {
            into.slots.push(Slot::of(options, source(start..stop)));
        } else {
            into.extend(start, stop);
        }
        at.place = stop;
        true
    }
}

/// Whether the tag can be in an adjective phrase.
fn describes(tag: Tag) -> bool {
    let degree = matches!(tag, Tag::Adverb | Tag::Not | Tag::Number);
    degree || matches!(tag, Tag::Adjective | Tag::Determiner | Tag::PossessiveDeterminer | Tag::Noun)
}
