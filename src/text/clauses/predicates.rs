//! Predicates: a verb group and what depends on it.
//!
//! Decides which predicates share a subject, and passes what follows a verb on to `complements`.
//! Refuses to take apart what is denied.

use super::groups::{Group, is_auxiliary, verb_group};
use super::nouns::{Noun, in_list};
use super::parse::{Parser, Subject};
use super::tagger::{Tag, Word};
use super::tree::{Phrase, Piece, Predicate, source};
use super::verb_lists;
use super::verbs::{Forms, third_person};

/// How far a predicate has been read.
pub(super) struct Reading {
    pub group: Group,
    pub place: usize,
    /// The noun just read, which a modifier would be about.
    pub last: Option<Noun>,
    /// A comma has been passed since the last phrase.
    pub after_comma: bool,
}

impl Parser<'_, '_> {
    /// The predicates from `from` on that share `subject`, and where they end.
    pub fn predicates(&mut self, from: usize, end: usize, subject: &Subject) -> (Vec<Predicate>, usize) {
        let mut found: Vec<Predicate> = Vec::new();
        let mut place = from;
        let mut shared: Option<Group> = None;
        self.depth += 1;
        while self.depth <= 2 * super::parse::DEEPEST && self.spend() {
            let Some((predicate, group, next)) = self.predicate(place, end, subject, shared.as_ref()) else {
                break;
            };
            found.push(predicate);
            place = next;
            let carrier = shared.take().unwrap_or(group);
            let Some((start, shares)) = self.conjoined(place, end, &carrier) else { break };
            place = start;
            shared = shares.then_some(carrier);
        }
        self.depth -= 1;
        if let Some(last) = found.last() {
            place = last.range.end;
        }
        (found, place)
    }

    /// Where a further predicate of the same subject starts, and whether it leans on the
    /// auxiliaries of the first: "was found and taken".
    fn conjoined(&self, place: usize, end: usize, carrier: &Group) -> Option<(usize, bool)> {
        let mut start = place;
        if self.tag(start, end) == Some(Tag::Comma) {
            start += 1;
        }
        let joined = self.tag(start, end) == Some(Tag::Coordinator);
        if joined {
            if !in_list("and but", self.lower(start)) {
                return None;
            }
            start += 1;
        }
        if start == place {
            return None;
        }
        let group = verb_group(self.words, start, end)?;
        let forms = self.words[group.first].forms;
        let leads = |tag| (carrier.first..carrier.main).any(|at| self.words[at].is(tag));
        let bare = group.first == group.main;
        let carried = &self.words[carrier.main];
        let object_follows = matches!(
            self.tag(group.end, end),
            Some(Tag::Determiner | Tag::Owner | Tag::Name | Tag::Noun | Tag::Pronoun | Tag::Number)
        );
        let own = forms.has(Forms::PAST) && object_follows && carrier.passive;
        let shares = bare
            && !own
            && ((forms.has(Forms::PARTICIPLE)
                && (carrier.passive
                    || (leads(Tag::Have) && carried.is(Tag::Verb) && carried.forms.has(Forms::PARTICIPLE))))
                || (forms.has(Forms::BASE) && (leads(Tag::Modal) || leads(Tag::Do) || leads(Tag::To)))
                || (forms.has(Forms::ING) && carried.forms.has(Forms::ING) && leads(Tag::Be)));
        if let Some(outer) = self.reporters.last()
            && !shares
        {
            let finite = Forms::THIRD.with(Forms::PAST);
            let with_outer = forms.has(finite) && forms.has(*outer) && outer.has(finite);
            let plain = carrier.first == carrier.main && !self.words[carrier.first].is(Tag::Be);
            let with_inner = self.words[carrier.first].forms.has(forms)
                && (plain || !bare || self.words[group.first].is(Tag::Be));
            if with_outer && !with_inner {
                return None;
            }
        }
        let alike = group.finite && carrier.finite;
        let same = !carrier.finite && !is_auxiliary(self.words, group.first) && forms.has(carried.forms);
        let infinitive = carrier.start > 0
            && self.words[carrier.start - 1].is(Tag::To)
            && self.words[carrier.first].forms.has(Forms::BASE);
        let accepted = if infinitive {
            forms.has(Forms::BASE) && !self.words[group.first].is(Tag::Modal)
        } else {
            shares || same || alike
        };
        let listed =
            joined || (forms.has(Forms::THIRD.with(Forms::PAST)) && self.joins_later(group.end, end));
        (accepted && listed).then_some((start, shares))
    }

