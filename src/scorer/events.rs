//! Events of a pair's claims: all claims once they are extracted, and each judgement as soon as it is final.

use super::in_flight::InFlightPair;
use crate::claims::{Claim, Claims, place_among};
use crate::result::ClaimResult;
use crate::text::{Span, TextIndex};

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

/// The claims of a summary and its other parts, in order.
pub(super) fn found_parts(summary: &str, claims: &Claims) -> Vec<FoundPart> {
    let index = TextIndex::new(summary);
    let claim = |claim: &Claim| FoundPart {
        text: claim.text.clone(),
        summary_spans: claim.spans.clone(),
        is_claim: true,
    };
    let mut found: Vec<FoundPart> = claims.claims.iter().map(claim).collect();
    for other in &claims.others {
        let begins = |part: &FoundPart| part.summary_spans.first().map_or(0, |span| span.start);
        let place = found.iter().position(|part| begins(part) > other.start).unwrap_or(found.len());
        let text = index.slice(*other).to_owned();
        found.insert(place, FoundPart { text, summary_spans: vec![*other], is_claim: false });
    }
    found
}

/// Called with each event.
pub type OnClaimEvent<'a> = dyn Fn(ClaimEvent) + Sync + 'a;

/// Reports the claims that were judged since the last call.
pub(super) fn report_judged(pair: &mut InFlightPair<'_, '_>, report: &OnClaimEvent<'_>) {
    let InFlightPair { claims, others, .. } = pair;
    for (index, claim) in claims.iter_mut().enumerate().filter(|(_, claim)| !claim.is_reported) {
        let index = place_among(others.iter().copied(), index, &claim.claim.spans);
        if let Some(result) = claim.result.clone().map(Box::new) {
            claim.is_reported = true;
            report(ClaimEvent::Judged { index, result });
        }
    }
}
