//! A pair in flight: it takes judgements from its cases, opens those that its citations need, and builds the results of
//! its claims as they become final.

use std::collections::BTreeMap;

use super::basis::Purpose;
use super::case::{Case, Taken};
use super::citations::Citations;
use super::events::{ClaimEvent, OnClaimEvent};
use super::extracted::Extracted;
use super::judged::Judged;
use super::place::{CaseId, ClaimId};
use super::prepared::PreparedCase;
use super::results::{Origin, claim_result, ledger};
use super::setup::Scorer;
use crate::claims::place_among;
use crate::error::{Error, Result};
use crate::result::{ClaimResult, PairResult};
use crate::schedule::OnEvent;

/// A pair in flight.
pub(super) struct PairInFlight<'w> {
    extracted: &'w Extracted<'w>,
    /// Its citations, if they are checked.
    citations: Option<Citations<'w>>,
    /// The case of its own claims, then those of its citations.
    cases: Vec<Case<'w>>,
    /// Claims that are settled, but whose citations are not checked yet.
    settled: BTreeMap<ClaimId, Judged>,
    results: BTreeMap<ClaimId, ClaimResult>,
}

impl<'w> PairInFlight<'w> {
    /// A pair with the case of its own claims.
    pub(super) fn new(extracted: &'w Extracted<'w>, own: PreparedCase<'w>) -> Self {
        let (settled, results) = (BTreeMap::new(), BTreeMap::new());
        let (citations, cases) = (Citations::of(extracted), vec![Case::new(own)]);
        Self { extracted, citations, cases, settled, results }
    }

    /// Its cases.
    pub(super) fn cases(&mut self) -> impl Iterator<Item = (CaseId, &mut Case<'w>)> {
        self.cases.iter_mut().enumerate().map(|(place, case)| (CaseId(place), case))
    }

    /// A case.
    pub(super) fn case(&self, case: CaseId) -> &Case<'w> {
        &self.cases[case.0]
    }

    /// The same, to be changed.
    pub(super) fn case_mut(&mut self, case: CaseId) -> &mut Case<'w> {
        &mut self.cases[case.0]
    }

    /// Takes the judgement of a claim or statement; other parts of the claim are judged next.
    pub(super) fn take(
        &mut self,
        case: CaseId,
        judged: Judged,
        scorer: &Scorer,
        on_event: &OnEvent<'_>,
    ) -> Result<()> {
        let case = &mut self.cases[case.0];
        match case.take(judged) {
            Taken::Open(parts) => case.waiting.extend(scorer.prepare(&mut case.basis, parts, on_event)?),
            Taken::Settled(claim, judged) => match &case.basis.purpose {
                Purpose::Summary | Purpose::GivenClaims => drop(self.settled.insert(claim, *judged)),
                Purpose::Citation(sources) => {
                    self.citations
                        .iter_mut()
                        .for_each(|all| all.record(sources, claim, judged.decided.verdict));
                }
            },
        }
        Ok(())
    }

    /// Whether a claim of its cases is not settled.
    fn is_open(&self) -> bool {
        self.cases.iter().any(Case::is_open)
    }

    /// Opens the cases that its citations need next, once all claims of its cases are settled. Sources without words
    /// support nothing.
    ///
    /// # Errors
    /// When a source cannot be judged otherwise.
    pub(super) fn cite(&mut self, scorer: &Scorer, on_event: &OnEvent<'_>) -> Result<()> {
        while !self.is_open()
            && let Some(citations) = &mut self.citations
            && let questions = citations.questions()
            && !questions.is_empty()
        {
            for question in questions {
                let case = citations.document(&question).and_then(|(text, sources)| {
                    scorer.citation_case(self.extracted, question.clone(), &text, &sources, on_event)
                });
                match case {
                    Ok(case) => self.cases.push(Case::new(case)),
                    Err(Error::Text { role: "document", .. }) => citations.record_wordless(&question),
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Builds the results of the claims that have become final.
    pub(super) fn build_results(&mut self, on_claim: Option<&OnClaimEvent<'_>>) {
        let Self { extracted, citations, settled, results, .. } = self;
        let is_final = |claim: ClaimId| citations.as_ref().is_none_or(|all| all.are_checked(claim));
        let (done, open) = std::mem::take(settled).into_iter().partition(|(claim, _)| is_final(*claim));
        *settled = open;
        let others = on_claim.map(|_| extracted.read.not_claims(&extracted.claims)).unwrap_or_default();
        for (claim, judged) in BTreeMap::into_iter(done) {
            let citations = citations.as_ref().map(|all| all.of_claim(claim));
            let result = claim_result(extracted, judged, citations);
            if let Some(report) = on_claim {
                let others = others.iter().map(|other| other.span);
                let index = place_among(others, claim.0, &result.summary_spans);
                report(ClaimEvent::Judged { index, result: Box::new(result.clone()) });
            }
            results.insert(claim, result);
        }
    }

    /// Whether the results of all its claims are built.
    pub(super) fn is_complete(&self) -> bool {
        !self.is_open() && self.settled.is_empty()
    }

    /// Its result, once it is complete.
    pub(super) fn result(self, origin: &Origin<'_>) -> PairResult {
        let ledger = ledger(self.extracted, &self.cases[0]);
        origin.pair_result(self.extracted, ledger, self.results.into_values().collect())
    }
}
