//! The work in flight of a call: its pairs, their cases, and the results so far. Claims go through the steps by value;
//! what fails for a claim fails for its pair, and for no other.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::basis::Basis;
use super::case::Case;
use super::events::OnClaimEvent;
use super::extracted::Extracted;
use super::ids::{CaseId, PairId};
use super::pair::PairInFlight;
use super::prepared::Prepared;
use super::results::Origin;
use crate::error::{Error, Result};
use crate::result::PairResult;

/// The work in flight.
pub(super) struct Work<'w> {
    pairs: BTreeMap<PairId, PairInFlight<'w>>,
    cases: BTreeMap<CaseId, Case<'w>>,
    results: BTreeMap<PairId, Result<PairResult>>,
    /// Number of cases that were opened.
    opened: usize,
}

/// Something of a case.
pub(super) type OfCase<T> = (CaseId, T);

impl<'w> Work<'w> {
    /// Starts with the claims of each pair.
    pub(super) fn of(pairs: &[&'w Extracted<'w>], claims: Vec<Result<(Basis<'w>, Vec<Prepared>)>>) -> Self {
        let (pairs_in_flight, results) = (BTreeMap::new(), BTreeMap::new());
        let mut work = Self { pairs: pairs_in_flight, cases: BTreeMap::new(), results, opened: 0 };
        for (place, (extracted, claims)) in pairs.iter().zip(claims).enumerate() {
            let pair = PairId(place);
            match claims {
                Err(error) => drop(work.results.insert(pair, Err(error))),
                Ok((basis, prepared)) => {
                    work.pairs.insert(pair, PairInFlight::new(extracted));
                    work.open(Case::new(pair, basis, prepared));
                }
            }
        }
        work
    }

    /// Opens a case of a pair.
    fn open(&mut self, case: Case<'w>) {
        if let Some(pair) = self.pairs.get_mut(&case.pair) {
            pair.open();
            self.cases.insert(CaseId(self.opened), case);
            self.opened += 1;
        }
    }

    /// Whether a pair has no result yet.
    pub(super) fn is_open(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// A pair's result is this error.
    fn fail(&mut self, pair: PairId, error: Error) {
        if self.pairs.remove(&pair).is_some() {
            self.cases.retain(|_, case| case.pair != pair);
            self.results.insert(pair, Err(error));
        }
    }

    /// The results of all pairs, in order; those without one are [`Error::Stopped`].
    pub(super) fn into_results(mut self) -> Vec<Result<PairResult>> {
        self.results.extend(self.pairs.keys().map(|pair| (*pair, Err(Error::Stopped))));
        self.results.into_values().collect()
    }

    /// A case, unless its pair has failed.
    pub(super) fn case(&self, id: CaseId) -> Option<&Case<'w>> {
        self.cases.get(&id)
    }

    /// The claims that wait for the screen, by case.
    pub(super) fn take_prepared(&mut self) -> Vec<OfCase<Vec<Prepared>>> {
        let waiting = self.cases.iter_mut().filter(|(_, case)| !case.prepared.is_empty());
        waiting.map(|(id, case)| (*id, std::mem::take(&mut case.prepared))).collect()
    }

    /// Takes things of cases one step further, in parallel.
    pub(super) fn step<T: Send, U: Send>(
        &mut self,
        items: Vec<OfCase<T>>,
        step: impl Fn(&Basis<'w>, T) -> Result<U> + Sync,
    ) -> Vec<OfCase<U>> {
        let cases = &self.cases;
        let items = items.into_par_iter();
        let stepped = items.filter_map(|(id, item)| Some((id, step(&cases.get(&id)?.basis, item))));
        let stepped: Vec<OfCase<Result<U>>> = stepped.collect();
        self.keep(stepped)
    }

    /// Changes all cases, in parallel. Cases of one document follow each other, since they share its clusters.
    pub(super) fn each<U: Send>(
        &mut self,
        change: impl Fn(&mut Case<'w>) -> Result<U> + Sync,
    ) -> Vec<OfCase<U>> {
        let mut cases: Vec<OfCase<&mut Case<'w>>> =
            self.cases.iter_mut().map(|(id, case)| (*id, case)).collect();
        let same_document = |(_, a): &OfCase<&mut Case<'w>>, (_, b): &OfCase<&mut Case<'w>>| {
            a.basis.premises.share_document(&b.basis.premises)
        };
        let changed = cases.par_chunk_by_mut(same_document).flat_map_iter(|together| {
            let changed = together.iter_mut().map(|(id, case)| (*id, change(case)));
            changed.collect::<Vec<_>>()
        });
        let changed: Vec<OfCase<Result<U>>> = changed.collect();
        self.keep(changed)
    }

    /// Changes one case, unless its pair has failed.
    pub(super) fn change(&mut self, id: CaseId, change: impl FnOnce(&mut Case<'w>) -> Result<()>) {
        if let Some(case) = self.cases.get_mut(&id)
            && let Err(error) = change(case)
        {
            let pair = case.pair;
            self.fail(pair, error);
        }
    }

    /// What did not fail.
    fn keep<U>(&mut self, results: Vec<OfCase<Result<U>>>) -> Vec<OfCase<U>> {
        let mut kept = Vec::with_capacity(results.len());
        for (id, result) in results {
            match result {
                Ok(item) => kept.push((id, item)),
                Err(error) => self.change(id, |_| Err(error)),
            }
        }
        kept.retain(|(id, _)| self.cases.contains_key(id));
        kept
    }

    /// Gives the pairs what was settled in their cases, and the cases that are closed by it.
    pub(super) fn settle(&mut self) {
        for case in self.cases.values_mut() {
            if let Some(pair) = self.pairs.get_mut(&case.pair) {
                let settled = case.take_settled();
                settled.into_iter().for_each(|(claim, judged)| pair.take(&case.basis.purpose, claim, judged));
            }
        }
        let (closed, open) =
            std::mem::take(&mut self.cases).into_iter().partition(|(_, case)| case.is_closed());
        self.cases = open;
        for case in BTreeMap::into_values(closed) {
            self.pairs.entry(case.pair).and_modify(|pair| pair.close(case));
        }
    }

    /// Opens the cases that pairs need for their citations. `cases` makes those of a pair.
    pub(super) fn follow_up(
        &mut self,
        cases: impl Fn(PairId, &mut PairInFlight<'w>) -> Result<Vec<Case<'w>>>,
    ) {
        let made: Vec<(PairId, Result<Vec<Case<'w>>>)> =
            self.pairs.iter_mut().map(|(id, pair)| (*id, cases(*id, pair))).collect();
        for (pair, made) in made {
            match made {
                Ok(cases) => cases.into_iter().for_each(|case| self.open(case)),
                Err(error) => self.fail(pair, error),
            }
        }
    }

    /// Builds the results of claims that have become final, and those of the pairs that are complete by it.
    pub(super) fn build_results(&mut self, origin: &Origin<'_>, on_claim: Option<&OnClaimEvent<'_>>) {
        self.pairs.values_mut().for_each(|pair| pair.build_results(on_claim));
        let (complete, open) =
            std::mem::take(&mut self.pairs).into_iter().partition(|(_, pair)| pair.is_complete());
        self.pairs = open;
        let complete = BTreeMap::into_iter(complete).map(|(id, pair)| (id, pair.result(origin)));
        self.results.extend(complete);
    }
}
