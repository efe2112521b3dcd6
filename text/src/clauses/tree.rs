//! What the parser returns: clauses of subjects and predicates.
//!
//! Decides the data types only. Refuses text: every piece is a range of the sentence's words, or a function word that the
//! rules add.

use std::ops::Range;

/// A piece of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words of the sentence.
    Source(Range<usize>),
    /// The subject of an earlier sentence.
    Restored,
    /// A word of the sentence in another form: "tries" for "try".
    Changed(usize, String),
    /// A function word.
    Word(&'static str),
}

/// Pieces in reading order.
pub(super) type Phrase = Vec<Piece>;

/// A range of words as a phrase.
pub(super) fn source(range: Range<usize>) -> Phrase {
    vec![Piece::Source(range)]
}

/// A noun phrase or a list of them in a clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// The members, each of which makes a claim; one if it is not a list.
    pub(crate) options: Vec<Phrase>,
    /// The whole list.
    pub(crate) whole: Phrase,
    /// For a subject, whether each member is plural; members without an entry are not.
    pub(crate) plural: Vec<bool>,
}

impl Slot {
    pub(crate) fn single(phrase: Phrase) -> Self {
        Self::of(vec![phrase.clone()], phrase)
    }

    pub(crate) fn of(options: Vec<Phrase>, whole: Phrase) -> Self {
        Self { options, whole, plural: Vec::new() }
    }
}

/// A verb group with its dependents.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicate {
    /// All its words, for a claim that is not split.
    pub(crate) range: Range<usize>,
    pub(crate) verb: Phrase,
    /// The verb for a single member of a list of subjects: "is" for "are".
    pub(crate) singular: Phrase,
    /// Objects and predicate nouns; every claim has all of them.
    pub(crate) slots: Vec<Slot>,
    /// Verbs that depend on this one ("to win", "swimming"); each claim has one of them.
    pub(crate) dependents: Vec<Predicate>,
    /// What was said, thought or found; each claim has one of their claims.
    pub(crate) reported: Vec<Clause>,
    /// The word that introduces them: "that".
    pub(crate) opener: Phrase,
    /// Optional phrases; each claim has at most one of them.
    pub(crate) adjuncts: Vec<Phrase>,
    /// What every claim must keep: conditions, hedges, sources.
    pub(crate) conditions: Phrase,
    /// The conditions that also hold for earlier predicates: "if the vote fails".
    pub(crate) scope: Phrase,
    /// The scopes of later predicates.
    pub(crate) shared: Phrase,
    /// It states a possibility, not a fact.
    pub(crate) hypothetical: bool,
    /// It must be kept whole, because it is negated or no rule reads it.
    pub(crate) indivisible: bool,
    /// The verb is incomplete without one of its phrases: "It comes."
    pub(crate) incomplete: bool,
    /// It has a verb of speech but not what was said.
    pub(crate) lacks_report: bool,
    /// Its subjects act together.
    pub(crate) collective: bool,
    /// The place of a word that says it of each subject: "both" of "are both normal".
    pub(crate) of_each: Option<usize>,
}

impl Predicate {
    /// The adjunct that ends with the word before `place`.
    pub(crate) fn adjunct_before(&self, place: usize) -> Option<&Phrase> {
        self.adjuncts.last().filter(|phrase| ends_at(phrase, place))
    }

    /// Adds an adjunct that starts at `start`, preceded by the adjunct that ends there, if there is one.
    pub(crate) fn push_behind(&mut self, start: usize, phrase: Phrase) {
        let mut longer = self.adjunct_before(start).cloned().unwrap_or_default();
        longer.extend(phrase);
        self.adjuncts.push(longer);
    }
}

/// A subject with its predicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    /// The start of every claim, and of those of the clauses joined to it: a condition, a source.
    pub(crate) scope: Phrase,
    /// Words before the subject that every claim keeps.
    pub(crate) prefix: Phrase,
    /// Optional phrases before the subject; each claim has at most one of them.
    pub(crate) leads: Vec<Phrase>,
    pub(crate) subject: Slot,
    /// The subject with the phrases that most claims omit: "the coach of ... in Paris".
    pub(crate) full_subject: Phrase,
    pub(crate) predicates: Vec<Predicate>,
    /// The end of every claim: ", X said".
    pub(crate) suffix: Phrase,
}

/// The phrase without the word at `place`.
pub(super) fn without(phrase: &Phrase, place: usize) -> Phrase {
    let pieces = phrase.iter().flat_map(|piece| match piece {
        Piece::Source(range) if range.contains(&place) => {
            vec![Piece::Source(range.start..place), Piece::Source(place + 1..range.end)]
        }
        other => vec![other.clone()],
    });
    pieces.filter(|piece| !matches!(piece, Piece::Source(range) if range.is_empty())).collect()
}

/// Whether a phrase ends with the word before `place`.
pub(super) fn ends_at(phrase: &Phrase, place: usize) -> bool {
    matches!(phrase.last(), Some(Piece::Source(range)) if range.end == place)
}

/// The place of the first word of a phrase in the sentence.
pub(super) fn start_of(phrase: &Phrase) -> usize {
    let starts = phrase.iter().filter_map(|piece| match piece {
        Piece::Source(range) => Some(range.start),
        Piece::Changed(place, _) => Some(*place),
        Piece::Word(_) | Piece::Restored => None,
    });
    starts.min().unwrap_or(usize::MAX)
}
