//! Verbs that share a subject: "was found and taken", "will leave and move".
//!
//! Decides whether a verb after "and" has the subject of the verb before, whether it shares its auxiliaries, and what else
//! the two share: an object, a condition. Refuses verbs of another form, which start clauses of their own.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Piece, Predicate, source, start_of};
use super::Parser;
use super::groups::{Group, is_auxiliary, verb_group};
use super::nouns::noun_phrase;

/// Verbs that share a subject, read so far.
#[derive(Default)]
pub(crate) struct Chain {
    pub(crate) found: Vec<Predicate>,
    /// The group whose auxiliaries the next verb shares.
    pub(crate) leading: Option<Group>,
    last: Option<Group>,
    /// A hedge such as "allegedly" before one of them, which holds for the later ones too.
    hedge: Option<usize>,
}

impl Parser<'_, '_> {
    /// Where another predicate of the subject of `leading` starts, and whether it shares the auxiliaries of `leading`.
    pub(crate) fn conjunct(&self, place: usize, end: usize, leading: &Group) -> Option<(usize, bool)> {
        let (start, joined) = self.conjunction(place, end)?;
        let group = verb_group(self.words, start, end)?;
        let shares_auxiliaries = self.shares_auxiliaries(&group, leading, end);
        // "have been protesting and then not attending"
        if shares_auxiliaries && group.negated {
            return None;
        }
        if !shares_auxiliaries && self.is_of_reporter(&group, leading) {
            return None;
        }
        let forms = self.words[group.first].forms;
        let listed =
            joined || (forms.has(Forms::THIRD.with(Forms::PAST)) && self.joins_later(group.end, end));
        (listed && self.is_alike(&group, leading, shares_auxiliaries)).then_some((start, shares_auxiliaries))
    }

    /// The place after ",", "and" or "but", and whether there is a conjunction.
    fn conjunction(&self, place: usize, end: usize) -> Option<(usize, bool)> {
        let start = place + usize::from(self.tag(place, end) == Some(Tag::Comma));
        if self.tag(start, end) == Some(Tag::Coordinator) {
            // "when she was ill but was sent": "but" continues the main clause
            let outer = self.comma_ends && self.lower(start) == "but";
            return (!outer && matches!(self.lower(start), "and" | "but")).then_some((start + 1, true));
        }
        (start > place).then_some((start, false))
    }

    /// Whether `group` is a single verb that shares the auxiliaries of `leading`.
    fn shares_auxiliaries(&self, group: &Group, leading: &Group, end: usize) -> bool {
        let forms = self.words[group.first].forms;
        let main = &self.words[leading.main];
        let has_auxiliary = |tag| (leading.first..leading.main).any(|at| self.words[at].is(tag));
        let object = noun_phrase(self.words, group.end, end);
        let is_phrase = matches!(self.tag(group.end, end), Some(Tag::To | Tag::Preposition | Tag::Adverb));
        let object_follows = !is_phrase && object.is_some_and(|object| !object.is_time(self.words));
        let perfect = has_auxiliary(Tag::Have) && main.is(Tag::Verb) && main.forms.has(Forms::PARTICIPLE);
        // "was founded and stole a car", "was founded and moved to Leeds"
        let active = object_follows || verb_kinds::INTRANSITIVE.contains(&self.words[group.main].base);
        // "will be found and moved", "to be restored and turned into"
        let third_or_past = self.words[leading.first].forms.has(Forms::THIRD.with(Forms::PAST));
        let own = forms.has(Forms::PAST) && active && leading.passive && third_or_past;
        let participle = forms.has(Forms::PARTICIPLE) && (leading.passive || perfect);
        let base = forms.has(Forms::BASE)
            && (has_auxiliary(Tag::Modal) || has_auxiliary(Tag::Do) || has_auxiliary(Tag::To));
        let progressive = forms.has(Forms::ING) && main.forms.has(Forms::ING) && has_auxiliary(Tag::Be);
        // "will retire and be succeeded"
        let single = group.first == group.main || base && self.words[group.first].is(Tag::Be);
        single && !own && (participle || base || progressive)
    }

