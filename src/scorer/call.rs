//! A call of the scorer: for what purpose its pairs are judged, what is known before, and who is told.

use super::basis::Purpose;
use super::events::OnClaimEvent;
use crate::premises::Premises;
use crate::schedule::OnEvent;

/// A call of the scorer.
pub(super) struct Call<'c> {
    pub(super) purpose: Purpose,
    /// The premises of the one document of all pairs, if it was read before.
    pub(super) known: Option<&'c Premises>,
    pub(super) on_event: &'c OnEvent<'c>,
    /// Told of the claims of the pair; only for calls with one pair.
    pub(super) on_claim: Option<&'c OnClaimEvent<'c>>,
}

impl<'c> Call<'c> {
    /// A call that judges summaries.
    pub(super) fn new(on_event: &'c OnEvent<'c>) -> Self {
        Self { purpose: Purpose::Summary, known: None, on_event, on_claim: None }
    }
}
