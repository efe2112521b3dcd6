//! Subjects: a noun phrase or a list of them, with what stands between it and its verb.
//!
//! Decides which modifiers a claim about the subject may go without, and which lists may be taken
//! apart. Refuses to take "Smith and Wesson" apart, and to drop what a quantity depends on.

use super::ahead::finite_ahead;
use super::groups::verb_group;
use super::modifiers::Aside;
use super::nouns::{Noun, is_time, noun_phrase};
use super::parse::{Parser, Subject, is_quantifier};
use super::tagger::Tag;
use super::tree::{Slot, source};
use super::verbs::Forms;

impl Parser<'_, '_> {
    /// The subject at `from` and where its verb should be.
    pub fn subject(&mut self, from: usize, end: usize) -> Option<(Subject, usize)> {
        let Some(first) = noun_phrase(self.words, from, end) else { return self.gerund(from, end) };
        let nouns = self.list(first, end, true);
        let last = nouns.last()?.clone();
        let core = nouns[0].start..last.end;
        let quantified =
            nouns.iter().any(|noun| (noun.start..=noun.head).any(|place| is_quantifier(self.lower(place))));
        let numeral = nouns.iter().any(|noun| noun.number || self.words[noun.head].is(Tag::Number));
        let generic = numeral || last.plural && !last.determined && !last.pronoun;
        let said = self.asides.len();
        let (next, restricted, joined) = self.behind_subject(&last, end)?;
        let unsaid = restricted && self.asides.len() == said;
        let keep = joined || restricted && (quantified || generic || last.pronoun);
        let range = if keep { core.start..next } else { core.clone() };
        let firm =
            super::nouns::in_list("both either neither", self.lower(core.start)) || self.owns_later(&nouns);
        let keep = keep || (firm && nouns.len() > 1);
        let until = |noun: &Noun| if restricted && noun.end == last.end { next } else { noun.end };
        let range = if restricted && nouns.len() > 1 { range.start..next } else { range };
        let options = if nouns.len() > 1 && !keep {
            nouns.iter().map(|noun| source(noun.start..until(noun))).collect()
        } else {
            vec![source(range.clone())]
        };
        if !keep && nouns.len() == 1 {
            self.title(&last);
        }
        let full = if unsaid && !keep && nouns.len() == 1 { source(core.start..next) } else { Vec::new() };
        let plural = nouns.len() > 1 || last.plural;
        let subject = Subject {
            slot: Slot { options, whole: source(range) },
            full,
            plural,
            quantified,
            firm: self.is_firm(&nouns),
        };
        Some((self.short_name(subject, &nouns), next))
    }

    /// Passes what stands behind a subject: phrases, relative clauses, appositions. Also says
    /// whether one of them restricts what the subject is.
    fn behind_subject(&mut self, noun: &Noun, end: usize) -> Option<(usize, bool, bool)> {
        let mut noun = noun.clone();
        let mut place = noun.end;
        let (mut restricted, mut joined) = (false, false);
        for _ in 0..8 {
            if !self.spend() {
                return None;
            }
            let start = place;
            match self.tag(place, end) {
                Some(Tag::Preposition) => {
                    place = self.prepositional(place, end).or_else(|| self.gerund_phrase(place, end))?;
                    restricted = true;
                }
                Some(Tag::Coordinator) if restricted && self.lower(place) == "and" => {
                    let Some(other) = noun_phrase(self.words, place + 1, end) else { break };
                    place = other.end;
                    noun = other;
                    joined = true;
                }
                Some(Tag::Relative | Tag::That) => {
                    place = self.relative(&noun, place, end, false)?;
                    restricted = true;
                }
                Some(Tag::Comma) => {
                    let next = self.aside(&noun, place, end)?;
                    if verb_group(self.words, next, end).is_some() {
                        return Some((next, restricted, joined));
                    }
                    place = next;
                }
                Some(Tag::Bracket) => place = self.bracket(place, end)?,
                Some(Tag::Break) => place = self.dashes(place, end).unwrap_or(place),
                Some(Tag::To) => {
                    place = self.infinitive_end(place, end)?;
                    restricted = true;
                }
                Some(Tag::Verb) if !self.is_personal(&noun) && self.is_reduced(place, end) => {
                    let stop = self.reduced_end(place, end);
                    self.participle(&noun, Aside { verb: place, end: stop }, true);
                    place = stop;
                    restricted = true;
                }
                _ => {}
            }
            if place == start {
                break;
            }
        }
        Some((place, restricted, joined))
    }

