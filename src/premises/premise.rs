//! A premise, its place among the premises of its document, and what the model says of it.

use std::ops::Range;

use veridic_models::Probabilities;

use super::coref::Substitution;
use crate::rules::Level;
use crate::text::Span;

/// Minimum token budget for the pieces of a split premise; a claim that leaves less room is too long.
pub const MIN_PIECE_TOKENS: usize = 8;

/// A premise of one document: its index in the document's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PremiseId(pub usize);

/// Premises by level, in the order in which they are computed; a level may have several waves.
pub type Waves = Vec<(Level, Vec<PremiseId>)>;

/// A premise that was computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The premise.
    pub premise: PremiseId,
    /// Its level.
    pub level: Level,
    /// The model's output.
    pub probabilities: Probabilities,
    /// Its score by the rules' score function.
    pub score: f32,
}

/// A text that the model reads as a premise.
#[derive(Debug, Clone)]
pub struct Premise {
    /// The part of the document that it represents.
    pub evidence: Span,
    /// The ids of its tokens; if they are more than a model reads, those of its beginning, more than it reads.
    pub tokens: Box<[u32]>,
    /// The sentences that it covers.
    pub sentences: Range<usize>,
    /// Whether it is the whole document as given, while passages are worded anew.
    pub is_as_given: bool,
    /// The replacement, if it is a rewritten sentence.
    pub substitution: Option<Box<Substitution>>,
}
