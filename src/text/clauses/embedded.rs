//! Clauses inside a predicate: what was said, what is asked, why and when.
//!
//! Decides which of them are claims of their own and which stay with their verb. Refuses to say by
//! itself what someone only said, or a condition.

use super::modifiers::Aside;
use super::nouns::{in_list, noun_phrase};
use super::parse::{Parser, Subject, is_fact};
use super::predicates::Reading;
use super::tagger::Tag;
use super::tree::{Phrase, Predicate, source};
use super::verb_lists;
use super::verbs::Forms;

impl Parser<'_, '_> {
    /// "that" behind a verb of saying, a noun or an adjective.
    pub fn that(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let start = at.place;
        let said = self.asides.len();
        if let Some(noun) = at.last.clone()
            && super::groups::finite_at(self.words, start + 1, end)
            && let Some(next) = self.relative(&noun, start, end, false)
        {
            if !(noun.determined || noun.name) {
                into.extend(start, next);
            } else if self.asides.len() == said {
                into.adjuncts.push(source(start..next));
            }
            at.place = next;
            return true;
        }
        if in_list(verb_lists::CLAUSAL, self.base(at)) && into.reported.is_empty() {
            into.opener = source(start..start + 1);
            return self.report(into, at, start + 1, end);
        }
        self.embedded(into, at, start + 1, end)
    }

    /// What was said, from `from` on.
    pub fn report(&mut self, into: &mut Predicate, at: &mut Reading, from: usize, end: usize) -> bool {
        self.reporters.push(self.words[at.group.first].forms);
        let (inner, next) = self.sequence(from, end);
        self.reporters.pop();
        if inner.is_empty() {
            into.opener.clear();
            return false;
        }
        into.reported = inner;
        at.place = next;
        at.last = None;
        true
    }

    /// A clause that only its verb makes sense of: kept with it.
    pub fn embedded(&mut self, into: &mut Predicate, at: &mut Reading, from: usize, end: usize) -> bool {
        let start = at.place;
        let kept = self.asides.len();
        let (inner, next) = self.sequence(from, end);
        let next = if inner.is_empty() {
            let nobody = Subject::default();
            let (predicates, next) = self.predicates(from, end, &nobody);
            if predicates.is_empty() {
                return false;
            }
            next
        } else {
            next
        };
        self.asides.truncate(kept);
        into.extend(start, next);
        at.place = next;
        at.last = None;
        true
    }

    /// "who", "where", "what": about the noun before it, or what the verb is about.
    pub fn question(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let said = self.asides.len();
        if let Some(noun) = at.last.clone()
            && !in_list("what why how", self.lower(at.place))
            && let Some(next) = self.relative(&noun, at.place, end, at.after_comma)
        {
            if !at.after_comma && !noun.determined && !noun.name {
                into.extend(at.place, next);
            } else if self.asides.len() == said {
                into.adjuncts.push(source(at.place - usize::from(at.after_comma)..next));
            }
            at.place = next;
            return true;
        }
        self.embedded(into, at, at.place + 1, end)
    }

    /// "because he fell": said by itself too, if it is a fact.
    pub fn subordinate(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        let start = at.place;
        let word = self.lower(start).to_owned();
        let kept = self.asides.len();
        let outer = std::mem::replace(&mut self.comma_ends, true);
        let (inner, next) = self.sequence(start + 1, end);
        self.comma_ends = outer;
        let next = if inner.is_empty() {
            let (_, next) = self.predicates(start + 1, end, &Subject::default());
            if next > start + 1 { next } else { self.phrase_end(start, end) }
        } else {
            next
        };
        if in_list("if unless whether lest whenever wherever than", &word) {
            self.asides.truncate(kept);
            into.conditions.extend(source(start..next));
        } else {
            if is_fact(&word) {
                self.asides.extend(inner);
            } else {
                self.asides.truncate(kept);
            }
            into.adjuncts.push(source(start..next));
        }
        at.place = next;
        at.last = None;
        true
    }

    fn phrase_end(&self, start: usize, end: usize) -> usize {
        self.prepositional(start, end)
            .unwrap_or_else(|| (start + 1..end).find(|&at| self.words[at].is(Tag::Comma)).unwrap_or(end))
    }

    /// A participle behind the verb or its object.
    pub fn participle_here(
        &mut self,
        into: &mut Predicate,
        at: &mut Reading,
        end: usize,
        subject: &Subject,
    ) -> bool {
        let start = at.place;
        let forms = self.words[start].forms;
        let noun = at.last.clone();
        if !forms.has(Forms::ING.with(Forms::PARTICIPLE)) {
            return false;
        }
        let kept = self.asides.len();
        let quiet = Subject { quantified: false, firm: false, ..subject.clone() };
        let (inner, next) = self.predicates(start, end, &quiet);
        if inner.is_empty() {
            return false;
        }
        let Some(noun) = noun else {
            if into.tails.is_empty() && into.adjuncts.is_empty() {
                into.tails = inner;
            } else {
                into.adjuncts.push(source(start..next));
            }
            at.place = next;
            return true;
        };
        let keeps = in_list(
            "have get leave see find keep want hear watch catch show put make let set",
            self.base(at),
        );
        if keeps || forms.has(Forms::ING) || (noun.plural && !noun.determined) {
            let mut longer = match into.adjuncts.last() {
                Some(phrase) if super::tree::ends_at(phrase, start) => phrase.clone(),
                _ => Phrase::new(),
            };
            longer.extend(source(start..next));
            into.adjuncts.push(longer);
        } else {
            self.asides.truncate(kept);
            self.participle(&noun, Aside { verb: start, end: next }, true);
        }
        at.place = next;
        at.last = None;
        true
    }

    /// A quotation is kept as it is.
    pub fn quotation(&mut self, into: &mut Predicate, at: &mut Reading, end: usize) -> bool {
        if noun_phrase(self.words, at.place, end).is_some() && into.slots.len() < 2 {
            return self.object(into, at, end);
        }
        let close = (at.place + 1..end).find(|&inner| self.words[inner].is(Tag::Quote));
        let stop = match (close, self.words[at.place].token.kind) {
            (Some(close), super::tokens::Kind::OpenQuote) => close + 1,
            _ => at.place + 1,
        };
        into.extend(at.place, stop);
        at.place = stop;
        at.last = None;
        true
    }
}
