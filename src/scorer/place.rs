//! Where something is judged: a pair among those of a call, a case of the pair, a claim of the case.

/// A pair, by its place in the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PairId(pub(super) usize);

/// A case, by its place in its pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CaseId(pub(super) usize);

/// A claim of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClaimId(pub(super) usize);

/// A case of the work in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) pair: PairId,
    pub(super) case: CaseId,
}

/// What is judged by itself: a claim, or one of the statements that it joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The claim as a whole.
    Claim(ClaimId),
    /// A statement of it, by its place in the claim.
    Statement { of: ClaimId, number: usize },
}

impl Part {
    /// The claim that it is, or is part of.
    pub(super) fn claim(self) -> ClaimId {
        match self {
            Self::Claim(claim) | Self::Statement { of: claim, .. } => claim,
        }
    }
}
