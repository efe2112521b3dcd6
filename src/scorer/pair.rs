//! A pair in flight: it takes judgements from its cases, builds the results of its claims as they become final, and says
//! what has to be judged for its citations.

use std::collections::BTreeMap;

use super::basis::Purpose;
use super::case::Case;
use super::citations::Citations;
use super::events::{ClaimEvent, OnClaimEvent};
use super::extracted::Extracted;
use super::ids::{ClaimId, PairId};
use super::judged::Judged;
use super::prepared::Preparation;
use super::results::{Origin, claim_result};
use crate::claims::place_among;
use crate::error::{Error, Result};
use crate::result::{ClaimResult, PairResult};
use crate::schedule::OnEvent;

/// A pair in flight.
pub(super) struct PairInFlight<'w> {
    extracted: &'w Extracted<'w>,
    /// Its citations, if they are checked.
    citations: Option<Citations<'w>>,
    /// Claims that are settled, but whose citations are not checked yet.
    settled: BTreeMap<ClaimId, Judged>,
    results: BTreeMap<ClaimId, ClaimResult>,
    /// The case of its own claims, once it is closed.
    own: Option<Case<'w>>,
    /// Number of its cases that are not closed.
    open: usize,
}

impl<'w> PairInFlight<'w> {
    /// A pair with no case.
    pub(super) fn new(extracted: &'w Extracted<'w>) -> Self {
        let (settled, results) = (BTreeMap::new(), BTreeMap::new());
        Self { extracted, citations: Citations::of(extracted), settled, results, own: None, open: 0 }
    }

    /// Counts a case that is opened for it.
    pub(super) fn open(&mut self) {
        self.open += 1;
    }

    /// Takes a settled claim of one of its cases.
    pub(super) fn take(&mut self, purpose: &Purpose, claim: ClaimId, judged: Judged) {
        match purpose {
            Purpose::Summary | Purpose::GivenClaims => drop(self.settled.insert(claim, judged)),
            Purpose::Citation(question) => {
                self.citations.iter_mut().for_each(|all| all.record(question, claim, judged.verdict));
            }
        }
    }

    /// Takes a case all of whose claims are settled.
    pub(super) fn close(&mut self, case: Case<'w>) {
        self.open -= 1;
        if !matches!(case.basis.purpose, Purpose::Citation(_)) {
            self.own = Some(case);
        }
    }

    /// The cases that its citations need next, once its other cases are closed. Sources without words support nothing.
    ///
    /// # Errors
    /// When a source cannot be judged otherwise.
    pub(super) fn citation_cases(
        &mut self,
        pair: PairId,
        preparation: &Preparation<'_>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Case<'w>>> {
        let mut cases = Vec::new();
        let Some(citations) = self.citations.as_mut().filter(|_| self.open == 0) else { return Ok(cases) };
        let mut questions = citations.questions();
        while cases.is_empty() && !questions.is_empty() {
            for question in questions {
                let document = citations.document(&question);
                let prepared = document.and_then(|document| {
                    preparation.question(self.extracted, document, question.clone(), on_event)
                });
                match prepared {
                    Ok((basis, claims)) => cases.push(Case::new(pair, basis, claims)),
                    Err(Error::Text { role: "document", .. }) => citations.record_wordless(&question),
                    Err(error) => return Err(error),
                }
            }
            questions = citations.questions();
        }
        Ok(cases)
    }

    /// Builds the results of the claims that have become final.
    pub(super) fn build_results(&mut self, on_claim: Option<&OnClaimEvent<'_>>) {
        let Self { extracted, citations, settled, results, .. } = self;
        let is_final = |claim: ClaimId| citations.as_ref().is_none_or(|all| all.are_checked(claim));
        for (claim, judged) in std::mem::take(settled) {
            if !is_final(claim) {
                settled.insert(claim, judged);
                continue;
            }
            let citations = citations.as_ref().map(|all| all.of_claim(claim));
            let result = claim_result(extracted, judged, citations);
            if let Some(report) = on_claim {
                let others = extracted.read.not_claims(&extracted.claims);
                let others = others.iter().map(|other| other.span);
                let index = place_among(others, claim.0, &result.summary_spans);
                report(ClaimEvent::Judged { index, result: Box::new(result.clone()) });
            }
            results.insert(claim, result);
        }
    }

    /// Whether the results of all its claims are built.
    pub(super) fn is_complete(&self) -> bool {
        self.open == 0 && self.settled.is_empty()
    }

    /// Its result, once it is complete.
    pub(super) fn result(self, origin: &Origin<'_>) -> Result<PairResult> {
        let own = self.own.ok_or(Error::Stopped)?;
        Ok(origin.pair_result(self.extracted, &own, self.results.into_values().collect()))
    }
}
