//! The work in flight of a call: its pairs, and the results so far. Claims go through the steps by value; what fails for
//! a claim fails for its pair, and for no other.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::basis::{Asking, Basis};
use super::case::Case;
use super::events::OnClaimEvent;
use super::extracted::Extracted;
use super::pair::PairInFlight;
use super::place::{PairId, Place};
use super::prepared::{Hypothesis, PreparedCase};
use super::results::Origin;
use crate::error::{Error, Result};
use crate::result::PairResult;
use crate::schedule::{OnEvent, poll};

/// Premises that the claims that are aligned together may be compared with, counted for each claim. A candidate takes some
/// 60 bytes, so this bounds the memory for many claims about a long document; other claims wait.
const MAX_OPEN: usize = 500_000;

/// The work in flight.
pub(super) struct Work<'w> {
    pairs: BTreeMap<PairId, PairInFlight<'w>>,
    results: BTreeMap<PairId, Result<PairResult>>,
}

/// Something of a case.
pub(super) type At<T> = (Place, T);

impl<'w> Work<'w> {
    /// Starts with the claims of each pair.
    pub(super) fn of(pairs: &[&'w Extracted<'w>], cases: Vec<Result<PreparedCase<'w>>>) -> Self {
        let mut work = Self { pairs: BTreeMap::new(), results: BTreeMap::new() };
        for (place, (extracted, case)) in pairs.iter().zip(cases).enumerate() {
            match case {
                Ok(case) => drop(work.pairs.insert(PairId(place), PairInFlight::new(extracted, case))),
                Err(error) => drop(work.results.insert(PairId(place), Err(error))),
            }
        }
        work
    }

    /// Whether a pair has no result yet.
    pub(super) fn is_open(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// The results of all pairs, in order; those without one are [`Error::Stopped`].
    pub(super) fn into_results(mut self) -> Vec<Result<PairResult>> {
        self.results.extend(self.pairs.keys().map(|pair| (*pair, Err(Error::Stopped))));
        self.results.into_values().collect()
    }

    /// A case, unless its pair has failed.
    pub(super) fn case(&self, Place { pair, case }: Place) -> Option<&Case<'w>> {
        Some(self.pairs.get(&pair)?.case(case))
    }

