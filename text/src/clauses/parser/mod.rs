//! A sentence's clauses, left to right.
//!
//! Decides what opens a clause, what its subject is and which clauses follow one another. Refuses
//! to guess: where no subject and finite verb are found there is no clause, and the sentence stays
//! whole. The work a sentence may cost is bounded.
//!
//! `sequences` -> `leads` and `subjects` (with `lists` and `reduced`) before the verb, `predicates`
//! (with `conjuncts`, `complements`, `arguments` and all that these call) from the verb on. `asides`, `relatives`,
//! `participles` and `roles` say what stands beside a noun; `antecedents` decides beside which, and
//! `facts` what of it holds. `ranges` are phrases of two ends. Below them are `nouns` (with `nominals`), `groups` and `lookahead`.

mod adverbs;
mod antecedents;
mod arguments;
mod asides;
mod commas;
mod complements;
mod conjuncts;
mod embedded;
mod facts;
pub mod groups;
mod infinitives;
mod leads;
mod lists;
mod lookahead;
mod nominals;
pub mod nouns;
mod objects;
mod participles;
mod phrases;
mod predicates;
mod ranges;
mod reduced;
mod relatives;
mod roles;
mod sequences;
mod subjects;

use super::lexicon::verb_forms::Forms;
use super::tagging::{Tag, Word};
use super::tree::{Clause, Phrase, Piece, Slot};
use groups::{Group, verb_group};
use participles::Aside;

/// The reader of one sentence.
pub struct Parser<'w, 't> {
    words: &'w [Word<'t>],
    /// Clauses found beside the main ones: who someone is, what a relative clause says.
    pub asides: Vec<Clause>,
    /// Whether the sentence tells of the past.
    past: bool,
    /// Clauses and predicates around what is being read.
    depth: usize,
    /// The verbs that report what is being read, outermost first.
    reporters: Vec<Forms>,
    /// Predicates around what is being read that tell what may be.
    unreal: usize,
    /// Predicates around what is being read that deny it.
    denied: usize,
    /// Gerunds behind a preposition around what is being read.
    gerunds: usize,
    /// Inside a clause that a comma ends.
    comma_ends: bool,
    /// Units of work that the sentence may still cost.
    fuel: usize,
}

/// A subject: what each claim says it of, and what it is known by.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub slot: Slot,
    pub full: Phrase,
    pub plural: bool,
    /// No part may be dropped from what is said of it.
    pub quantified: bool,
    /// A list that only a plural verb lets be taken apart: "Smith and Wesson".
    pub firm: bool,
}

impl Subject {
    /// A subject of one member.
    pub fn single(phrase: Phrase) -> Self {
        Self { slot: Slot::single(phrase), ..Self::default() }
    }

    /// The subject as a verb has it that depends on another one.
    fn quiet(&self) -> Self {
        Self { quantified: false, firm: false, ..self.clone() }
    }
}

/// Clauses inside clauses.
const DEEPEST: usize = 6;

impl<'w, 't> Parser<'w, 't> {
    pub fn new(words: &'w [Word<'t>]) -> Self {
        Self {
            words,
            asides: Vec::new(),
            past: words.iter().any(is_past) && !words.iter().any(is_present),
            depth: 0,
            reporters: Vec::new(),
            unreal: 0,
            denied: 0,
            gerunds: 0,
            comma_ends: false,
            fuel: 8 * words.len() + 100,
        }
    }

    /// Whether the work that the sentence may cost has been spent.
    pub fn is_exhausted(&self) -> bool {
        self.fuel == 0
    }

    pub fn words(&self) -> &'w [Word<'t>] {
        self.words
    }

    fn tag(&self, place: usize, end: usize) -> Option<Tag> {
        (place < end).then(|| self.words.get(place).map(|word| word.tag)).flatten()
    }

    fn lower(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| word.lower())
    }

    /// Takes one unit of work; false when there is none left.
    fn spend(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    /// One clause: what leads in, a subject, its predicates.
    pub fn clause(&mut self, from: usize, end: usize) -> Option<(Clause, usize)> {
        let kept = self.asides.len();
        let found = self.try_clause(from, end);
        if found.is_none() {
            self.asides.truncate(kept);
        }
        found
    }

    fn try_clause(&mut self, from: usize, end: usize) -> Option<(Clause, usize)> {
        let mut clause = Clause::default();
        let mut pending: Vec<Aside> = Vec::new();
        let place = self.leads(from, end, &mut clause, &mut pending);
        let focused = place > from && matches!(self.lower(place - 1), "only" | "not" | "just");
        let (mut subject, place) = self.subject(place, end)?;
        let group = verb_group(self.words, place, end)?;
        let reduced = !group.finite && !group.ambiguous;
        if reduced && self.words[group.first].forms != Forms::PARTICIPLE {
            return None;
        }
        subject.quantified |= focused;
        if subject.slot.options.len() > 1 && (focused || self.is_singular(&group, subject.firm)) {
            subject.slot.options = vec![subject.slot.whole.clone()];
        }
        let (mut predicates, next) = self.predicates(place, end, &subject);
        let first = predicates.first_mut()?;
        if reduced {
            first.verb.insert(0, Piece::Word(if subject.plural { "were" } else { "was" }));
            first.singular = first.verb.clone();
        }
        self.finish_pending(pending, &subject);
        clause.full_subject = subject.full;
        clause.subject = subject.slot;
        clause.predicates = predicates;
        Some((clause, next))
    }

    /// Whether a verb says that a list is one: "Smith and Wesson makes".
    fn is_singular(&self, group: &Group, firm: bool) -> bool {
        let first = &self.words[group.first];
        let singular = matches!(first.lower(), "is" | "was" | "has" | "does") || first.forms == Forms::THIRD;
        let plural = first.forms == Forms::BASE
            || matches!(first.lower(), "are" | "were" | "have" | "do" | "aren't" | "weren't" | "haven't");
        singular || (firm && !plural)
    }
}

/// Whether a word tells of the past.
fn is_past(word: &Word) -> bool {
    let auxiliary =
        matches!(word.lower().trim_end_matches("n't"), "was" | "were" | "had" | "did" | "has" | "have");
    auxiliary || (word.is(Tag::Verb) && word.forms.has(Forms::PAST) && !word.forms.has(Forms::BASE))
}

/// Whether a word tells of the present.
fn is_present(word: &Word) -> bool {
    matches!(word.lower(), "is" | "are") || (word.is(Tag::Verb) && word.forms == Forms::THIRD)
}