    /// Whether `group` has the subject of the reporting verb, rather than that of the reported clause.
    fn is_of_reporter(&self, group: &Group, leading: &Group) -> bool {
        let Some(outer) = self.reporters.last() else { return false };
        let (first, forms) = (&self.words[leading.first], self.words[group.first].forms);
        let finite = Forms::THIRD.with(Forms::PAST).with(Forms::BASE);
        let with_outer = forms.has(finite) && forms.has(*outer) && outer.has(finite);
        let plain = leading.first == leading.main && !first.is(Tag::Be);
        let single = group.first == group.main;
        let with_inner = first.forms.has(forms) && (plain || !single || self.words[group.first].is(Tag::Be));
        with_outer && !with_inner
    }

    /// Whether the form of `group` lets it share the subject of `leading`.
    fn is_alike(&self, group: &Group, leading: &Group, shares_auxiliaries: bool) -> bool {
        let (first, forms) = (&self.words[group.first], self.words[group.first].forms);
        let infinitive = leading.start > 0
            && self.words[leading.start - 1].is(Tag::To)
            && self.words[leading.first].forms.has(Forms::BASE);
        if infinitive {
            return forms.has(Forms::BASE) && !first.is(Tag::Modal)
                || shares_auxiliaries
                    && leading.passive
                    && noun_phrase(self.words, group.end, self.words.len()).is_none();
        }
        let same = !leading.finite
            && !is_auxiliary(self.words, group.first)
            && forms.has(self.words[leading.main].forms);
        shares_auxiliaries || same || (group.finite && leading.finite)
    }

    /// Whether "and" and a verb follow, as in a list of three predicates.
    fn joins_later(&self, from: usize, end: usize) -> bool {
        (from..end.min(from + 14))
            .any(|at| self.lower(at) == "and" && verb_group(self.words, at + 1, end).is_some())
    }

    /// Adds a predicate to those that share its subject.
    pub(crate) fn add(&self, chain: &mut Chain, mut predicate: Predicate, group: &Group) {
        self.reach_back(&mut chain.found, &predicate);
        // "did not stop and help": the negation may be of either verb.
        if let (Some(last), Some(leading)) = (chain.found.last_mut(), &chain.leading)
            && leading.negated
        {
            last.range.end = predicate.range.end;
            last.indivisible = true;
            return;
        }
        if self.shares_object(chain, &predicate, group)
            && let Some(previous) = chain.found.pop()
        {
            let rest = source(previous.range.end..group.end);
            predicate.verb = [&previous.verb[..], &rest].concat();
            predicate.singular = [&previous.singular[..], &rest].concat();
            predicate.range.start = previous.range.start;
            predicate.indivisible |= previous.indivisible;
        } else if let Some(hedge) = chain.hedge.filter(|_| chain.leading.is_none()) {
            predicate.verb.insert(0, Piece::Source(hedge..hedge + 1));
            predicate.singular.insert(0, Piece::Source(hedge..hedge + 1));
        }
        let is_hedge = |place: &usize| classes::HEDGES.contains(self.lower(*place));
        chain.hedge = chain.hedge.or_else(|| (group.start..group.main).find(is_hedge));
        chain.last = Some(group.clone());
        chain.found.push(predicate);
    }

    /// Whether the previous verb shares the object of this one: "caught and arrested the thief".
    fn shares_object(&self, chain: &Chain, predicate: &Predicate, group: &Group) -> bool {
        let (Some(previous), Some(last)) = (chain.found.last(), &chain.last) else { return false };
        let main = &self.words[last.main];
        let lacks_object = previous.range.end == last.main + 1
            && main.is(Tag::Verb)
            && !last.passive
            && !verb_kinds::INTRANSITIVE.contains(&main.base);
        let is_phrase = matches!(self.tag(group.end, self.words.len()), Some(Tag::Preposition | Tag::To));
        let has_object = predicate.slots.first().is_some_and(|slot| start_of(&slot.whole) == group.end);
        lacks_object && has_object && !is_phrase && self.words[group.main].is(Tag::Verb)
    }

    /// Applies the scope of a later predicate to earlier ones: a condition to hypothetical ones, a source to all.
    pub(crate) fn reach_back(&self, earlier: &mut [Predicate], later: &Predicate) {
        let Some(Piece::Source(range)) = later.scope.first() else { return };
        let is_source = self.words[range.clone()].iter().take(2).any(|word| word.lower() == "according");
        for predicate in earlier.iter_mut().filter(|predicate| is_source || predicate.hypothetical) {
            predicate.shared.extend(later.scope.iter().cloned());
        }
    }
}
