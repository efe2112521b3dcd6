//! Relative clauses: "who founded the bakery", "where they opened a cafe".
//!
//! Decides which of them make a claim about their noun. Refuses those without a subject or object of their own ("which he
//! bought"): they are skipped.

use super::super::lexicon::verb_forms::Forms;
use super::super::tagging::Tag;
use super::super::tree::{Clause, Phrase};
use super::groups::finite_at;
use super::nouns::Noun;
use super::{Parser, Subject};

impl Parser<'_, '_> {
    /// Reads the relative clause at `place`, adds its claim about `noun` and returns its end. `free`: it follows a comma.
    pub(crate) fn relative(&mut self, noun: &Noun, place: usize, end: usize, free: bool) -> Option<usize> {
        self.relative_of(None, noun, place, end, free)
    }

    /// As `relative`, with the claim about `name` if it is given: "Ann is the woman who ...".
    pub(crate) fn relative_of(
        &mut self,
        name: Option<Phrase>,
        noun: &Noun,
        place: usize,
        end: usize,
        free: bool,
    ) -> Option<usize> {
        let subject_word = matches!(self.lower(place), "who" | "which" | "that");
        if !subject_word || !finite_at(self.words, place + 1, end) {
            return self.passed_over(place, end, free);
        }
        let kept = self.asides.len();
        let about = self.antecedent(noun, place);
        let noun = about.as_ref().unwrap_or(noun);
        let name = name.unwrap_or_else(|| self.name_only(noun));
        let outer = self.comma_ends;
        self.comma_ends |= free;
        let next = self.relative_predicates(name, noun, place + 1, end, free);
        self.comma_ends = outer;
        if about.is_none() {
            self.asides.truncate(kept);
        }
        next
    }

    /// Reads other relative clauses: "where he lives", "whose son died", "which he bought". Only "where" after a comma makes
    /// a claim.
    fn passed_over(&mut self, place: usize, end: usize, free: bool) -> Option<usize> {
        let kept = self.asides.len();
        let (inner, next) = self.sequence(place + 1, end);
        let found = !inner.is_empty();
        if free && self.lower(place) == "where" {
            self.asides.extend(inner);
        } else {
            self.asides.truncate(kept);
        }
        found.then_some(next)
    }

    /// Reads the predicates of a relative clause and adds their claim about `noun`: "founded the bakery".
    fn relative_predicates(
        &mut self,
        name: Phrase,
        noun: &Noun,
        verb: usize,
        end: usize,
        free: bool,
    ) -> Option<usize> {
        let kept = self.asides.len();
        let generic = !free && !noun.determined && !noun.name && noun.plural;
        let subject = Subject { plural: noun.plural, quantified: generic, ..Subject::single(name) };
        let (predicates, next) = self.predicates(verb, end, &subject);
        if predicates.is_empty() {
            return None;
        }
        let first = &self.words[verb];
        let mismatch = !noun.plural && first.is(Tag::Verb) && first.forms == Forms::BASE;
        let hypothetical = !free && self.may_not_exist(noun);
        let part = self.is_quantified(noun) || !free && self.is_picked_out(noun);
        if generic || mismatch || hypothetical || part {
            self.asides.truncate(kept);
        } else {
            self.asides.push(Clause { subject: subject.slot, predicates, ..Clause::default() });
        }
        Some(next)
    }
}
