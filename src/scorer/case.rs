//! A case: claims of a pair that are judged on the same basis, each at its own step. A claim is settled once it is
//! judged and, if it joins statements, once these are.

use std::collections::{BTreeMap, VecDeque};

use super::basis::Basis;
use super::counts::Counts;
use super::joined::{Joining, statements};
use super::judged::Judged;
use super::place::{ClaimId, Part};
use super::prepared::{Hypothesis, PreparedCase};
use super::screened::Screened;
use crate::claims::Claim;

/// Claims that are judged on the same basis.
pub(super) struct Case<'w> {
    pub(super) basis: Basis<'w>,
    /// Claims that wait for the screen.
    pub(super) waiting: VecDeque<Hypothesis>,
    /// Claims that are being aligned.
    pub(super) screened: BTreeMap<Part, Screened<'w>>,
    /// Claims that wait for their statements.
    joining: BTreeMap<ClaimId, Joining>,
    /// The work on judged claims.
    pub(super) counts: Counts,
}

/// What follows from the judgement of a claim or statement.
pub(super) enum Taken {
    /// The claim is settled.
    Settled(ClaimId, Box<Judged>),
    /// Other parts of the claim are judged first.
    Open(Vec<(Part, Claim)>),
}

impl<'w> Case<'w> {
    /// A case with its claims.
    pub(super) fn new(PreparedCase { basis, claims }: PreparedCase<'w>) -> Self {
        let (screened, joining) = (BTreeMap::new(), BTreeMap::new());
        Self { basis, waiting: claims.into(), screened, joining, counts: Counts::default() }
    }

    /// Takes the judgement of a claim or statement.
    pub(super) fn take(&mut self, judged: Judged) -> Taken {
        let decided = &judged.decided;
        self.counts += decided.counts;
        let division = self.basis.premises.document().division();
        match decided.part {
            Part::Claim(of) => {
                let texts = statements(decided, division);
                if texts.is_empty() {
                    return Taken::Settled(of, Box::new(judged));
                }
                let claim = |text| Claim { text, ..decided.claim.clone() };
                let part = |(number, text)| (Part::Statement { of, number }, claim(text));
                let parts: Vec<(Part, Claim)> = texts.into_iter().enumerate().map(part).collect();
                self.joining.insert(of, Joining::new(judged, parts.len()));
                Taken::Open(parts)
            }
            Part::Statement { of, number } => {
                let Some(mut joining) = self.joining.remove(&of) else { return Taken::Open(Vec::new()) };
                joining.add(number, judged);
                if joining.is_complete() {
                    return Taken::Settled(of, Box::new(joining.judged(division)));
                }
                self.joining.insert(of, joining);
                Taken::Open(Vec::new())
            }
        }
    }

    /// Whether a claim is not settled.
    pub(super) fn is_open(&self) -> bool {
        !(self.waiting.is_empty() && self.screened.is_empty() && self.joining.is_empty())
    }
}