    /// "Ann and Bob's house": the house is of both.
    pub fn owns_later(&self, nouns: &[Noun]) -> bool {
        let owns = |noun: &Noun| (noun.start..noun.end).any(|place| self.words[place].is(Tag::Possessive));
        let [first, rest @ ..] = nouns else { return false };
        first.name && !owns(first) && rest.iter().any(owns)
    }

    /// Two single names: "Smith and Wesson".
    fn is_firm(&self, nouns: &[Noun]) -> bool {
        let single = |noun: &Noun| noun.name && noun.end == noun.start + 1;
        nouns.len() == 2 && nouns.iter().all(single)
    }

    fn is_personal(&self, noun: &Noun) -> bool {
        noun.pronoun && super::nouns::in_list("he she it they we i you", self.lower(noun.head))
    }

    /// Whether the verb at `place` modifies the noun before it: another verb follows for the noun.
    fn is_reduced(&self, place: usize, end: usize) -> bool {
        let forms = self.words[place].forms;
        let Some(group) = verb_group(self.words, place, end) else { return false };
        if forms.has(Forms::ING) {
            return true;
        }
        let says = forms.has(Forms::PAST)
            && super::nouns::in_list(super::verb_lists::CLAUSAL, &self.words[place].base)
            && self.has_clause(group.end, end);
        let place_holds = matches!(
            self.tag(place + 1, end),
            Some(Tag::Preposition | Tag::Verb | Tag::Be | Tag::Have | Tag::Modal | Tag::To | Tag::Adverb)
        ) && group.end == place + 1
            || finite_strictly(&self.words[..end], group.end, 10);
        !says
            && place_holds
            && forms.has(Forms::PARTICIPLE)
            && group.first == group.main
            && finite_ahead(&self.words[..end], group.end, 10)
    }

    /// Where a reduced clause ends: before the finite verb that it stands in front of.
    fn reduced_end(&self, place: usize, end: usize) -> usize {
        let mut at = place + 1;
        while at < end && at < place + 14 {
            if matches!(self.words[at].tag, Tag::Comma | Tag::Break) {
                return at;
            }
            if let Some(group) = verb_group(self.words, at, end)
                && group.finite
                && !matches!(self.words[at - 1].tag, Tag::To | Tag::Preposition)
            {
                return at;
            }
            at += 1;
        }
        at
    }

