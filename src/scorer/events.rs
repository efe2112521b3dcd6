//! Events of a pair's claims while they are judged: all claims once they are known, and each judgement as soon as
//! nothing can change it.

use std::borrow::Cow;

use super::in_flight::InFlightPair;
use crate::claims::Claim;
use crate::result::ClaimResult;

/// What happened to a pair's claims.
#[derive(Debug)]
pub enum ClaimEvent<'n> {
    /// The claims were extracted; they are in the summary's order.
    Extracted(Cow<'n, [Claim]>),
    /// A claim was judged.
    Judged {
        /// Its index among the claims.
        index: usize,
        /// Its judgement, as it will be in the pair's result.
        result: Box<ClaimResult>,
    },
}

/// Called with each event.
pub type OnClaimEvent<'a> = dyn Fn(ClaimEvent<'_>) + Sync + 'a;

/// Reports the claims that were judged since the last call.
pub(super) fn report_judged(pair: &mut InFlightPair<'_, '_>, report: &OnClaimEvent<'_>) {
    for (index, claim) in pair.claims.iter_mut().enumerate().filter(|(_, claim)| !claim.is_reported) {
        if let Some(result) = claim.result.clone().map(Box::new) {
            claim.is_reported = true;
            report(ClaimEvent::Judged { index, result });
        }
    }
}
