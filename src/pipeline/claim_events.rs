//! What a caller is told of a pair's claims while they are judged: all of them once they are known, and each
//! judgement as soon as nothing can change it.

use std::borrow::Cow;

use super::claims::Claim;
use super::in_flight::InFlightPair;
use super::result::ClaimResult;
use super::scorer::Scorer;

/// News of a pair's claims.
#[derive(Debug)]
pub enum ClaimEvent<'n> {
    /// The claims, in the summary's order.
    Extracted(Cow<'n, [Claim]>),
    /// One of them is decided: what the pair's result will say of it.
    Judged {
        /// Its place among the claims.
        index: usize,
        /// Its judgement.
        result: Box<ClaimResult>,
    },
}

/// Is told the news.
pub type OnClaimEvent<'a> = dyn Fn(ClaimEvent<'_>) + Sync + 'a;

impl Scorer {
    /// Tells the claims that were judged since the last time.
    pub(super) fn report_judged(&self, pair_in_flight: &mut InFlightPair<'_, '_>, tell: &OnClaimEvent<'_>) {
        let judged =
            pair_in_flight.claims.iter_mut().enumerate().filter(|(_, underway)| !underway.is_reported);
        for (index, underway) in judged {
            if let Some(result) = underway.result.clone().map(Box::new) {
                underway.is_reported = true;
                tell(ClaimEvent::Judged { index, result });
            }
        }
    }
}
