//! Predicates: a verb group and its dependents.
//!
//! Decides the properties of a predicate, its singular form and whether it may be split; `complements` reads what follows
//! the verb. Refuses to split a negated predicate.

use super::super::lexicon::verb_forms::{Forms, third_person};
use super::super::lexicon::{classes, verb_kinds};
use super::super::tagging::ahead::is_plural_noun;
use super::super::tagging::{Tag, Word};
use super::super::tree::{Phrase, Piece, Predicate, source};
use super::conjuncts::Chain;
use super::groups::{Group, verb_group};
use super::nouns::Noun;
use super::{DEEPEST, Parser, Subject};

/// The state of the parser within a predicate.
pub(crate) struct Cursor {
    pub(crate) group: Group,
    /// The first verb of the group whose auxiliaries this one shares: "must be fed and walked".
    pub(crate) leading: Option<usize>,
    /// The group, or the group whose auxiliaries it shares, is passive.
    pub(crate) passive: bool,
    pub(crate) place: usize,
    /// The noun just read, which a modifier would describe.
    pub(crate) last: Option<Noun>,
    /// A comma precedes the current phrase.
    pub(crate) after_comma: bool,
    /// The subject of the predicate.
    pub(crate) subject: Subject,
    /// The end of the words that may belong to the predicate.
    pub(crate) end: usize,
}

impl Cursor {
    /// Moves past a phrase that cannot take a modifier.
    pub(crate) fn pass(&mut self, place: usize) {
        self.place = place;
        self.last = None;
    }
}

impl Parser<'_, '_> {
    /// The predicates from `from` on that share `subject`, and where they end.
    pub(crate) fn predicates(
        &mut self,
        from: usize,
        end: usize,
        subject: &Subject,
    ) -> (Vec<Predicate>, usize) {
        let mut chain = Chain::default();
        let mut place = from;
        self.depth += 1;
        while self.depth <= 2 * DEEPEST && self.spend() {
            let Some((predicate, group)) = self.predicate(place, end, subject, chain.leading.as_ref()) else {
                break;
            };
            place = predicate.range.end;
            self.add(&mut chain, predicate, &group);
            let first = chain.leading.take().unwrap_or(group);
            let Some((start, shares_auxiliaries)) = self.conjunct(place, end, &first) else { break };
            place = start;
            chain.leading = shares_auxiliaries.then_some(first);
        }
        self.depth -= 1;
        let stop = chain.found.last().map_or(from, |last| last.range.end);
        (chain.found, stop)
    }

    /// One predicate; `leading` is the group whose auxiliaries it shares.
    fn predicate(
        &mut self,
        from: usize,
        end: usize,
        subject: &Subject,
        leading: Option<&Group>,
    ) -> Option<(Predicate, Group)> {
        let group = verb_group(self.words, from, end)?;
        let mut predicate = self.verb_alone(&group, leading);
        predicate.indivisible |= subject.quantified;
        let passive = group.passive || leading.is_some_and(|leading| leading.passive);
        let at = Cursor {
            place: group.end,
            end,
            leading: leading.map(|leading| leading.first),
            passive,
            group: group.clone(),
            last: None,
            after_comma: false,
            subject: subject.clone(),
        };
        self.complements(&mut predicate, at);
        let main = &self.words[group.main];
        let needs_more = !passive || verb_kinds::NEEDS_PHRASE.contains(&main.base) || main.base == "bear";
        predicate.incomplete = main.is(Tag::Verb) && predicate.slots.is_empty() && needs_more;
        // "carries around a kit": the object that the verb needs was read as something else.
        let reads_on = predicate.range.end > group.end && group.end == group.main + 1;
        let lacks_object =
            !passive && reads_on && predicate.slots.is_empty() && predicate.dependents.is_empty();
        predicate.indivisible |= lacks_object && predicate.reported.is_empty() && self.needs_object(main);
        let quiet =
            predicate.slots.is_empty() && predicate.dependents.is_empty() && predicate.reported.is_empty();
        let speaks = verb_kinds::SPEAKING.contains(&main.base) || main.base == "agree";
        // "a witness has told the court"
        let only_addressee =
            main.base == "tell" && predicate.slots.len() == 1 && predicate.dependents.is_empty();
        let only_addressee = only_addressee && predicate.reported.is_empty();
        predicate.lacks_report = (quiet && speaks || only_addressee) && !passive && main.is(Tag::Verb);
        // "said the drive": a clause that no rule read
        let unread = main.base == "say" && !passive && predicate.reported.is_empty();
        predicate.indivisible |= unread && !predicate.slots.is_empty();
        predicate.of_each = self.of_each(&predicate);
        predicate.collective |= self.acts_together(&predicate, &group);
        Some((predicate, group))
    }

