//! Phrases before a subject: "In Baltimore,", "When he came,", "Born in Quito,".
//!
//! Decides which of them every claim keeps (a condition), which are optional (a place) and which make a claim of their own
//! (a factual subordinate clause). Refuses phrases without a subject and a verb after them.

use super::super::lexicon::classes;
use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::Tag;
use super::super::tree::{Clause, source};
use super::Parser;
use super::nouns::noun_phrase;
use super::participles::ParticipleClause;

impl Parser<'_, '_> {
    /// Reads the phrases before the subject. Participles are collected in `pending` until the subject is known.
    pub(crate) fn leads(
        &mut self,
        from: usize,
        end: usize,
        clause: &mut Clause,
        pending: &mut Vec<ParticipleClause>,
    ) -> usize {
        let mut place = from;
        while self.tag(place, end) == Some(Tag::Coordinator) {
            place += 1;
        }
        for _ in 0..8 {
            let Some(next) = self.lead(place, end, clause, pending) else { break };
            place = next;
        }
        place
    }

    /// Reads one phrase.
    fn lead(
        &mut self,
        place: usize,
        end: usize,
        clause: &mut Clause,
        pending: &mut Vec<ParticipleClause>,
    ) -> Option<usize> {
        let next = match self.tag(place, end)? {
            Tag::Adverb if self.tag(place + 1, end) == Some(Tag::Subordinator) => {
                return self.lead_clause(place, place + 1, end, clause);
            }
            Tag::Adverb if noun_phrase(self.words, place, end).is_none() => {
                return Some(self.lead_adverb(place, end, clause));
            }
            Tag::Subordinator => return self.lead_clause(place, place, end, clause),
            _ if self.lower(place) == "according" => {
                let next = self.comma_before_subject(place, end, 16)? + 1;
                clause.scope.extend(source(place..next));
                return Some(next);
            }
            Tag::Verb if self.words[place].forms.has(Forms::PARTICIPLE.with(Forms::ING)) => {
                let comma = self.lead_participle(place, end)?;
                pending.push(ParticipleClause { verb: place, end: comma });
                return Some(comma + 1);
            }
            Tag::Preposition => self.lead_phrase(place, end)?,
            Tag::To => self.comma_before_subject(place, end, 14)? + 1,
            _ => self.lead_time(place, end)?,
        };
        if classes::LIMITING.contains(self.lower(place)) {
            clause.scope.extend(source(place..next));
        } else {
            clause.leads.push(source(place..next));
        }
        Some(next)
    }

    /// Reads an adverb, which every claim keeps ("Now,"), except connectives, which claims omit.
    fn lead_adverb(&mut self, place: usize, end: usize, clause: &mut Clause) -> usize {
        let comma = self.tag(place + 1, end) == Some(Tag::Comma);
        let next = place + 1 + usize::from(comma);
        if !classes::CONNECTIVES.contains(self.lower(place)) {
            clause.prefix.extend(source(place..next));
        }
        next
    }

    /// The comma after a leading participle: "Born in Quito,".
    fn lead_participle(&self, place: usize, end: usize) -> Option<usize> {
        let comma = self.comma_before_subject(place, end, 16)?;
        let goes_on =
            matches!(self.tag(comma + 1, end), Some(Tag::Coordinator | Tag::Verb | Tag::Preposition));
        (!goes_on).then_some(comma)
    }

    /// The comma within `reach` words, if a noun follows it.
    fn comma_before_subject(&self, place: usize, end: usize, reach: usize) -> Option<usize> {
        let comma = (place..end.min(place + reach)).find(|&at| self.words[at].is(Tag::Comma))?;
        noun_phrase(self.words, comma + 1, end).map(|_| comma)
    }

    /// Reads a leading phrase, with a comma ("In Baltimore,") or before a subject with its verb.
    fn lead_phrase(&mut self, place: usize, end: usize) -> Option<usize> {
        let mut next = self.prepositional(place, end)?;
        while self.tag(next, end) == Some(Tag::Preposition) {
            next = self.prepositional(next, end)?;
        }
        self.before_subject(next, end)
    }

    /// Reads a leading time: "Ten years later,", "Monday".
    fn lead_time(&mut self, place: usize, end: usize) -> Option<usize> {
        let noun = noun_phrase(self.words, place, end)?;
        let after = matches!(self.lower(noun.end), "after" | "before");
        if !after && !noun.is_time(self.words) {
            return None;
        }
        self.before_subject(noun.end + usize::from(after), end)
    }

    /// The start of the subject, if a comma or a clause is at `place`.
    fn before_subject(&self, place: usize, end: usize) -> Option<usize> {
        if self.tag(place, end) == Some(Tag::Comma) {
            return Some(place + 1);
        }
        self.has_clause(place, end).then_some(place)
    }

    /// Reads a leading subordinate clause. A fact also makes a claim of its own ("When he came, ..."); a condition must stay
    /// ("If he comes, ..."). An adverb may precede the subordinator at `place`: "Even if".
    fn lead_clause(&mut self, start: usize, place: usize, end: usize, clause: &mut Clause) -> Option<usize> {
        let kept = self.asides.len();
        let (inner, next) = self.up_to_comma(place + 1, end);
        let next = if inner.is_empty() { self.comma_before_subject(place, end, 20)? } else { next };
        let next = if self.tag(next, end) == Some(Tag::Comma) { next + 1 } else { next };
        if !self.has_clause(next, end) {
            self.asides.truncate(kept);
            return None;
        }
        if !classes::FACTUAL.contains(self.lower(place)) {
            self.asides.truncate(kept);
            clause.scope.extend(source(start..next));
        } else {
            self.add_facts(inner, place, kept);
            clause.leads.push(source(start..next));
        }
        Some(next)
    }
}
