//! Prepositional phrases after a verb.
//!
//! Decides whether the verb needs a phrase, whether it belongs to the phrase before it, or whether it is optional. Refuses
//! to separate "of" from its noun.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tagging::ahead::is_subject_pronoun;
use super::super::tree::{Phrase, Piece, Predicate, Slot, source, start_of};
use super::Parser;
use super::nominals::is_quantity_opener;
use super::nouns::{Noun, between_end, noun_phrase};
use super::predicates::Cursor;

impl Parser<'_, '_> {
    /// Reads a preposition with its noun, list, gerund or question.
    pub(crate) fn phrase(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (start, end) = (at.place, at.end);
        let goes_on = matches!(
            self.tag(start + 1, end),
            None | Some(Tag::Preposition | Tag::To | Tag::Comma | Tag::Stop)
        );
        if goes_on && self.is_particle(into, at) {
            into.extend(start, start + 1);
            at.pass(start + 1);
            return true;
        }
        if at.after_comma && self.lower(start) == "with" && self.is_absolute(start, end) {
            let stop = self.boundary(start, end);
            into.adjuncts.push(source(start - 1..stop));
            at.pass(stop);
            return true;
        }
        // "felt like she had won"
        let pronoun = self.words.get(start + 1).is_some_and(is_subject_pronoun);
        if self.lower(start) == "like" && pronoun && self.has_clause(start + 1, end) {
            return self.embedded(into, at, start + 1);
        }
        if let Some(noun) = self.other_end(into, at) {
            into.extend(start, noun.end);
            at.pass(noun.end);
            return true;
        }
        if into.slots.is_empty() && is_quantity_opener(self.words, start, end) {
            return self.object(into, at);
        }
        if let Some(stop) = between_end(self.words, start, end) {
            self.both_ends(into, at, stop);
            return true;
        }
        let from = self.opener_end(start, end);
        if self.tag(from, end) == Some(Tag::Verb) && self.words[from].forms.has(Forms::ING) {
            return self.gerund_adjunct(into, at, from);
        }
        if let Some(noun) = noun_phrase(self.words, from, end) {
            self.noun_behind(into, at, from, noun);
            return true;
        }
        if self.tag(from, end) == Some(Tag::Relative) {
            self.join_place(into, at);
        }
        if self.tag(from, end) == Some(Tag::Relative) || self.lower(from) == "whether" {
            return self.embedded(into, at, from + 1);
        }
        into.extend(start, from);
        at.place = from;
        true
    }

    /// Whether the phrase is an absolute construction with a participle: ", with prices rising and some people in jail".
    fn is_absolute(&self, start: usize, end: usize) -> bool {
        let stop = self.boundary(start, end);
        let participle = |place: &usize| {
            let word = &self.words[*place];
            word.is(Tag::Verb) && word.forms.has(Forms::ING.with(Forms::PARTICIPLE))
        };
        noun_phrase(self.words, start + 1, end)
            .is_some_and(|noun| (noun.end..stop).any(|place| participle(&place)))
    }

    /// Reads "between A and B", up to `stop`; after a noun it belongs to the noun.
    fn both_ends(&self, into: &mut Predicate, at: &mut Cursor, stop: usize) {
        let start = at.place;
        if at.last.is_some() && !at.after_comma {
            into.extend(start, stop);
        } else if into.slots.is_empty() && self.needs(at, start) {
            into.slots.push(Slot::single(source(start..stop)));
        } else {
            into.adjuncts.push(source(start..stop));
        }
        at.pass(stop);
    }