    /// Reads everything that follows the verb.
    fn complements(&mut self, into: &mut Predicate, mut at: Cursor) {
        let negates = verb_kinds::NON_FACTUAL.contains(&self.words[at.group.main].base);
        self.hypotheticals += usize::from(into.hypothetical);
        self.negations += usize::from(negates);
        while at.place < at.end && self.spend() {
            let before = at.place;
            if !self.complement(into, &mut at) || at.place <= before {
                break;
            }
        }
        self.hypotheticals -= usize::from(into.hypothetical);
        self.negations -= usize::from(negates);
        into.range.end = at.place;
    }

    /// The predicate of a verb group without its complements.
    fn verb_alone(&self, group: &Group, leading: Option<&Group>) -> Predicate {
        let main = &self.words[group.main];
        let first = leading.unwrap_or(group).first;
        let hypothetical = self.words[first].is(Tag::Modal) || first > 0 && self.words[first - 1].is(Tag::To);
        let mut predicate = Predicate {
            hypothetical,
            range: group.start..group.end,
            verb: source(group.start..group.end),
            singular: self.singular(group),
            indivisible: group.negated || main.is(Tag::Verb) && verb_kinds::NEGATING.contains(&main.base),
            collective: main.is(Tag::Verb) && verb_kinds::COLLECTIVE.contains(&main.base),
            ..Predicate::default()
        };
        if let Some(leading) = leading {
            predicate.verb.insert(0, Piece::Source(leading.start..leading.main));
            predicate.singular = self.singular(&Group { end: leading.main, ..leading.clone() });
            predicate.singular.extend(source(group.start..group.end));
            predicate.indivisible |= leading.negated;
        }
        predicate
    }

    /// The place of "both" after "are": what follows is true of each subject.
    fn of_each(&self, predicate: &Predicate) -> Option<usize> {
        let is_it = |place: &usize| {
            self.lower(*place) == "both"
                && self.words[*place].is(Tag::Adverb)
                && place.checked_sub(1).is_some_and(|before| self.words[before].is(Tag::Be))
        };
        predicate.range.clone().find(is_it)
    }

    fn needs_object(&self, verb: &Word) -> bool {
        verb_kinds::TRANSITIVE.contains(&verb.base) || verb_kinds::CLAUSE_ONLY.contains(&verb.base)
    }

    /// Whether the predicate is true of several subjects together but not of each.
    fn acts_together(&self, predicate: &Predicate, group: &Group) -> bool {
        let words = &self.words[predicate.range.clone()];
        let plural = |word: &Word| word.is(Tag::Noun) && is_plural_noun(word.lower());
        let copula = self.words[group.main].is(Tag::Be);
        let joint =
            |place: usize| classes::JOINT.contains(self.lower(place)) && predicate.of_each != Some(place);
        predicate.range.clone().any(joint) || (copula && words.iter().skip(1).take(4).any(plural))
    }

    /// The group for a singular subject: "is" for "are".
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
        vec![
            Piece::Source(group.start..group.first),
            Piece::Changed(group.first, replaced),
            Piece::Source(group.first + 1..group.end),
        ]
    }
}

impl Predicate {
    /// Adds words to the phrase that ends where they start; to the conditions if there is none.
    pub(crate) fn extend(&mut self, from: usize, to: usize) {
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
