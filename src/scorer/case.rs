//! A case: claims that are judged on the same basis, each at its own step. A claim is settled once it is judged and, if
//! it joins statements, once these are.

use std::collections::BTreeMap;

use super::basis::Basis;
use super::counts::Counts;
use super::ids::{ClaimId, PairId, Part};
use super::joined::{Joining, statements};
use super::judged::Judged;
use super::prepared::Prepared;
use super::screened::Screened;
use crate::claims::Claim;

/// Claims that are judged on the same basis.
pub(super) struct Case<'w> {
    /// The pair that it is part of.
    pub(super) pair: PairId,
    pub(super) basis: Basis<'w>,
    /// Claims that wait for the screen.
    pub(super) prepared: Vec<Prepared>,
    /// Claims that are being aligned.
    pub(super) screened: BTreeMap<Part, Screened<'w>>,
    /// Claims that wait for their statements.
    joining: BTreeMap<ClaimId, Joining>,
    settled: Vec<(ClaimId, Judged)>,
    /// Number of claims that are not settled.
    open: usize,
    counts: Counts,
}

impl<'w> Case<'w> {
    /// A case with its claims.
    pub(super) fn new(pair: PairId, basis: Basis<'w>, prepared: Vec<Prepared>) -> Self {
        let open = prepared.len();
        let (screened, joining, settled) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Self { pair, basis, prepared, screened, joining, settled, open, counts: Counts::default() }
    }

    /// Takes the judgement of a claim or statement, and returns the statements by which a claim is to be judged.
    pub(super) fn take(&mut self, judged: Judged) -> Vec<(Part, Claim)> {
        self.counts += judged.counts;
        let document = self.basis.premises.document().clone();
        match judged.part {
            Part::Claim(of) => {
                let texts = statements(&judged, document.division());
                let claim = |text| Claim { text, ..judged.claim.clone() };
                let part = |(number, text)| (Part::Statement { of, number }, claim(text));
                let parts: Vec<(Part, Claim)> = texts.into_iter().enumerate().map(part).collect();
                match parts.len() {
                    0 => self.settle(of, judged),
                    count => drop(self.joining.insert(of, Joining::new(judged, count))),
                }
                parts
            }
            Part::Statement { of, number } => {
                if let Some(mut joining) = self.joining.remove(&of) {
                    joining.add(number, judged);
                    match joining.is_complete() {
                        true => self.settle(of, joining.judged(document.division())),
                        false => drop(self.joining.insert(of, joining)),
                    }
                }
                Vec::new()
            }
        }
    }

    fn settle(&mut self, claim: ClaimId, judged: Judged) {
        self.open -= 1;
        self.settled.push((claim, judged));
    }

    /// The claims that were settled since the last call.
    pub(super) fn take_settled(&mut self) -> Vec<(ClaimId, Judged)> {
        std::mem::take(&mut self.settled)
    }

    /// Whether all claims are settled.
    pub(super) fn is_closed(&self) -> bool {
        self.open == 0
    }

    /// The work on its claims so far.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }
}
