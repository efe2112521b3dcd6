//! Clauses that follow one another.
//!
//! Decides where the next clause of a sentence or of reported speech begins, and which conditions and sources hold for
//! several clauses. Refuses to attribute one speaker's statement to another.

use super::super::lexicon::verb_kinds;
use super::super::tagging::Tag;
use super::super::tagging::ahead::by_someone;
use super::super::tree::Clause;
use super::groups::verb_group;
use super::nouns::noun_phrase;
use super::{DEEPEST, Parser};

impl Parser<'_, '_> {
    /// Reads the clauses from `from` on; returns them and their end.
    pub(crate) fn sequence(&mut self, from: usize, end: usize) -> (Vec<Clause>, usize) {
        let mut found: Vec<Clause> = Vec::new();
        let mut place = from;
        self.depth += 1;
        while place < end && self.depth <= DEEPEST && self.spend() {
            let Some(start) = self.next_start(place, end, found.is_empty()) else { break };
            let Some((mut clause, next)) = self.clause(start, end) else { break };
            // "Tuesday is Equal Pay Day, a feast marked by few"
            if !found.is_empty()
                && self.words[start - 1].is(Tag::Comma)
                && self.is_done_by_someone(&clause, end)
            {
                break;
            }
            self.share_scope(&mut found, &mut clause);
            found.push(clause);
            if next <= place {
                break;
            }
            place = next;
        }
        self.depth -= 1;
        (found, place)
    }

    /// Whether the verb of a clause is a participle rather than a past form, because "by" and an agent follow.
    fn is_done_by_someone(&self, clause: &Clause, end: usize) -> bool {
        let verb = clause.predicates.first().map(|predicate| predicate.range.start);
        let group = verb.and_then(|verb| verb_group(self.words, verb, end));
        group.is_some_and(|group| group.ambiguous && by_someone(self.words, group.end))
    }

    /// Applies the scope of the earlier clauses to this one, and its final scope to them.
    fn share_scope(&self, found: &mut [Clause], clause: &mut Clause) {
        let Some(last) = found.last() else { return };
        if clause.scope.is_empty() {
            clause.scope = last.scope.clone();
        }
        for later in &clause.predicates {
            for earlier in found.iter_mut() {
                self.reach_back(&mut earlier.predicates, later);
            }
        }
    }

    /// Where the next clause may start; `None` if the sequence ends at `place`.
    fn next_start(&self, place: usize, end: usize, is_first: bool) -> Option<usize> {
        if is_first {
            return Some(place);
        }
        let after_comma = self.tag(place, end) == Some(Tag::Comma);
        if self.comma_ends && after_comma {
            return None;
        }
        let joint = |at: &usize| matches!(self.tag(*at, end), Some(Tag::Comma | Tag::Coordinator));
        let start = (place..end).find(|at| !joint(at)).filter(|start| *start > place)?;
        if self.reporters.is_empty() {
            return Some(start);
        }
        // "said X, but Y said Z"
        if after_comma && self.speaks(start, end) {
            return None;
        }
        // "said that X and that Y"
        let again = self.lower(start - 1) == "and" && self.tag(start, end) == Some(Tag::That);
        Some(start + usize::from(again))
    }

    /// Whether a noun and a verb of speech start at `place`.
    fn speaks(&self, place: usize, end: usize) -> bool {
        let group =
            noun_phrase(self.words, place, end).and_then(|noun| verb_group(self.words, noun.end, end));
        group.is_some_and(|group| group.finite && verb_kinds::SPEAKING.contains(&self.words[group.main].base))
    }
}
