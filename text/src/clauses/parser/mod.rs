//! Parses the clauses of a sentence, left to right.
//!
//! Decides how a clause begins, what its subject is and which clauses follow one another. Refuses to guess: without a
//! subject and a finite verb there is no clause, and the sentence stays whole. The work per sentence is bounded.
//!
//! `sequences` -> `leads` and `subjects` (with `lists` and `reduced`) before the verb, `predicates` (with `conjuncts`,
//! `complements`, `arguments` and what they call) from the verb on. `asides`, `relatives`, `participles` and `roles` make
//! claims from modifiers of a noun; `antecedents` decides which noun, and `facts` which of the claims hold. `ranges` reads
//! "from A to B". All use `nouns` (with `nominals`), `groups` and `lookahead`.

mod adverbs;
mod antecedents;
mod arguments;
mod asides;
mod commas;
mod complements;
mod conjuncts;
mod embedded;
mod facts;
pub(crate) mod groups;
mod infinitives;
mod leads;
mod lists;
mod lookahead;
mod nominals;
pub(crate) mod nouns;
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
use participles::ParticipleClause;

/// The parser of one sentence.
pub(crate) struct Parser<'w, 't> {
    words: &'w [Word<'t>],
    /// Clauses made from modifiers of nouns: roles, relative clauses, participles.
    pub(crate) asides: Vec<Clause>,
    /// Whether the sentence is in the past tense.
    past: bool,
    /// Nesting depth of clauses and predicates at the current place.
    depth: usize,
    /// The forms of the reporting verbs around the current place, outermost first.
    reporters: Vec<Forms>,
    /// Number of hypothetical predicates around the current place.
    hypotheticals: usize,
    /// Number of negating predicates around the current place.
    negations: usize,
    /// Number of gerunds after a preposition around the current place.
    gerunds: usize,
    /// The current clause ends at the next comma.
    comma_ends: bool,
    /// Units of work left for the sentence.
    budget: usize,
}

/// A subject and its properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    pub(crate) slot: Slot,
    pub(crate) full: Phrase,
    pub(crate) plural: bool,
    /// Every claim about it must keep the whole predicate.
    pub(crate) quantified: bool,
    /// A list that is split only before a plural verb: "Smith and Wesson".
    pub(crate) splits_if_plural: bool,
}

impl Subject {
    /// A subject of one member.
    pub(crate) fn single(phrase: Phrase) -> Self {
        Self { slot: Slot::single(phrase), ..Self::default() }
    }

    /// The subject of a verb that depends on another one.
    fn of_dependent(&self) -> Self {
        Self { quantified: false, splits_if_plural: false, ..self.clone() }
    }
}

/// Maximum nesting depth of clauses.
const DEEPEST: usize = 6;

impl<'w, 't> Parser<'w, 't> {
    pub(crate) fn new(words: &'w [Word<'t>]) -> Self {
        Self {
            words,
            asides: Vec::new(),
            past: words.iter().any(is_past) && !words.iter().any(is_present),
            depth: 0,
            reporters: Vec::new(),
            hypotheticals: 0,
            negations: 0,
            gerunds: 0,
            comma_ends: false,
            budget: 8 * words.len() + 100,
        }
    }

    /// Whether the work budget of the sentence is used up.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    pub(crate) fn words(&self) -> &'w [Word<'t>] {
        self.words
    }

    fn tag(&self, place: usize, end: usize) -> Option<Tag> {
        (place < end).then(|| self.words.get(place).map(|word| word.tag)).flatten()
    }

    fn lower(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| word.lower())
    }

    /// Uses one unit of work; false when none is left.
    fn spend(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(1);
        self.budget > 0
    }

    /// Reads one clause: leading phrases, a subject, its predicates.
    pub(crate) fn clause(&mut self, from: usize, end: usize) -> Option<(Clause, usize)> {
        let kept = self.asides.len();
        let found = self.try_clause(from, end);
        if found.is_none() {
            self.asides.truncate(kept);
        }
        found
    }

    fn try_clause(&mut self, from: usize, end: usize) -> Option<(Clause, usize)> {
        let mut clause = Clause::default();
        let mut pending: Vec<ParticipleClause> = Vec::new();
        let place = self.leads(from, end, &mut clause, &mut pending);
        let focused = place > from && matches!(self.lower(place - 1), "only" | "not" | "just");
        let (mut subject, place) = self.subject(place, end)?;
        let group = verb_group(self.words, place, end)?;
        let reduced = !group.finite && !group.ambiguous;
        if reduced && self.words[group.first].forms != Forms::PARTICIPLE {
            return None;
        }
        subject.quantified |= focused;
        if subject.slot.options.len() > 1 && (focused || self.is_singular(&group, subject.splits_if_plural)) {
            subject.slot.options = vec![subject.slot.whole.clone()];
        }
        let (mut predicates, next) = self.predicates(place, end, &subject);
        let first = predicates.first_mut()?;
        if reduced {
            first.verb.insert(0, Piece::Word(if subject.plural { "were" } else { "was" }));
            first.singular = first.verb.clone();
        }
        self.add_participles(pending, &subject);
        clause.full_subject = subject.full;
        clause.subject = subject.slot;
        clause.predicates = predicates;
        Some((clause, next))
    }

    /// Whether a list of subjects has a singular verb: "Smith and Wesson makes".
    fn is_singular(&self, group: &Group, splits_if_plural: bool) -> bool {
        let first = &self.words[group.first];
        let singular = matches!(first.lower(), "is" | "was" | "has" | "does") || first.forms == Forms::THIRD;
        let plural = first.forms == Forms::BASE
            || matches!(first.lower(), "are" | "were" | "have" | "do" | "aren't" | "weren't" | "haven't");
        singular || (splits_if_plural && !plural)
    }
}

/// Whether a word is in the past tense.
fn is_past(word: &Word) -> bool {
    let auxiliary =
        matches!(word.lower().trim_end_matches("n't"), "was" | "were" | "had" | "did" | "has" | "have");
    auxiliary || (word.is(Tag::Verb) && word.forms.has(Forms::PAST) && !word.forms.has(Forms::BASE))
}

/// Whether a word is in the present tense.
fn is_present(word: &Word) -> bool {
    matches!(word.lower(), "is" | "are") || (word.is(Tag::Verb) && word.forms == Forms::THIRD)
}