    /// All cases.
    fn cases(&mut self) -> impl Iterator<Item = At<&mut Case<'w>>> {
        self.pairs.iter_mut().flat_map(|(pair, in_flight)| {
            let pair = *pair;
            in_flight.cases().map(move |(case, found)| (Place { pair, case }, found))
        })
    }

    /// The next claims that wait for the screen, by case: as many as may be open together.
    pub(super) fn take_waiting(&mut self) -> Vec<At<Vec<Hypothesis>>> {
        let premises = |case: &Case<'_>| case.basis.premises.count().max(1);
        let open: usize = self.cases().map(|(_, case)| case.screened.len() * premises(case)).sum();
        let mut room = MAX_OPEN.saturating_sub(open);
        let mut taken = Vec::new();
        for (place, case) in self.cases().filter(|(_, case)| !case.waiting.is_empty()) {
            // One claim is always open.
            let least = usize::from(taken.is_empty() && open == 0);
            let count = (room / premises(case)).max(least).min(case.waiting.len());
            room = room.saturating_sub(count * premises(case));
            taken.push((place, case.waiting.drain(..count).collect()));
        }
        taken.retain(|(_, claims): &At<Vec<Hypothesis>>| !claims.is_empty());
        taken
    }

    /// Takes things of cases one step further, in parallel; asks before each whether to go on.
    pub(super) fn step<T: Send, U: Send>(
        &mut self,
        items: Vec<At<T>>,
        on_event: &OnEvent<'_>,
        step: impl Fn(&Basis<'w>, T) -> Result<U> + Sync,
    ) -> Vec<At<U>> {
        let step = |(place, item)| {
            let basis = &self.case(place)?.basis;
            Some((place, poll(on_event).and_then(|()| step(basis, item))))
        };
        let stepped: Vec<At<Result<U>>> = items.into_par_iter().filter_map(step).collect();
        self.keep(stepped)
    }

    /// One exchange with a model: what items of cases ask is computed together, and each is taken one step further with
    /// its answers.
    ///
    /// # Errors
    /// When the model fails, and [`Error::Stopped`] when the work is stopped.
    pub(super) fn exchange<T: Send, R: Send, O: Send, U: Send>(
        &mut self,
        items: Vec<At<Asking<T, R>>>,
        on_event: &OnEvent<'_>,
        compute: impl FnOnce(&[&R]) -> Result<Option<Vec<O>>>,
        step: impl Fn(&Basis<'w>, T, Vec<(R, O)>) -> Result<U> + Sync,
    ) -> Result<Vec<At<U>>> {
        let requests: Vec<&R> = items.iter().flat_map(|(_, asking)| &asking.requests).collect();
        let mut answers = compute(&requests)?.ok_or(Error::Stopped)?.into_iter();
        let answered = items.into_iter().map(|(place, Asking { item, requests })| {
            (place, (item, requests.into_iter().zip(answers.by_ref()).collect()))
        });
        let answered = answered.collect();
        Ok(self.step(answered, on_event, |basis, (item, answers)| step(basis, item, answers)))
    }

    /// Changes all cases, in parallel. Cases of one document follow each other, since they share its clusters.
    pub(super) fn each<U: Send>(&mut self, change: impl Fn(&mut Case<'w>) -> Result<U> + Sync) -> Vec<At<U>> {
        let mut cases: Vec<At<&mut Case<'w>>> = self.cases().collect();
        let same_document = |(_, a): &At<&mut Case<'w>>, (_, b): &At<&mut Case<'w>>| {
            a.basis.premises.share_document(&b.basis.premises)
        };
        let changed = cases.par_chunk_by_mut(same_document).flat_map_iter(|together| {
            let changed = together.iter_mut().map(|(place, case)| (*place, change(case)));
            changed.collect::<Vec<_>>()
        });
        let changed: Vec<At<Result<U>>> = changed.collect();
        self.keep(changed)
    }

    /// What did not fail.
    fn keep<U>(&mut self, results: Vec<At<Result<U>>>) -> Vec<At<U>> {
        let mut kept = Vec::with_capacity(results.len());
        for (place, result) in results {
            match result {
                Ok(item) => kept.push((place, item)),
                Err(error) => self.change(place.pair, |_| Err(error)),
            }
        }
        kept.retain(|(place, _)| self.pairs.contains_key(&place.pair));
        kept
    }

    /// Changes a pair, unless it has failed. An error becomes its result.
    pub(super) fn change(&mut self, pair: PairId, change: impl FnOnce(&mut PairInFlight<'w>) -> Result<()>) {
        if let Some(in_flight) = self.pairs.get_mut(&pair)
            && let Err(error) = change(in_flight)
        {
            self.pairs.remove(&pair);
            self.results.insert(pair, Err(error));
        }
    }

    /// Changes all pairs.
    pub(super) fn change_all(&mut self, change: impl Fn(&mut PairInFlight<'w>) -> Result<()>) {
        let pairs: Vec<PairId> = self.pairs.keys().copied().collect();
        pairs.into_iter().for_each(|pair| self.change(pair, &change));
    }

    /// Builds the results of claims that have become final, and those of the pairs that are complete by it.
    pub(super) fn build_results(&mut self, origin: &Origin<'_>, on_claim: Option<&OnClaimEvent<'_>>) {
        self.pairs.values_mut().for_each(|pair| pair.build_results(on_claim));
        let (complete, open) =
            std::mem::take(&mut self.pairs).into_iter().partition(|(_, pair)| pair.is_complete());
        self.pairs = open;
        let complete = BTreeMap::into_iter(complete).map(|(id, pair)| (id, Ok(pair.result(origin))));
        self.results.extend(complete);
    }
}
