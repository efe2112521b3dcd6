//! What the parser finds in a sentence: clauses of subjects and predicates.
//!
//! Decides the shape only. Refuses text: everything is a run of the sentence's words, or a
//! function word that stands for none of them.

use std::ops::Range;

/// A part of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words of the sentence.
    Source(Range<usize>),
    /// The subject of a sentence before.
    Restored,
    /// A word of the sentence in another form: "try" as "tries".
    Changed(usize, String),
    /// A function word.
    Word(&'static str),
}

/// Pieces in reading order.
pub(super) type Phrase = Vec<Piece>;

/// Words of the sentence as a phrase.
pub(super) fn source(range: Range<usize>) -> Phrase {
    vec![Piece::Source(range)]
}

/// A place that a list may fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// The members, each of which makes a claim; one if there is no list.
    pub options: Vec<Phrase>,
    /// All of it.
    pub whole: Phrase,
    /// Of a subject, which members are plural; those beyond it are not.
    pub plural: Vec<bool>,
}

impl Slot {
    pub fn single(phrase: Phrase) -> Self {
        Self::of(vec![phrase.clone()], phrase)
    }

    pub fn of(options: Vec<Phrase>, whole: Phrase) -> Self {
        Self { options, whole, plural: Vec::new() }
    }
}

/// A verb group with what depends on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicate {
    /// All its words, for a claim that is not taken apart.
    pub range: Range<usize>,
    pub verb: Phrase,
    /// The verb as one of several subjects has it: "are" is "is".
    pub singular: Phrase,
    /// Objects and predicate nouns; all of them are in every claim.
    pub slots: Vec<Slot>,
    /// Verbs that depend on this one ("to win", "swimming"), of which a claim has one.
    pub tails: Vec<Predicate>,
    /// What was said, thought, found: a claim has one of their claims.
    pub reported: Vec<Clause>,
    /// The word that opens what was said.
    pub opener: Phrase,
    /// Phrases of which a claim has none or one.
    pub adjuncts: Vec<Phrase>,
    /// What no claim may leave out: conditions, hedges, sources.
    pub conditions: Phrase,
    /// Those of them that hold for what is joined to it before: "if the vote fails".
    pub scope: Phrase,
    /// Such scopes of predicates joined to it behind.
    pub shared: Phrase,
    /// It tells what may be, and not what is.
    pub open: bool,
    /// Nothing may be left out: denied, or beyond the rules.
    pub indivisible: bool,
    /// The verb says little without one of its phrases: "It comes."
    pub bare: bool,
    /// It says that something was said, and not what.
    pub speechless: bool,
    /// Its subjects act together.
    pub collective: bool,
}

impl Predicate {
    /// The adjunct that ends with the word before `place`.
    pub fn adjunct_before(&self, place: usize) -> Option<&Phrase> {
        self.adjuncts.last().filter(|phrase| ends_at(phrase, place))
    }

    /// Adds an adjunct that starts at `start` and goes on with the one before it, if there is one.
    pub fn push_behind(&mut self, start: usize, phrase: Phrase) {
        let mut longer = self.adjunct_before(start).cloned().unwrap_or_default();
        longer.extend(phrase);
        self.adjuncts.push(longer);
    }
}

/// A subject with its predicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    /// What stands first in every claim, and in those of the clauses joined to it: a condition, a
    /// source.
    pub scope: Phrase,
    /// What stands in every claim, before the subject.
    pub prefix: Phrase,
    /// Phrases before the subject, of which a claim has none or one.
    pub leads: Vec<Phrase>,
    pub subject: Slot,
    /// The subject with the phrases that most claims go without: "the coach of ... in Paris".
    pub full_subject: Phrase,
    pub predicates: Vec<Predicate>,
    /// What stands in every claim, behind all else: ", X said".
    pub suffix: Phrase,
}

/// Whether a phrase ends with the word before `place`.
pub(super) fn ends_at(phrase: &Phrase, place: usize) -> bool {
    matches!(phrase.last(), Some(Piece::Source(range)) if range.end == place)
}

/// The first word of a phrase, in the order of the sentence.
pub(super) fn start_of(phrase: &Phrase) -> usize {
    let starts = phrase.iter().filter_map(|piece| match piece {
        Piece::Source(range) => Some(range.start),
        Piece::Changed(place, _) => Some(*place),
        Piece::Word(_) | Piece::Restored => None,
    });
    starts.min().unwrap_or(usize::MAX)
}
