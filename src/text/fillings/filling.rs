//! A claim with one part changed.

use std::ops::Range;

/// Maximum number of fillings of one part of a claim.
pub(super) const MAX_PER_PART: usize = 4;

/// The kind of change that a filling makes to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// A number, an amount, a share or a measure becomes another.
    Quantity,
    /// A date or a time of day becomes another.
    Date,
    /// A name becomes another.
    Name,
    /// The speaker with whose name the claim begins becomes another speaker of the evidence.
    Speaker,
    /// Two names are exchanged.
    Roles,
    /// The claim is denied, or a denied claim affirmed.
    Denial,
}

/// Where the evidence contains the part of a claim that a filling replaces. A part that the claim's own sentence lacks
/// is more likely to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// Nowhere in the evidence.
    Nowhere,
    /// In some sentence, but not in the one that shares most words with the claim.
    Elsewhere,
    /// In the sentence that shares most words with the claim; also used for exchanged names and denials.
    Sentence,
}

/// A claim with one part changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filling {
    /// The kind of change.
    pub change: Change,
    /// Where the evidence contains the replaced part.
    pub presence: Presence,
    /// The replaced byte range of the claim; for exchanged names, from the start of the first to the end of the second;
    /// for a denial, where the negation is removed or inserted.
    pub span: Range<usize>,
    /// The replacement.
    pub text: String,
    /// The byte range of the evidence that the replacement comes from; for exchanged names and denials, the sentence
    /// that shares most words with the claim.
    pub source: Range<usize>,
    /// Whether the source is in the sentence that shares most words with the claim.
    pub is_near: bool,
    /// The changed claim.
    pub claim: String,
}