    /// A noun and those joined to it by commas and "and". For a subject, each "and" must lead on to
    /// a noun that is not the subject of a verb of its own.
    pub fn list(&mut self, first: Noun, end: usize, subject: bool) -> Vec<Noun> {
        let mut nouns = vec![first];
        let mut complete = true;
        for _ in 0..12 {
            let mut at = nouns[nouns.len() - 1].end;
            let aged = self.tag(at, end) == Some(Tag::Comma)
                && self.tag(at + 1, end) == Some(Tag::Number)
                && self.tag(at + 2, end) == Some(Tag::Comma);
            if aged
                && nouns[nouns.len() - 1].name
                && self.lower(at + 3) == "and"
                && noun_phrase(self.words, at + 4, end).is_some()
            {
                let named = nouns[nouns.len() - 1].clone();
                self.say(&named, source(at + 1..at + 2), false);
                at += 2;
            }
            let (next, closing) = match (self.tag(at, end), self.tag(at + 1, end)) {
                (Some(Tag::Comma), Some(Tag::Coordinator)) if self.lower(at + 1) == "and" => (at + 2, true),
                (Some(Tag::Coordinator), _) if self.lower(at) == "and" => (at + 1, true),
                (Some(Tag::Comma), _) => (at + 1, false),
                _ => break,
            };
            let Some(noun) = noun_phrase(self.words, next, end) else { break };
            if noun.pronoun && !noun.determined
                || self.breaks_list(&nouns, &noun, next, end, closing, subject)
            {
                break;
            }
            let last = nouns.len() - 1;
            if is_time(self.words, &nouns[last]) != is_time(self.words, &noun) {
                break;
            }
            // "the son of a baker and a teacher": what "of" joins may go on.
            if closing && nouns[last].core_end < nouns[last].end && noun.core_end == noun.end {
                nouns[last].end = noun.end;
                break;
            }
            nouns.push(noun);
            complete = closing;
            if closing {
                break;
            }
        }
        if !complete {
            nouns.truncate(1);
        }
        nouns
    }

    fn breaks_list(
        &self,
        nouns: &[Noun],
        noun: &Noun,
        next: usize,
        end: usize,
        closing: bool,
        subject: bool,
    ) -> bool {
        if !subject && self.has_clause(next, end) {
            return true;
        }
        if subject
            && closing
            && nouns.len() == 1
            && nouns[0].end + 2 == next
            && self.tag(next - 2, end) == Some(Tag::Comma)
            && self.has_clause(next, end)
        {
            return true;
        }
        // "X, the mayor, and Y": an apposition is no member.
        if !closing {
            let member_follows = matches!(self.tag(noun.end, end), Some(Tag::Comma | Tag::Coordinator));
            return !member_follows || !self.and_ahead(noun.end, end);
        }
        false
    }

    /// Whether a list that goes on at `place` comes to an "and" before a verb.
    fn and_ahead(&self, place: usize, end: usize) -> bool {
        let mut at = place;
        for _ in 0..10 {
            match self.tag(at, end) {
                Some(Tag::Coordinator) => {
                    return self.lower(at) == "and" && noun_phrase(self.words, at + 1, end).is_some();
                }
                Some(Tag::Comma) => {
                    if self.tag(at + 1, end) == Some(Tag::Coordinator) {
                        return self.lower(at + 1) == "and" && noun_phrase(self.words, at + 2, end).is_some();
                    }
                    let Some(noun) = noun_phrase(self.words, at + 1, end) else { return false };
                    at = noun.end;
                }
                _ => return false,
            }
        }
        false
    }

    /// "Eating well helps."
    fn gerund(&mut self, from: usize, end: usize) -> Option<(Subject, usize)> {
        let is_gerund = self.words.get(from).is_some_and(|word| from < end && word.forms.has(Forms::ING));
        if !is_gerund || !finite_ahead(&self.words[..end], from + 1, 10) {
            return None;
        }
        let stop = self.reduced_end(from, end);
        let slot = Slot::single(source(from..stop));
        Some((Subject { slot, full: Vec::new(), plural: false, quantified: false, firm: false }, stop))
    }
}

/// Whether a verb that can only be finite follows.
fn finite_strictly(words: &[super::tagger::Word], from: usize, reach: usize) -> bool {
    let stop = words.len().min(from + reach);
    words[from.min(stop)..stop]
        .iter()
        .take_while(|word| {
            !matches!(
                word.tag,
                Tag::Comma | Tag::Break | Tag::Coordinator | Tag::Subordinator | Tag::Relative | Tag::That
            )
        })
        .any(|word| match word.tag {
            Tag::Modal => true,
            Tag::Be | Tag::Have | Tag::Do => !word.forms.has(Forms::ING),
            Tag::Verb => word.forms == Forms::THIRD || word.forms == Forms::PAST,
            _ => false,
        })
}