    /// Reads `noun`, at `from` after the preposition, and the list that it may open.
    fn noun_behind(&mut self, into: &mut Predicate, at: &mut Cursor, from: usize, noun: Noun) {
        let start = at.place;
        into.indivisible |= matches!(self.lower(noun.start), "no" | "neither");
        let is_first = into.adjuncts.is_empty() && into.slots.is_empty();
        let shifted = start > 0 && names::TIME_SHIFTS.contains(self.lower(start - 1));
        into.indivisible |= shifted && self.lower(start) == "of";
        // "close to the bank"
        let of_adjective =
            self.lower(start) == "to" && start > 0 && classes::WITH_GOAL.contains(self.lower(start - 1));
        let each = matches!(self.lower(noun.start), "each" | "every") && self.lower(start) == "for";
        // "is home to", "is prone to"
        let complement = self.is_copula(at) && into.slots.len() == 1 && into.adjuncts.is_empty();
        // "celebrate 70 years since the war"
        let counted = self.lower(start) == "since"
            && start > 0
            && names::TIME_NOUNS.contains(self.lower(start - 1))
            && self.lower(start - 1).ends_with('s');
        // "one point off the foot of the table"
        let measured = start > 1
            && self.words[start - 2].is(Tag::Number)
            && matches!(self.lower(start), "off" | "over" | "behind" | "above" | "below");
        let connects = measured
            || start > 1
                && names::CONNECTIONS.contains(self.lower(start - 1))
                && self.words[start - 2].is(Tag::Preposition);
        // "threw themselves into the sea"
        let reflexive = start > 0
            && ["self", "selves"].iter().any(|ending| self.lower(start - 1).ends_with(ending))
            && matches!(self.lower(start), "as" | "from" | "into" | "of" | "off" | "to");
        let bound = each
            || reflexive
            || connects
            || counted
            || of_adjective && !is_first
            || (complement && self.lower(start) == "to");
        if !is_first && (bound || classes::CLOSE_PREPOSITIONS.contains(self.lower(start))) {
            self.nouns(noun, at);
            into.extend(start - usize::from(at.after_comma), at.place);
            return;
        }
        let argument = start == at.group.end && !noun.is_time(self.words) && self.is_argument(at, start);
        let needed = is_first && (argument || self.needs(at, start))
            || !noun.is_time(self.words) && !self.is_not_role(&noun, at) && self.completes(into, at, start);
        into.indivisible |= self.omits_verb(into, start) && !noun.is_time(self.words);
        let year = noun.number && noun.end == from + 1 && self.lower(from).len() == 4;
        let age = self.lower(noun.head) == "age" || self.lower(noun.start) == "age";
        let noun_time = noun.is_time(self.words) || year || age;
        let mut slot = self.nouns(noun, at);
        if self.lower(start) == "with" && self.tag(at.place, at.end) == Some(Tag::Verb) {
            return self.absolute(into, at, start);
        }
        if self.lower(start) == "for" && self.read_for_infinitive(into, at, start) {
            return;
        }
        for phrase in slot.options.iter_mut().chain([&mut slot.whole]) {
            phrase.insert(0, Piece::Source(start..from));
        }
        let time = noun_time;
        // "invites him to a party in May": the party is in May
        if time && !is_first && verb_kinds::PLANNING.contains(self.base(at)) {
            return into.extend(start, at.place);
        }
        self.place(into, slot, start, needed, time);
    }

    /// Reads an absolute construction as one phrase: "with her son acting as best man".
    fn absolute(&mut self, into: &mut Predicate, at: &mut Cursor, start: usize) {
        let kept = self.asides.len();
        let (inner, next) = self.predicates(at.place, at.end, &at.subject);
        self.asides.truncate(kept);
        let mut stop = if inner.is_empty() { at.place } else { next };
        // "with Ann smiling and Bob crying"
        while self.tag(stop, at.end) == Some(Tag::Coordinator)
            && let Some(noun) = noun_phrase(self.words, stop + 1, at.end)
            && self.words.get(noun.end).is_some_and(|word| noun.end < at.end && word.forms.has(Forms::ING))
        {
            let (more, next) = self.predicates(noun.end, at.end, &at.subject);
            self.asides.truncate(kept);
            stop = if more.is_empty() { noun.end } else { next };
        }
        into.adjuncts.push(source(start..stop));
        at.pass(stop);
    }

    /// The end of the words that open a phrase: "from behind", "only in".
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

