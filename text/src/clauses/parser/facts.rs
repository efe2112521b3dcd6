//! What a sentence holds to be so, and what it only reports, expects or denies.
//!
//! Decides whether a subordinate clause is said by itself, and whether there need be such a thing
//! as a noun names. Refuses what is to come ("when he dies"), another's reasons and what is denied.

use super::super::lexicon::classes;
use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::Tag;
use super::super::tree::{Clause, Piece};
use super::Parser;
use super::nouns::Noun;

impl Parser<'_, '_> {
    /// Says what the subordinator at `place` opens, unless it is only to come or only reported; then
    /// nothing that was found since `kept` is said.
    pub fn say_facts(&mut self, inner: Vec<Clause>, place: usize, kept: usize) {
        let word = self.lower(place);
        let reported = classes::REASONS.contains(word) && !self.reporters.is_empty();
        let to_come = classes::TIMES.contains(word) && inner.iter().any(|clause| self.is_present(clause));
        if reported || to_come || self.denied > 0 {
            self.asides.truncate(kept);
        } else {
            self.asides.extend(inner);
        }
    }

    /// Whether the first verb of a clause is present, or modal.
    fn is_present(&self, clause: &Clause) -> bool {
        let group = clause.predicates.first().map(|predicate| predicate.verb.as_slice());
        let Some([Piece::Source(range), ..]) = group else { return false };
        let verb = self.words[range.clone()].iter().find(|word| word.is(Tag::Modal) || word.forms.is_verb());
        let present = Forms::THIRD.with(Forms::BASE);
        verb.is_some_and(|verb| {
            verb.is(Tag::Modal) || (verb.forms.has(present) && !verb.forms.has(Forms::PAST))
        })
    }

    /// "wants a wife who cooks": there may be no such noun.
    pub fn is_only_thought(&self, noun: &Noun) -> bool {
        let article = matches!(self.lower(noun.start), "a" | "an" | "some" | "any" | "another");
        self.unreal > 0 && (article || !noun.determined && !noun.name)
    }
}