    /// Whether "and" and a verb follow, as in a list of three predicates.
    fn joins_later(&self, from: usize, end: usize) -> bool {
        (from..end.min(from + 14))
            .any(|at| self.lower(at) == "and" && verb_group(self.words, at + 1, end).is_some())
    }

    fn predicate(
        &mut self,
        from: usize,
        end: usize,
        subject: &Subject,
        shared: Option<&Group>,
    ) -> Option<(Predicate, Group, usize)> {
        let group = verb_group(self.words, from, end)?;
        let mut verb = source(group.start..group.end);
        let mut singular = self.singular(&group);
        if let Some(carrier) = shared {
            verb.insert(0, Piece::Source(carrier.start..carrier.main));
            let helper = Group { end: carrier.main, ..carrier.clone() };
            singular = self.singular(&helper);
            singular.extend(source(group.start..group.end));
        }
        let main = &self.words[group.main];
        let denies = main.is(Tag::Verb) && in_list(verb_lists::DENYING, &main.base);
        let mut predicate = Predicate {
            range: from..group.end,
            verb,
            singular,
            indivisible: group.denied
                || subject.quantified
                || denies
                || shared.is_some_and(|carrier| carrier.denied),
            collective: main.is(Tag::Verb) && in_list(verb_lists::COLLECTIVE, &main.base),
            ..Predicate::default()
        };
        let mut reading = Reading { place: group.end, last: None, after_comma: false, group: group.clone() };
        while reading.place < end && self.spend() {
            let before = reading.place;
            if !self.complement(&mut predicate, &mut reading, end, subject) || reading.place <= before {
                break;
            }
        }
        predicate.range.end = reading.place;
        let passive = group.passive || shared.is_some_and(|carrier| carrier.passive);
        let needs = !passive || in_list(verb_lists::NEEDS_PHRASE, &main.base) || main.base == "bear";
        predicate.bare = main.is(Tag::Verb) && predicate.slots.is_empty() && needs;
        predicate.collective |= self.acts_together(&predicate, &group);
        Some((predicate, group, reading.place))
    }

    /// Whether the predicate says of several what it does not say of one.
    fn acts_together(&self, predicate: &Predicate, group: &Group) -> bool {
        let words = &self.words[predicate.range.clone()];
        let together = words.iter().any(|word| in_list("together other another both jointly their themselves they between apart respectively each same", word.lower()));
        let plural = |word: &Word| word.is(Tag::Noun) && super::ahead::is_plural_noun(word.lower());
        let copula = self.words[group.main].is(Tag::Be);
        together || (copula && words.iter().skip(1).take(4).any(plural))
    }

    /// The group as a single subject has it; empty if it cannot be said.
    fn singular(&self, group: &Group) -> Phrase {
        let first = &self.words[group.first];
        let replaced = match (first.tag, first.lower()) {
            (Tag::Be, "are") => "is".to_owned(),
            (Tag::Be, "were") => "was".to_owned(),
            (Tag::Be, "aren't") => "isn't".to_owned(),
            (Tag::Be, "weren't") => "wasn't".to_owned(),
            (Tag::Have, "have") => "has".to_owned(),
            (Tag::Do, "do") => "does".to_owned(),
            (Tag::Verb, base) if first.forms.has(Forms::BASE) && !first.forms.has(Forms::PAST) => {
                third_person(base)
            }
            _ => return source(group.start..group.end),
        };
        let mut phrase = Vec::new();
        if group.first > group.start {
            phrase.push(Piece::Source(group.start..group.first));
        }
        phrase.push(Piece::Changed(group.first, replaced));
        if group.first + 1 < group.end {
            phrase.push(Piece::Source(group.first + 1..group.end));
        }
        phrase
    }
}

impl Predicate {
    /// Takes words into the phrase that ends where they start; into the conditions if none does.
    pub fn extend(&mut self, from: usize, to: usize) {
        let stretch = |phrase: &mut Phrase| match phrase.last_mut() {
            Some(Piece::Source(range)) if range.end == from => {
                range.end = to;
                true
            }
            _ => false,
        };
        if self.adjuncts.last_mut().is_some_and(stretch) {
            return;
        }
        if let Some(slot) = self.slots.last_mut()
            && stretch(&mut slot.whole)
        {
            slot.options.last_mut().map(stretch);
            return;
        }
        if self.slots.is_empty() && stretch(&mut self.verb) {
            stretch(&mut self.singular);
            return;
        }
        if !stretch(&mut self.conditions) {
            self.conditions.extend(source(from..to));
        }
    }
}