    /// Adds the phrase at `start` to the phrase before it, to the slots or to the adjuncts.
    fn place(&self, into: &mut Predicate, slot: Slot, start: usize, needed: bool, time: bool) {
        // "a squad for the tour in January"
        let planned = |before: &Phrase| {
            let words = &self.words[start_of(before)..start];
            words[0].lower() == "for" && words.iter().any(|word| names::WITH_GOAL.contains(word.lower()))
        };
        let joins = |before: &Phrase| {
            planned(before) || self.joins(before, start) || !time && self.may_join(before, start)
        };
        if into.adjunct_before(start).is_some_and(joins) {
            into.push_behind(start, slot.whole);
        } else if needed {
            into.slots.push(slot);
        } else {
            into.adjuncts.extend(slot.options);
        }
    }

    /// Whether the phrase at `start` may modify the noun of the phrase before it, rather than the verb; then the two stay
    /// together.
    fn may_join(&self, before: &Phrase, start: usize) -> bool {
        let from = start_of(before);
        let words = &self.words[from..start];
        let is_clause = words.iter().any(|word| word.is(Tag::Verb) || word.is(Tag::Be));
        // "worked as a cook in Rome"
        if is_clause || self.lower(from) == "as" || classes::FREE_PREPOSITIONS.contains(self.lower(start)) {
            return false;
        }
        if words.iter().filter(|word| matches!(word.tag, Tag::Preposition | Tag::To)).count() > 1 {
            return true;
        }
        // "at a club in Leeds" is also in Leeds
        let within =
            self.lower(start) == "in" && self.words.get(start + 1).is_some_and(|word| word.is(Tag::Name));
        let place = within && matches!(self.lower(from), "at" | "in" | "near" | "outside" | "inside");
        let about = noun_phrase(self.words, from + 1, start);
        !place
            && about.is_some_and(|noun| {
                let person =
                    self.is_person(&noun) && !(noun.name && matches!(self.lower(from), "to" | "from"));
                !noun.is_time(self.words) && !noun.number && !person
            })
    }

    /// Whether the phrase at `start` is part of the one before it: "to a collector from Japan".
    fn joins(&self, before: &Phrase, start: usize) -> bool {
        let opener = self.lower(start_of(before));
        let takes = matches!(opener, "to" | "by" | "with" | "for" | "against");
        let noun = self.lower(start - 1);
        match self.lower(start) {
            "over" | "against" | "between" => true,
            "from" | "with" if takes => true,
            "about" => takes || !self.words[start - 1].is(Tag::Name),
            // "after a drop in sales"
            "in" if names::CHANGES.contains(noun) => true,
            // "to six years in prison", "after two years at the club"; "for two years in Rome" modifies the verb
            "in" | "at" | "with" | "as" | "under" => {
                matches!(noun, "years" | "months" | "weeks" | "days" | "seasons") && opener != "for"
            }
            "to" => opener == "from" || names::WITH_GOAL.contains(noun),
            _ => false,
        }
    }

    /// Reads a preposition with the gerund at `verb` and its complements: "for biting him".
    fn gerund_adjunct(&mut self, into: &mut Predicate, at: &mut Cursor, verb: usize) -> bool {
        let end = at.end;
        let start = at.place;
        let subject = at.subject.of_dependent();
        self.gerunds += 1;
        let (inner, next) = self.predicates(verb, end, &subject);
        self.gerunds -= 1;
        if inner.is_empty() {
            return false;
        }
        // "partial to buying cars"
        let of_adjective = self.lower(start) == "to" && self.is_copula(at) && into.adjuncts.is_empty();
        if self.lower(start) == "of" || of_adjective && into.slots.len() == 1 {
            into.extend(start, next);
            at.pass(next);
            return true;
        }
        let needs_more = verb_kinds::NEEDS_PHRASE.contains(self.base(at)) && into.dependents.is_empty();
        for predicate in inner {
            let phrase = vec![Piece::Source(start..verb), Piece::Source(predicate.range)];
            if into.slots.is_empty() && (needs_more || self.is_copula(at)) || self.completes(into, at, start)
            {
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
