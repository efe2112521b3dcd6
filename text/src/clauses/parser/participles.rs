//! Participles beside a noun or a verb: "arrested in Paris", "carrying a bag".
//!
//! Decides which of them make a claim about their noun ("The man was arrested in Paris.") and which stay with the verb.
//! Refuses participles whose subject is an event, and negated ones.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::verb_kinds;
use super::super::tagging::Tag;
use super::super::tree::{Clause, Piece, Predicate, source};
use super::groups::verb_group;
use super::nouns::Noun;
use super::predicates::Cursor;
use super::{Parser, Subject};

/// The places of a participle and of the end of its clause.
#[derive(Clone, Debug)]
pub(crate) struct ParticipleClause {
    pub(crate) verb: usize,
    pub(crate) end: usize,
}

impl Parser<'_, '_> {
    /// Reads a participle after the verb or its object; adverbs may precede it.
    pub(crate) fn read_participle(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let (start, end) = (at.place, at.end);
        let is_adverb = |place: &usize| self.tag(*place, end) == Some(Tag::Adverb);
        let verb = (start..end).find(|place| !is_adverb(place)).unwrap_or(start);
        let participle = self.words[verb].forms.has(Forms::ING.with(Forms::PARTICIPLE));
        if !self.words[verb].is(Tag::Verb) || !participle {
            return false;
        }
        let kept = self.asides.len();
        let (inner, next) = self.predicates(start, end, &at.subject.of_dependent());
        if inner.is_empty() {
            return false;
        }
        // "offered people living there the chance"
        into.indivisible |= at.last.is_some()
            && into.slots.len() == 1
            && verb_kinds::GIVING.contains(self.base(at))
            && !at.passive;
        match at.last.take() {
            None if into.dependents.is_empty() && into.adjuncts.is_empty() => into.dependents = inner,
            None => into.adjuncts.push(source(start - usize::from(at.after_comma)..next)),
            Some(_) if self.is_needed_state(into, at, verb) => into.extend(start, next),
            Some(noun) if self.stays_with(&noun, at, verb) => into.push_behind(start, source(start..next)),
            Some(noun) => {
                self.asides.truncate(kept);
                self.add_participle(&noun, ParticipleClause { verb: start, end: next });
            }
        }
        at.place = next;
        true
    }

    /// Whether the verb needs the participle at `verb`: "had it repaired".
    fn is_needed_state(&self, into: &Predicate, at: &Cursor, verb: usize) -> bool {
        let running = verb_kinds::OBJECT_STATE.contains(self.base(at)) && self.base(at) != "have";
        (verb_kinds::NEEDS_STATE.contains(self.base(at)) && !self.words[verb].forms.has(Forms::ING)
            || running && self.words[verb].forms.has(Forms::ING))
            && into.adjuncts.is_empty()
    }

    /// Whether the participle at `verb` makes no claim about `noun`: "saw a man running", "during a trip aimed at peace",
    /// "appeared in Limerick charged with theft".
    fn stays_with(&self, noun: &Noun, at: &Cursor, verb: usize) -> bool {
        let state =
            verb_kinds::OBJECT_STATE.contains(self.base(at)) || self.words[verb].forms.has(Forms::ING);
        let some = matches!(self.lower(noun.start), "a" | "an");
        state || some || !noun.determined
    }

    /// Adds the claim that a participle makes about `noun`: "The man was arrested in Paris."
    pub(crate) fn add_participle(&mut self, noun: &Noun, aside: ParticipleClause) {
        // "a video of them fighting", "the mother of a man jailed": about either noun.
        if noun.core_end < noun.end {
            return;
        }
        if (!noun.determined && !noun.name && noun.plural)
            || self.is_quantified(noun)
            || self.may_not_exist(noun)
            || self.is_picked_out(noun)
        {
            return;
        }
        let subject = Subject { plural: noun.plural, ..Subject::single(self.name_only(noun)) };
        self.add_participles(vec![aside], &subject);
    }

    /// Adds the claims that participles make about a subject.
    pub(crate) fn add_participles(&mut self, pending: Vec<ParticipleClause>, subject: &Subject) {
        for aside in pending {
            let Some(group) = verb_group(self.words, aside.verb, aside.end) else { continue };
            if group.negated || subject.quantified || self.is_of_event(&aside) {
                continue;
            }
            let (mut predicates, next) = self.predicates(aside.verb, aside.end, subject);
            let auxiliary = matches!(self.lower(group.first), "having" | "being");
            // "the attack spent days": a participle cannot have such an object
            let measures = !self.words[group.main].forms.has(Forms::ING)
                && verb_kinds::MEASURING.contains(&self.words[group.main].base)
                && predicates.iter().any(|predicate| !predicate.slots.is_empty());
            if predicates.is_empty()
                || measures
                || predicates.iter().any(|predicate| predicate.lacks_report)
                || next < aside.end
                || auxiliary
            {
                continue;
            }
            let lasting = verb_kinds::LASTING.contains(&self.words[group.main].base);
            let past = self.past && !lasting;
            for predicate in &mut predicates {
                predicate.singular = predicate.verb.clone();
                predicate.singular.insert(0, Piece::Word(be(false, past)));
                predicate.verb.insert(0, Piece::Word(be(subject.plural, past)));
                predicate.indivisible = false;
            }
            self.asides.push(Clause { subject: subject.slot.clone(), predicates, ..Clause::default() });
        }
    }

    /// Whether the subject of the participle is the event: "He fled, sparking a search".
    fn is_of_event(&self, aside: &ParticipleClause) -> bool {
        self.words[aside.verb..aside.end].iter().any(|word| {
            word.is(Tag::Verb) && word.forms.has(Forms::ING) && verb_kinds::OF_EVENTS.contains(&word.base)
        })
    }
}

/// The third-person form of "be".
pub(crate) fn be(plural: bool, past: bool) -> &'static str {
    match (plural, past) {
        (true, false) => "are",
        (true, true) => "were",
        (false, true) => "was",
        (false, false) => "is",
    }
}
