//! Subjects: a noun phrase or a list of them, with the modifiers before the verb.
//!
//! Decides which modifiers of the subject are optional, and which lists may be split. Refuses to split "Smith and Wesson",
//! and to drop a modifier that a quantity depends on.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{classes, names};
use super::super::tagging::Tag;
use super::super::tagging::ahead::finite_ahead;
use super::super::tree::{Phrase, Slot, source};
use super::groups::verb_group;
use super::nouns::{Noun, noun_phrase};
use super::participles::ParticipleClause;
use super::{Parser, Subject};

/// The modifiers between a subject and its verb.
struct Behind {
    /// Where the verb is expected.
    end: usize,
    /// A modifier restricts the subject.
    restricted: bool,
    /// Another noun is joined to the restricted one.
    joined: bool,
}

impl Parser<'_, '_> {
    /// The subject at `from` and the place where its verb is expected.
    pub(crate) fn subject(&mut self, from: usize, end: usize) -> Option<(Subject, usize)> {
        let Some(first) = noun_phrase(self.words, from, end) else { return self.gerund(from, end) };
        let nouns = self.list(first, end, true);
        let last = nouns.last()?;
        let kept = self.asides.len();
        let behind = self.behind_subject(last, end)?;
        let no_claim = behind.restricted && self.asides.len() == kept;
        let subject = self.of_nouns(&nouns, &behind, no_claim);
        Some((subject, behind.end))
    }

    /// The subject made of `nouns` and the modifiers after the last of them.
    fn of_nouns(&mut self, nouns: &[Noun], behind: &Behind, no_claim: bool) -> Subject {
        let (first, last) = (&nouns[0], &nouns[nouns.len() - 1]);
        let alone = nouns.len() == 1;
        let quantified = nouns.iter().any(|noun| self.is_quantified(noun));
        let needs_behind = self.needs_behind(nouns, behind, quantified);
        let whole = needs_behind
            || (!alone && (self.is_pair(first) || self.owns_later(nouns) || self.shares_head(nouns)));
        let all = first.start..behind.end;
        let goes_on = needs_behind || (behind.restricted && !alone);
        let range = if goes_on { all.clone() } else { first.start..last.end };
        let until =
            |noun: &Noun| if behind.restricted && noun.end == last.end { behind.end } else { noun.end };
        let options = if alone || whole {
            vec![source(range.clone())]
        } else {
            nouns.iter().map(|noun| source(noun.start..until(noun))).collect()
        };
        if alone && !whole {
            self.add_role(last);
        }
        let full = if no_claim && alone && !whole { source(all) } else { Phrase::new() };
        let subject = Subject {
            slot: Slot {
                options,
                whole: source(range),
                plural: nouns.iter().map(|noun| noun.plural).collect(),
            },
            full,
            plural: !alone || last.plural,
            quantified,
            splits_if_plural: is_pair_of_names(nouns),
        };
        self.short_name(subject, nouns)
    }

    /// Whether a noun is quantified, so that a part of the predicate may be untrue of it.
    pub(crate) fn is_quantified(&self, noun: &Noun) -> bool {
        (noun.start..=noun.head).any(|place| classes::QUANTIFIERS.contains(self.lower(place)))
    }

    /// Whether the modifiers after the subject must stay with it.
    fn needs_behind(&self, nouns: &[Noun], behind: &Behind, quantified: bool) -> bool {
        let last = &nouns[nouns.len() - 1];
        let numeral = nouns.iter().any(|noun| noun.number || self.words[noun.head].is(Tag::Number));
        let generic = numeral || last.plural && !last.determined && !last.pronoun;
        // "the fall in the value"
        let change = last.head + 1 == last.end
            && names::CHANGES.contains(self.lower(last.head))
            && self.lower(last.end) == "in";
        let intended = names::INTENTS.contains(self.lower(last.head)) && self.lower(last.end) == "to";
        let first = (last.start..last.end).any(|place| classes::SUPERLATIVES.contains(self.lower(place)));
        let share = intended
            || first && behind.restricted
            || behind.restricted && names::SHARES.contains(self.lower(last.head));
        change || share || behind.joined || behind.restricted && (quantified || generic || last.pronoun)
    }

