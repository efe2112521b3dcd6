//! A comma after a complement.
//!
//! Decides by the words after it: another phrase, a participle of the subject, reported speech, or a modifier of the noun
//! before. Refuses everything else: the predicate ends there.

use super::super::lexicon::verb_forms::Forms;
use super::super::lexicon::{names, verb_kinds};
use super::super::tagging::Tag;
use super::super::tree::{Predicate, source};
use super::Parser;
use super::nouns::noun_phrase;
use super::participles::ParticipleClause;
use super::predicates::Cursor;

impl Parser<'_, '_> {
    pub(crate) fn comma(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let next = at.place + 1;
        at.after_comma = true;
        let Some(tag) = self.tag(next, end) else { return false };
        // "Hall, who is retiring, as chief": the phrase is not part of the relative clause.
        if self.comma_ends && tag == Tag::Preposition {
            return false;
        }
        let passes = match tag {
            // "with her daughter, now three months old"
            Tag::Adverb => self.tag(next + 1, end) != Some(Tag::Number),
            Tag::Preposition | Tag::Subordinator => true,
            Tag::Relative => at.last.is_some(),
            // ", eight years after he lost"
            Tag::Number | Tag::Determiner | Tag::Noun => self.opens_time(next, end),
            _ => false,
        };
        if passes {
            at.place = next;
            return true;
        }
        if self.lower(next) == "according" {
            return self.source_of_all(into, at, at.place);
        }
        if tag == Tag::Verb && self.words[next].forms.has(Forms::ING) {
            return self.comma_participle(into, at);
        }
        let says = into.reported.is_empty()
            && into.slots.is_empty()
            && verb_kinds::CLAUSAL.contains(self.base(at))
            && self.has_clause(next, end);
        if says {
            return self.report(into, at, next);
        }
        let about = at.last.clone().and_then(|noun| self.aside(&noun, at.place, end));
        at.place = about.unwrap_or(at.place);
        about.is_some()
    }

    /// Whether a time with "after" or "before" starts at `place`.
    pub(crate) fn opens_time(&self, place: usize, end: usize) -> bool {
        noun_phrase(self.words, place, end).is_some_and(|noun| {
            names::TIME_NOUNS.contains(self.lower(noun.head))
                && matches!(self.lower(noun.end), "after" | "before")
        })
    }

    /// Reads a participle of the subject: "He left, slamming the door."
    fn comma_participle(&mut self, into: &mut Predicate, at: &mut Cursor) -> bool {
        let end = at.end;
        let verb = at.place + 1;
        let kept = self.asides.len();
        let (inner, stop) = self.predicates(verb, end, &at.subject);
        self.asides.truncate(kept);
        if inner.is_empty() {
            return false;
        }
        // A hypothetical or reported action makes no claim of its own.
        if !into.hypothetical && self.reporters.is_empty() {
            self.add_participles(vec![ParticipleClause { verb, end: stop }], &at.subject);
        }
        if self.asides.len() == kept {
            into.adjuncts.push(source(at.place..stop));
        }
        at.place = stop;
        true
    }
}
