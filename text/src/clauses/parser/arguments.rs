//! Phrases that a verb needs.
//!
//! Decides whether a verb, or a verb with its object, is incomplete without the phrase after it, and when a phrase is more
//! than a preposition and its noun ("for the club to win"). Refuses phrases that belong to a noun, which `phrases` joins.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Predicate, ends_at, source, start_of};
use super::Parser;
use super::groups::verb_group;
use super::nouns::Noun;
use super::predicates::Cursor;

impl Parser<'_, '_> {
    /// Whether the verb is incomplete without the phrase at `start`.
    pub(crate) fn needs(&self, at: &Cursor, start: usize) -> bool {
        let pair = [self.base(at), self.lower(start)].join("-");
        let phrasal = start == at.group.end && verb_kinds::PHRASAL.contains(&pair);
        phrasal
            || self.is_copula(at)
            || verb_kinds::NEEDS_PHRASE.contains(self.base(at))
            || self.is_ordered(at)
            || self.lower(start) == "of"
    }

    /// Whether the phrase at `start` is the argument of a verb without an object: "contends with the loss", "was taken into
    /// custody".
    pub(crate) fn is_argument(&self, at: &Cursor, start: usize) -> bool {
        let word = self.lower(start);
        if at.passive { word == "into" } else { classes::ARGUMENT_PREPOSITIONS.contains(word) }
    }

    /// Whether the phrase right after the verb or its object states the result: "emerged as a star", "named him as a
    /// suspect", "brings his show to London".
    pub(crate) fn completes(&self, into: &Predicate, at: &Cursor, start: usize) -> bool {
        let intransitive = verb_kinds::INTRANSITIVE.contains(self.base(at));
        let behind_verb = into.slots.is_empty() && start == at.group.end && !intransitive;
        let behind_object = into.slots.len() == 1 && ends_at(&into.slots[0].whole, start);
        // "fell as part of it"
        let role = self.lower(start) == "as" && !classes::NO_ROLES.contains(self.lower(start + 1));
        let goal = classes::GOALS.contains(self.lower(start)) && verb_kinds::MOVING.contains(self.base(at));
        // "left them in the bottom three"
        let placed =
            matches!(self.lower(start), "in" | "on" | "at") && verb_kinds::PLACING.contains(self.base(at));
        // "left his home in Leeds"
        let left = self.base(at) != "leave" || start > 0 && self.words[start - 1].is(Tag::Pronoun);
        into.adjuncts.is_empty()
            && !at.after_comma
            && (role && (behind_verb || behind_object) || (goal || placed && left) && behind_object)
    }

    /// Whether "as" does not introduce a role, but a name with an unlisted verb ("left as Hall sings") or an age ("sang as a
    /// child").
    pub(crate) fn is_not_role(&self, noun: &Noun, at: &Cursor) -> bool {
        let named = self.words[at.place + 1].is(Tag::Name);
        let clause = named && (!at.passive || noun.plural || self.words[noun.head].is(Tag::Name));
        self.lower(at.place) == "as" && (clause || names::AGES.contains(self.lower(noun.head)))
    }

    /// Whether the passive verb is an order, which needs its phrases: "must be kept in a refrigerator".
    pub(crate) fn is_ordered(&self, at: &Cursor) -> bool {
        let leader = at.leading.unwrap_or(at.group.first);
        at.passive && classes::ORDERS.contains(self.lower(leader))
    }

    /// Reads "for" with an infinitive as one phrase: "took a year for the club to win".
    pub(crate) fn read_for_infinitive(
        &mut self,
        into: &mut Predicate,
        at: &mut Cursor,
        start: usize,
    ) -> bool {
        let group = verb_group(self.words, at.place + 1, at.end);
        let does = self.tag(at.place, at.end) == Some(Tag::To)
            && verb_kinds::MEASURING.contains(self.base(at))
            && group.is_some_and(|group| self.words[group.first].forms.has(Forms::BASE));
        if !does {
            return false;
        }
        let kept = self.asides.len();
        let (_, next) = self.predicates(at.place + 1, at.end, &at.subject.of_dependent());
        self.asides.truncate(kept);
        into.adjuncts.push(source(start..next));
        at.pass(next);
        true
    }

    /// "in a crash in Belgium in which he died": joins the place to the phrase before it, which the clause is about.
    pub(crate) fn join_place(&self, into: &mut Predicate, at: &Cursor) {
        let place = at.last.as_ref().is_some_and(|noun| noun.name && noun.end == at.place);
        let Some(last) = into.adjunct_before(at.place).cloned().filter(|_| place && !at.after_comma) else {
            return;
        };
        into.adjuncts.pop();
        into.push_behind(start_of(&last), last);
    }

    /// Whether a verb is omitted: the same preposition follows an "and", as in "as Lear and Ann as Cordelia".
    pub(crate) fn omits_verb(&self, into: &Predicate, start: usize) -> bool {
        let slot = into.slots.iter().skip(1).map(|slot| &slot.whole).find(|whole| ends_at(whole, start));
        let Some(before) = into.adjunct_before(start).or(slot) else { return false };
        let range = start_of(before)..start;
        self.lower(range.start) == self.lower(start) && range.clone().any(|place| self.lower(place) == "and")
    }
}
