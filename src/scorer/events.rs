//! Events of a pair's claims: all claims once they are extracted, and each judgement as soon as it is final.

use crate::result::ClaimResult;
use crate::text::Span;

/// An event of a pair's claims.
#[derive(Debug)]
pub enum ClaimEvent {
    /// The claims were extracted. Contains also the parts of the summary that state nothing, in order.
    Extracted(Vec<FoundPart>),
    /// A claim was judged.
    Judged {
        /// Its index among all parts, as in the JSON of the result.
        index: usize,
        /// Its judgement, as in the pair's result.
        result: Box<ClaimResult>,
    },
}

/// A claim, or a part of a summary that states nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPart {
    /// Its text.
    pub text: String,
    /// The parts of the summary that it covers.
    pub summary_spans: Vec<Span>,
    /// Whether it is a claim.
    pub is_claim: bool,
}

/// Called with each event.
pub type OnClaimEvent<'a> = dyn Fn(ClaimEvent) + Sync + 'a;
