//! Prepositional phrases behind a verb.
//!
//! Decides whether the verb needs a phrase, which phrase belongs to the one before it, and which a
//! claim may go without. Refuses to part "of" from its noun.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Phrase, Piece, Predicate, Slot, source, start_of};
use super::Parser;
use super::nominals::is_quantity_opener;
use super::nouns::{Noun, noun_phrase};
use super::predicates::Reading;

impl Parser<'_, '_> {
    /// A preposition with its noun, list, gerund or question.
    pub fn phrase(&mut self, into: &mut Predicate, at: &mut Reading) -> bool {
        let (start, end) = (at.place, at.end);
        if into.slots.is_empty() && is_quantity_opener(self.words, start, end) {
            return self.object(into, at);
        }
        let from = self.opener_end(start, end);
        if self.tag(from, end) == Some(Tag::Verb) && self.words[from].forms.has(Forms::ING) {
            return self.gerund_adjunct(into, at, from);
        }
        if let Some(noun) = noun_phrase(self.words, from, end) {
            self.noun_behind(into, at, from, noun);
            return true;
        }
        if self.tag(from, end) == Some(Tag::Relative) || self.lower(from) == "whether" {
            return self.embedded(into, at, from + 1);
        }
        into.extend(start, from);
        at.place = from;
        true
    }

    /// `noun`, at `from` behind the preposition that is at hand, and the list that it may open.
    fn noun_behind(&mut self, into: &mut Predicate, at: &mut Reading, from: usize, noun: Noun) {
        let start = at.place;
        into.indivisible |= matches!(self.lower(noun.start), "no" | "neither");
        let is_first = into.adjuncts.is_empty() && into.slots.is_empty();
        let shifted = start > 0 && names::TIME_SHIFTS.has(self.lower(start - 1));
        into.indivisible |= shifted && self.lower(start) == "of";
        let each = matches!(self.lower(noun.start), "each" | "every") && self.lower(start) == "for";
        // "is home to", "is prone to"
        let complement = self.is_copula(at) && into.slots.len() == 1 && into.adjuncts.is_empty();
        let bound = each || (complement && self.lower(start) == "to");
        if !is_first && (bound || classes::CLOSE_PREPOSITIONS.has(self.lower(start))) {
            self.nouns(noun, at);
            into.extend(start - usize::from(at.after_comma), at.place);
            return;
        }
        let needed = is_first && self.needs(at, start);
        into.indivisible |= self.leaves_verb_out(into, start) && !noun.is_time(self.words);
        let mut slot = self.nouns(noun, at);
        if self.lower(start) == "with" && self.tag(at.place, at.end) == Some(Tag::Verb) {
            return self.absolute(into, at, start);
        }
        for phrase in slot.options.iter_mut().chain([&mut slot.whole]) {
            phrase.insert(0, Piece::Source(start..from));
        }
        self.place(into, slot, start, needed);
    }

    /// "as Lear and Ann as Cordelia": the same preposition behind an "and" begins what another verb
    /// would have.
    fn leaves_verb_out(&self, into: &Predicate, start: usize) -> bool {
        let Some(before) = into.adjunct_before(start) else { return false };
        let range = start_of(before)..start;
        self.lower(range.start) == self.lower(start) && range.clone().any(|place| self.lower(place) == "and")
    }

    /// "with her son acting as best man": one phrase with all that its participle has.
    fn absolute(&mut self, into: &mut Predicate, at: &mut Reading, start: usize) {
        let kept = self.asides.len();
        let (inner, next) = self.predicates(at.place, at.end, &at.subject);
        self.asides.truncate(kept);
        let stop = if inner.is_empty() { at.place } else { next };
        into.adjuncts.push(source(start..stop));
        at.pass(stop);
    }

    /// Where the words that open a phrase end: "from behind", "only in".
    fn opener_end(&self, start: usize, end: usize) -> usize {
        let mut from = start + 1;
        while from < start + 3
            && matches!(self.tag(from, end), Some(Tag::Preposition | Tag::To | Tag::Adverb | Tag::Not))
            && noun_phrase(self.words, from, end).is_none()
        {
            from += 1;
        }
        from
    }

    /// Whether the verb leaves a hole without the phrase at `start`.
    fn needs(&self, at: &Reading, start: usize) -> bool {
        let pair = [self.base(at), self.lower(start)].join("-");
        let phrasal = start == at.group.end && verb_kinds::PHRASAL.has(&pair);
        phrasal
            || self.is_copula(at)
            || verb_kinds::NEEDS_PHRASE.has(self.base(at))
            || self.lower(start) == "of"
    }

    /// Puts the phrase at `start` where it belongs.
    fn place(&self, into: &mut Predicate, slot: Slot, start: usize, needed: bool) {
        if into.adjunct_before(start).is_some_and(|before| self.joins(before, start)) {
            into.push_behind(start, slot.whole);
        } else if needed {
            into.slots.push(slot);
        } else {
            into.adjuncts.extend(slot.options);
        }
    }

    /// Whether the phrase at `start` is part of the one before it: "to a collector from Japan".
    fn joins(&self, before: &Phrase, start: usize) -> bool {
        let opener = self.lower(start_of(before));
        let takes = matches!(opener, "to" | "by" | "with" | "for" | "against");
        let noun = self.lower(start - 1);
        match self.lower(start) {
            "over" | "against" | "between" => true,
            "from" | "with" => takes,
            "about" => takes || !self.words[start - 1].is(Tag::Name),
            // "to six years in prison", "after a drop in sales"
            "in" => matches!(noun, "years" | "months" | "weeks" | "days") || names::CHANGES.has(noun),
            "to" => opener == "from" || names::WITH_GOAL.has(noun),
            "since" => names::TIME_NOUNS.has(noun),
            _ => false,
        }
    }

    /// "for biting him": one phrase with all that depends on the gerund at `verb`.
    fn gerund_adjunct(&mut self, into: &mut Predicate, at: &mut Reading, verb: usize) -> bool {
        let end = at.end;
        let start = at.place;
        let subject = at.subject.quiet();
        let (inner, next) = self.predicates(verb, end, &subject);
        if inner.is_empty() {
            return false;
        }
        if self.lower(start) == "of" {
            into.extend(start, next);
            at.pass(next);
            return true;
        }
        let hungry = verb_kinds::NEEDS_PHRASE.has(self.base(at)) && into.tails.is_empty();
        for predicate in inner {
            let phrase = vec![Piece::Source(start..verb), Piece::Source(predicate.range)];
            if into.slots.is_empty() && (hungry || self.is_copula(at)) {
                into.slots.push(Slot::single(phrase));
            } else if self.lower(start) == "to" {
                into.push_behind(start, phrase);
            } else {
                into.adjuncts.push(phrase);
            }
        }
        at.pass(next);
        true
    }
}
