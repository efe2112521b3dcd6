//! What a sentence states as a fact, and what it only reports, expects or negates.
//!
//! Decides whether a subordinate clause makes a claim of its own, and whether the thing that a noun names exists. Refuses
//! future times ("when he dies"), reasons given by a speaker, and negated statements.

use super::super::lexicon::classes;
use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::Tag;
use super::super::tree::{Clause, Piece};
use super::Parser;
use super::nouns::Noun;

impl Parser<'_, '_> {
    /// Adds the claims of the clause after the subordinator at `place`, unless it is in the future, reported or negated;
    /// then also removes the claims added since `kept`.
    pub(crate) fn add_facts(&mut self, inner: Vec<Clause>, place: usize, kept: usize) {
        let word = self.lower(place);
        let reported = classes::REASONS.contains(word) && !self.reporters.is_empty();
        let to_come = classes::TIMES.contains(word) && inner.iter().any(|clause| self.is_present(clause));
        if reported || to_come || self.negations > 0 {
            self.asides.truncate(kept);
        } else {
            self.asides.extend(inner);
        }
    }

    /// Whether the first verb of a clause is modal or in the present tense.
    fn is_present(&self, clause: &Clause) -> bool {
        let group = clause.predicates.first().map(|predicate| predicate.verb.as_slice());
        let Some([Piece::Source(range), ..]) = group else { return false };
        let verb = self.words[range.clone()].iter().find(|word| word.is(Tag::Modal) || word.forms.is_verb());
        let present = Forms::THIRD.with(Forms::BASE);
        verb.is_some_and(|verb| {
            verb.is(Tag::Modal) || (verb.forms.has(present) && !verb.forms.has(Forms::PAST))
        })
    }

    /// Whether the thing that a noun names may not exist: "wants a wife who cooks".
    pub(crate) fn may_not_exist(&self, noun: &Noun) -> bool {
        let article = matches!(self.lower(noun.start), "a" | "an" | "some" | "any" | "another");
        self.hypotheticals > 0 && (article || !noun.determined && !noun.name)
    }
}
