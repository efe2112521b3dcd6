//! A sentence's clauses, left to right.
//!
//! Decides what opens a clause, what its subject is and which clauses follow one another. Refuses
//! to guess: where no subject and finite verb are found there is no clause, and the sentence stays
//! whole. The work a sentence may cost is bounded.

use super::groups::{finite_at, verb_group};
use super::nouns::{in_list, noun_phrase};
use super::tagger::{Tag, Word};
use super::tree::{Clause, Phrase, Predicate, Slot};
use super::verbs::Forms;
use super::words;

/// The reader of one sentence.
pub(super) struct Parser<'w, 't> {
    pub words: &'w [Word<'t>],
    /// Clauses found beside the main ones: who someone is, what a relative clause says.
    pub asides: Vec<Clause>,
    /// Whether the sentence tells of the past.
    pub past: bool,
    pub depth: usize,
    /// The verbs that report what is being read, outermost first.
    pub reporters: Vec<Forms>,
    /// Inside a clause that a comma ends.
    pub comma_ends: bool,
    pub fuel: usize,
}

/// A subject: what each claim says it of, and what it is known by.
#[derive(Clone, Debug, Default)]
pub(super) struct Subject {
    pub slot: Slot,
    pub full: Phrase,
    pub plural: bool,
    /// No part may be dropped from what is said of it.
    pub quantified: bool,
    /// A list that only a plural verb lets be taken apart: "Smith and Wesson".
    pub firm: bool,
}

pub(super) const DEEPEST: usize = 6;

