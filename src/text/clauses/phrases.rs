//! Phrases behind a verb: prepositions, infinitives of purpose, adverbs.
//!
//! Decides whether the verb needs a phrase, and which phrase belongs to the one before it. Refuses
//! to drop a hedge: "allegedly" stays.

use super::nouns::{in_list, noun_phrase};
use super::parse::{Parser, Subject};
use super::predicates::Reading;
use super::tagger::Tag;
use super::tree::{Piece, Predicate, Slot, source};
use super::verb_lists;
use super::verbs::Forms;
use super::words;

impl Parser<'_, '_> {
    /// A preposition with its noun, list, gerund or question.
    pub fn phrase(&mut self, into: &mut Predicate, at: &mut Reading, end: usize, subject: &Subject) -> bool {
        let start = at.place;
        if into.slots.is_empty() && super::nouns::is_quantity_opener(self.words, start, end) {
            return self.object(into, at, end);
        }
        let mut from = start + 1;
        while matches!(self.tag(from, end), Some(Tag::Preposition | Tag::To | Tag::Adverb | Tag::Not))
            && from < start + 3
            && noun_phrase(self.words, from, end).is_none()
        {
            from += 1;
        }
        let opener = Piece::Source(start..from);
        if self.tag(from, end) == Some(Tag::Verb) && self.words[from].forms.has(Forms::ING) {
            return self.gerund_adjunct(into, at, end, subject, start, from);
        }
        let Some(noun) = noun_phrase(self.words, from, end) else {
            if self.tag(from, end) == Some(Tag::Relative) || self.lower(from) == "whether" {
                return self.embedded(into, at, from + 1, end);
            }
            into.extend(start, from);
            at.place = from;
            return true;
        };
        into.indivisible |= in_list("no neither", self.lower(noun.start));
        let pushed = into.adjuncts.is_empty() && into.slots.is_empty();
        if in_list("of including", self.lower(start)) && !pushed {
            into.extend(start, noun.end);
            at.place = noun.end;
            at.last = Some(noun);
            return true;
        }
        let phrasal = [self.base(at), self.lower(start)].join(" ");
        let phrasal =
            verb_lists::PHRASAL.split('|').any(|pair| pair.trim() == phrasal) && start == at.group.end;
        let hungry = self.is_copula(at) || in_list(verb_lists::NEEDS_PHRASE, self.base(at));
        let needs = pushed && (phrasal || hungry || self.lower(start) == "of");
        let mut slot = self.nouns(noun, end, at);
        for option in &mut slot.options {
            option.insert(0, opener.clone());
        }
        slot.whole.insert(0, opener);
        let chained = into.adjuncts.last().filter(|phrase| {
            in_list("from with between about against", self.lower(start))
                && super::tree::ends_at(phrase, start)
        });
        let chained = chained
            .filter(|phrase| in_list("to by with for against", self.lower(super::emit::start_of(phrase))))
            .cloned();
        // "to six years in prison"
        let term = self.lower(start) == "in"
            && start > 0
            && in_list("years months weeks days", self.lower(start - 1));
        let before = into.adjuncts.last().filter(|phrase| term && super::tree::ends_at(phrase, start));
        let chained = chained.or_else(|| before.cloned());
        if let Some(mut longer) = chained {
            longer.extend(slot.whole);
            into.adjuncts.push(longer);
        } else if needs {
            into.slots.push(slot);
        } else {
            into.adjuncts.extend(slot.options);
        }
        true
    }

    /// "for biting him": one phrase with all that depends on the gerund.
    pub fn gerund_adjunct(
        &mut self,
        into: &mut Predicate,
        at: &mut Reading,
        end: usize,
        subject: &Subject,
        start: usize,
        from: usize,
    ) -> bool {
        let quiet = Subject { quantified: false, ..subject.clone() };
        let (inner, next) = self.predicates(from, end, &quiet);
        if inner.is_empty() {
            return false;
        }
        if self.lower(start) == "of" {
            into.extend(start, next);
            at.place = next;
            at.last = None;
            return true;
        }
        let opener = source(start..from);
        for predicate in &inner {
            let mut phrase = opener.clone();
            phrase.extend(source(predicate.range.clone()));
            if in_list(verb_lists::NEEDS_PHRASE, self.base(at))
                && into.slots.is_empty()
                && into.tails.is_empty()
                || self.is_copula(at) && into.slots.is_empty()
            {
                into.slots.push(Slot::single(phrase));
            } else {
                into.adjuncts.push(phrase);
            }
        }
        at.place = next;
        at.last = None;
        true
    }

    /// "to win": needed by the verb, or the purpose of what it says.
    pub fn infinitive(
        &mut self,
        into: &mut Predicate,
        at: &mut Reading,
        end: usize,
        subject: &Subject,
    ) -> bool {
        let start = at.place;
        let verb = super::groups::verb_group(self.words, start + 1, end)
            .filter(|group| self.words[group.first].forms.has(Forms::BASE));
        if verb.is_none() {
            return self.phrase(into, at, end, subject);
        }
        let quiet = Subject { quantified: false, firm: false, ..subject.clone() };
        let (mut inner, next) = self.predicates(start + 1, end, &quiet);
        if inner.is_empty() {
            return false;
        }
        let controls = in_list(verb_lists::CONTROL, self.base(at));
        let needed = into.tails.is_empty()
            && into.adjuncts.is_empty()
            && (into.slots.is_empty() || controls || self.is_copula(at));
        if needed {
            for predicate in &mut inner {
                predicate.verb.insert(0, Piece::Source(start..start + 1));
                predicate.singular = predicate.verb.clone();
            }
            into.tails = inner;
        } else {
            for predicate in inner {
                into.adjuncts.push(vec![Piece::Source(start..start + 1), Piece::Source(predicate.range)]);
            }
        }
        at.place = next;
        at.last = None;
        true
    }

    /// Adverbs: with the phrase they introduce, or by themselves.
    pub fn adverb(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let start = at.place;
        let mut stop = start + 1;
        while matches!(self.tag(stop, end), Some(Tag::Adverb | Tag::Not)) {
            stop += 1;
        }
        match self.tag(stop, end) {
            Some(Tag::Adjective) => return self.adjectives(into, at, end),
            Some(Tag::Preposition) if self.prepositional(stop, end).is_some() => {
                let next = self.prepositional(stop, end).unwrap_or(stop);
                if self.is_copula(at) && into.slots.is_empty() {
                    into.slots.push(Slot::single(source(start..next)));
                } else {
                    into.adjuncts.push(source(start..next));
                }
                at.last = None;
                at.place = next;
                return true;
            }
            _ => {}
        }
        if noun_phrase(self.words, start, end).is_some() && into.slots.is_empty() {
            return self.object(into, at, end);
        }
        if in_list(
            "allegedly reportedly apparently supposedly purportedly possibly probably almost nearly barely perhaps maybe",
            self.lower(start),
        ) {
            into.conditions.extend(source(start..stop));
            at.place = stop;
            return true;
        }
        let last = self.lower(stop - 1);
        let free = self.tag(stop, end) != Some(Tag::Verb)
            && (last.ends_with("ly") || in_list(words::TIME_ADVERBS, last));
        if free && !(self.is_copula(at) && into.slots.is_empty()) {
            into.adjuncts.push(source(start..stop));
        } else {
            into.extend(start, stop);
        }
        at.place = stop;
        true
    }
}
