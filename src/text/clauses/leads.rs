//! What stands before a subject: "In Baltimore,", "When he came,", "Born in Quito,".
//!
//! Decides which of it each claim keeps (a condition), may go without (a place) or says by itself
//! (what a subordinate clause holds to be a fact). Refuses what no subject and verb follow.

use super::modifiers::Aside;
use super::nouns::{in_list, is_time, noun_phrase};
use super::parse::{Parser, is_fact};
use super::tagger::Tag;
use super::tree::{Clause, source};
use super::verbs::Forms;

impl Parser<'_, '_> {
    /// Phrases in front of the subject. Participles wait for it in `pending`.
    pub fn leads(&mut self, from: usize, end: usize, clause: &mut Clause, pending: &mut Vec<Aside>) -> usize {
        let mut place = from;
        while matches!(self.tag(place, end), Some(Tag::Coordinator)) {
            place += 1;
        }
        for _ in 0..8 {
            let start = place;
            match self.tag(place, end) {
                Some(Tag::Adverb) if !self.is_quantity(place, end) => {
                    place += 1;
                    let connects = in_list(
                        "however also meanwhile then therefore instead moreover furthermore nevertheless thus hence still indeed nonetheless",
                        self.lower(start),
                    );
                    if self.tag(place, end) == Some(Tag::Comma) {
                        place += 1;
                    }
                    if !connects {
                        clause.prefix.extend(source(start..place));
                    }
                }
                Some(Tag::Preposition) => {
                    let Some(next) = self.lead_phrase(place, end) else { return start };
                    clause.leads.push(source(start..next));
                    place = next;
                }
                Some(Tag::Subordinator) => {
                    let Some(next) = self.lead_clause(place, end, clause) else { return start };
                    place = next;
                }
                Some(Tag::To) => {
                    let Some(comma) = self.comma_after(place, end, 14) else { return start };
                    clause.leads.push(source(start..comma + 1));
                    place = comma + 1;
                }
                Some(Tag::Verb) if self.words[place].forms.has(Forms::PARTICIPLE.with(Forms::ING)) => {
                    let Some(comma) = self.comma_after(place, end, 16) else { return start };
                    if self
                        .tag(comma + 1, end)
                        .is_some_and(|tag| matches!(tag, Tag::Coordinator | Tag::Verb | Tag::Preposition))
                    {
                        return start;
                    }
                    pending.push(Aside { verb: place, end: comma });
                    place = comma + 1;
                }
                _ => {
                    let Some(next) = self.lead_time(place, end) else { return start };
                    clause.leads.push(source(start..next));
                    place = next;
                }
            }
            if place == start {
                break;
            }
        }
        place
    }

    fn is_quantity(&self, place: usize, end: usize) -> bool {
        noun_phrase(self.words, place, end).is_some()
    }

    /// The comma within `reach` words, if a subject and a verb follow it.
    fn comma_after(&self, place: usize, end: usize, reach: usize) -> Option<usize> {
        let comma = (place..end.min(place + reach)).find(|&at| self.words[at].is(Tag::Comma))?;
        noun_phrase(self.words, comma + 1, end).map(|_| comma)
    }

    /// "In Baltimore," or, without a comma, before a subject with its verb.
    fn lead_phrase(&mut self, place: usize, end: usize) -> Option<usize> {
        let mut next = self.prepositional(place, end)?;
        while self.tag(next, end) == Some(Tag::Preposition) {
            next = self.prepositional(next, end)?;
        }
        match self.tag(next, end) {
            Some(Tag::Comma) => Some(next + 1),
            _ => self.has_clause(next, end).then_some(next),
        }
    }

    /// "Ten years later,", "On Monday".
    fn lead_time(&mut self, place: usize, end: usize) -> Option<usize> {
        let noun = noun_phrase(self.words, place, end)?;
        let mut next = noun.end;
        let after = in_list("later ago earlier after before", self.lower(next));
        if after {
            next += 1;
        }
        if !(is_time(self.words, &noun) || after) {
            return None;
        }
        match self.tag(next, end) {
            Some(Tag::Comma) => Some(next + 1),
            _ => self.has_clause(next, end).then_some(next),
        }
    }

    /// "When he came, ..." is said by itself too if it is a fact; "If he comes, ..." must stay.
    fn lead_clause(&mut self, place: usize, end: usize, clause: &mut Clause) -> Option<usize> {
        let word = self.lower(place).to_owned();
        let kept = self.asides.len();
        let outer = std::mem::replace(&mut self.comma_ends, true);
        let (inner, next) = self.sequence(place + 1, end);
        self.comma_ends = outer;
        let next = if inner.is_empty() { self.comma_after(place, end, 20)? } else { next };
        let next = if self.tag(next, end) == Some(Tag::Comma) { next + 1 } else { next };
        if !self.has_clause(next, end) {
            self.asides.truncate(kept);
            return None;
        }
        if is_fact(&word) {
            self.asides.extend(inner);
            clause.leads.push(source(place..next));
        } else {
            self.asides.truncate(kept);
            clause.prefix.extend(source(place..next));
        }
        Some(next)
    }
}