    /// Whether the list is a fixed pair: "Both X and Y".
    pub(crate) fn is_pair(&self, first: &Noun) -> bool {
        matches!(self.lower(first.start), "both" | "either" | "neither")
    }

    /// Reads the modifiers after a subject: phrases, relative clauses, appositions.
    fn behind_subject(&mut self, noun: &Noun, end: usize) -> Option<Behind> {
        let mut noun = noun.clone();
        let mut behind = Behind { end: noun.end, restricted: false, joined: false };
        for _ in 0..8 {
            if !self.spend() {
                return None;
            }
            let place = behind.end;
            let tag = self.tag(place, end);
            if tag == Some(Tag::Coordinator) && behind.restricted && self.lower(place) == "and" {
                let Some(other) = noun_phrase(self.words, place + 1, end) else { break };
                behind.end = other.end;
                behind.joined = true;
                noun = other;
                continue;
            }
            let kept = self.asides.len();
            behind.end = self.pass_modifier(&noun, place, end)?;
            // "a rise in the number of people struck": about either noun.
            let modifies = matches!(tag, Some(Tag::Relative | Tag::That | Tag::Verb));
            if modifies && place > noun.end && !self.is_person_of_place(&noun) {
                self.asides.truncate(kept);
            }
            behind.restricted |=
                matches!(tag, Some(Tag::Preposition | Tag::Relative | Tag::That | Tag::To | Tag::Verb))
                    && behind.end > place;
            let verb_next = tag == Some(Tag::Comma) && verb_group(self.words, behind.end, end).is_some();
            if behind.end == place || verb_next {
                break;
            }
        }
        Some(behind)
    }

    /// The place after the modifier of `noun` at `place`; `place` if there is no modifier, `None` if the noun is not a
    /// subject.
    fn pass_modifier(&mut self, noun: &Noun, place: usize, end: usize) -> Option<usize> {
        match self.tag(place, end) {
            Some(Tag::Preposition) => {
                self.prepositional(place, end).or_else(|| self.gerund_phrase(place, end))
            }
            Some(Tag::Relative | Tag::That) => self.relative(noun, place, end, false),
            Some(Tag::Comma) => self.aside(noun, place, end),
            Some(Tag::Bracket) => self.bracket(place, end),
            Some(Tag::Break) => Some(self.dashes(place, end).unwrap_or(place)),
            Some(Tag::To) => self.infinitive_end(place, end),
            Some(Tag::Verb) if !self.is_personal(noun) && self.is_reduced(noun, place, end) => {
                let stop = self.reduced_end(place, end);
                self.add_participle(noun, ParticipleClause { verb: place, end: stop });
                Some(stop)
            }
            _ => Some(place),
        }
    }

    /// Whether a later modifier is about the person, not the place: "a woman from Leeds".
    fn is_person_of_place(&self, noun: &Noun) -> bool {
        let place = matches!(self.lower(noun.end), "from" | "in" | "at" | "on" | "near" | "outside");
        place && self.is_person(noun)
    }

    fn is_personal(&self, noun: &Noun) -> bool {
        noun.pronoun && classes::PERSONAL_PRONOUNS.contains(self.lower(noun.head))
    }

    /// Reads a gerund as the subject: "Eating well helps."
    fn gerund(&mut self, from: usize, end: usize) -> Option<(Subject, usize)> {
        let is_gerund = self.words.get(from).is_some_and(|word| from < end && word.forms.has(Forms::ING));
        if !is_gerund || !finite_ahead(&self.words[..end], from + 1, 10) {
            return None;
        }
        let stop = self.reduced_end(from, end);
        Some((Subject::single(source(from..stop)), stop))
    }
}

/// Whether the list is two single names: "Smith and Wesson".
fn is_pair_of_names(nouns: &[Noun]) -> bool {
    matches!(nouns, [first, second] if first.is_single_name() && second.is_single_name())
}