impl<'w, 't> Parser<'w, 't> {
    pub fn new(words: &'w [Word<'t>]) -> Self {
        let past = words.iter().any(|word| {
            matches!(
                word.lower(),
                "was"
                    | "were"
                    | "had"
                    | "did"
                    | "has"
                    | "have"
                    | "didn't"
                    | "wasn't"
                    | "weren't"
                    | "hadn't"
                    | "hasn't"
                    | "haven't"
            ) || (word.is(Tag::Verb) && word.forms.has(Forms::PAST) && !word.forms.has(Forms::BASE))
        });
        let present = words.iter().any(|word| {
            matches!(word.lower(), "is" | "are") || (word.is(Tag::Verb) && word.forms == Forms::THIRD)
        });
        Self {
            words,
            asides: Vec::new(),
            past: past && !present,
            depth: 0,
            reporters: Vec::new(),
            comma_ends: false,
            fuel: 40 * words.len() + 400,
        }
    }

    pub fn tag(&self, place: usize, end: usize) -> Option<Tag> {
        (place < end).then(|| self.words.get(place).map(|word| word.tag)).flatten()
    }

    pub fn lower(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| word.lower())
    }

    /// Takes one unit of work; false when there is none left.
    pub fn spend(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    /// The clauses from `from` on, and where they end.
    pub fn sequence(&mut self, from: usize, end: usize) -> (Vec<Clause>, usize) {
        let mut found: Vec<Clause> = Vec::new();
        let mut place = from;
        self.depth += 1;
        while place < end && self.depth <= DEEPEST && self.spend() {
            let mut start = place;
            if !found.is_empty() {
                if self.comma_ends && self.tag(start, end) == Some(Tag::Comma) {
                    break;
                }
                while matches!(self.tag(start, end), Some(Tag::Comma | Tag::Coordinator)) {
                    start += 1;
                }
                if start == place {
                    break;
                }
            }
            let Some((clause, next)) = self.clause(start, end) else { break };
            found.push(clause);
            if next <= place {
                break;
            }
            place = next;
        }
        self.depth -= 1;
        (found, place)
    }

    /// One clause: what leads in, a subject, its predicates.
    pub fn clause(&mut self, from: usize, end: usize) -> Option<(Clause, usize)> {
        let kept = self.asides.len();
        let mut clause = Clause::default();
        let mut pending = Vec::new();
        let mut place = self.leads(from, end, &mut clause, &mut pending);
        let mut subject = match self.subject(place, end) {
            Some((subject, next)) => {
                place = next;
                subject
            }
            None => {
                self.asides.truncate(kept);
                return None;
            }
        };
        let group = verb_group(self.words, place, end).filter(|group| {
            group.finite || group.ambiguous || self.words[group.first].forms == Forms::PARTICIPLE
        });
        let plural = |first: usize| {
            matches!(
                self.words[first].lower(),
                "are" | "were" | "have" | "do" | "aren't" | "weren't" | "haven't"
            ) || self.words[first].forms == Forms::BASE
        };
        let singular = |first: usize| {
            matches!(self.words[first].lower(), "is" | "was" | "has" | "does")
                || self.words[first].forms == Forms::THIRD
        };
        let whole =
            group.as_ref().is_some_and(|group| singular(group.first) || subject.firm && !plural(group.first));
        if whole && subject.slot.options.len() > 1 {
            subject.slot.options = vec![subject.slot.whole.clone()];
        }
        let (mut predicates, next) = match &group {
            Some(_) => self.predicates(place, end, &subject),
            None => (Vec::new(), place),
        };
        if predicates.is_empty() {
            self.asides.truncate(kept);
            return None;
        }
        if group.is_some_and(|group| !group.finite && !group.ambiguous) {
            let be = match (self.past || !subject.plural, subject.plural) {
                (_, true) => "were",
                _ => "was",
            };
            if let Some(first) = predicates.first_mut() {
                first.verb.splice(0..0, function_word(be));
                first.singular = first.verb.clone();
            }
        }
        self.finish_pending(pending, &subject);
        clause.full_subject = subject.full;
        clause.subject = subject.slot;
        clause.predicates = predicates;
        Some((clause, next))
    }

    /// Whether a subject and a finite verb stand at `from`: a quick look that records nothing.
    pub fn has_clause(&self, from: usize, end: usize) -> bool {
        let mut place = from;
        while matches!(self.tag(place, end), Some(Tag::Adverb))
            && noun_phrase(self.words, place, end).is_none()
        {
            place += 1;
        }
        let Some(noun) = noun_phrase(self.words, place, end) else {
            return self.gerund_subject(place, end);
        };
        if noun.pronoun && in_list("him them us me", self.lower(noun.head)) {
            return false;
        }
        place = noun.end;
        for _ in 0..8 {
            match self.tag(place, end) {
                Some(Tag::Preposition | Tag::Coordinator) => match noun_phrase(self.words, place + 1, end) {
                    Some(next) => place = next.end,
                    None => return false,
                },
                Some(Tag::Verb | Tag::Be | Tag::Have | Tag::Do | Tag::Modal | Tag::Adverb | Tag::Not) => {
                    return finite_at(self.words, place, end);
                }
                Some(Tag::Relative | Tag::That) => return self.two_verbs(place + 1, end),
                Some(Tag::Comma) => {
                    if self.tag(place + 1, end) == Some(Tag::Relative) {
                        let closing =
                            (place + 1..end.min(place + 18)).find(|&at| self.words[at].is(Tag::Comma));
                        return closing.is_some_and(|comma| finite_at(self.words, comma + 1, end));
                    }
                    let Some(next) = noun_phrase(self.words, place + 1, end) else { return false };
                    if self.tag(next.end, end) != Some(Tag::Comma) {
                        return false;
                    }
                    return finite_at(self.words, next.end + 1, end);
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether a relative clause from `from` on has its verb, and another verb follows.
    pub fn two_verbs(&self, from: usize, end: usize) -> bool {
        let stop = end.min(from + 14);
        let verb = |at: usize| verb_group(self.words, at, stop).filter(|group| group.finite);
        let first = (from..stop).find_map(verb);
        first.is_some_and(|group| super::ahead::finite_ahead(&self.words[..stop], group.end, 14))
    }

    /// "Being alone can hurt."
    fn gerund_subject(&self, from: usize, end: usize) -> bool {
        self.words.get(from).is_some_and(|word| from < end && word.forms.has(Forms::ING))
            && (from + 1..end.min(from + 8)).any(|at| {
                matches!(self.words[at].tag, Tag::Be | Tag::Have | Tag::Modal)
                    && !self.words[at].forms.has(Forms::ING)
            })
            && super::ahead::finite_ahead(self.words, from + 1, 8)
    }

    /// The end of the phrase that the preposition at `place` opens.
    pub fn prepositional(&self, place: usize, end: usize) -> Option<usize> {
        let mut from = place + 1;
        while matches!(self.tag(from, end), Some(Tag::Preposition | Tag::To)) && from < place + 3 {
            from += 1;
        }
        noun_phrase(self.words, from, end).map(|noun| noun.end)
    }
}

/// Whether what a subordinator opens holds if the sentence does.
pub(super) fn is_fact(subordinator: &str) -> bool {
    in_list("because after while when although though since whereas as once", subordinator)
}

/// Whether a word makes its noun a quantity of which nothing may be dropped.
pub(super) fn is_quantifier(word: &str) -> bool {
    in_list(words::QUANTIFIERS, word)
}

/// A phrase for one function word.
pub(super) fn function_word(word: &'static str) -> Phrase {
    vec![super::tree::Piece::Word(word)]
}

/// A predicate of "is", "was" and what follows it.
pub(super) fn be_predicate(be: &'static str, complement: Phrase) -> Predicate {
    Predicate {
        verb: function_word(be),
        singular: function_word(be),
        slots: vec![Slot::single(complement)],
        ..Predicate::default()
    }
}
