//! Names of what is judged: a pair among those of a call, a case among all cases of the call, a claim of a case.

/// A pair, by its place in the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PairId(pub(super) usize);

/// A case, by the order in which cases were opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CaseId(pub(super) usize);

/// A claim, by its place in its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClaimId(pub(super) usize);

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
