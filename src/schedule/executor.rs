//! Runs packed batches on a model and gives each pair its own outcome. Equal pairs are computed once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use rayon::prelude::*;
use veridic_models::{ModelError, NliModel, PackedBatch, PairTokens, PendingBatch, Probabilities, Result};

use super::events::{Event, OnEvent, Stage, timed};
use super::outcome_cache::OutcomeCache;
use super::pack::pack;
use super::pair_cache::PairKey;
use super::queue::QueueClient;

/// A pair to be computed.
pub type Job = PairTokens;

/// What came of a pair: nothing when the model's outputs for it are not numbers.
pub type Outcome = Option<Probabilities>;

/// Runs jobs on a model.
pub struct Executor<'m> {
    model: &'m NliModel,
    max_batch_tokens: usize,
    known: Option<&'m OutcomeCache>,
    turn: Option<&'m QueueClient>,
}

impl<'m> Executor<'m> {
    /// `max_batch_tokens`: tokens of a batch, none for the default. Outcomes do not depend on it.
    #[must_use]
    pub fn new(model: &'m NliModel, max_batch_tokens: Option<usize>) -> Self {
        Self {
            model,
            max_batch_tokens: max_batch_tokens.unwrap_or(model.device().batch_tokens()),
            known: None,
            turn: None,
        }
    }

    /// The same with what is known from before.
    #[must_use]
    pub fn with_cache(self, known: &'m OutcomeCache) -> Self {
        Self { known: Some(known), ..self }
    }

    /// The same, but what must be computed goes through the queue of a turn, if there is one.
    #[must_use]
    pub fn with_queue(self, turn: Option<&'m QueueClient>) -> Self {
        Self { turn, ..self }
    }

    /// The outcomes, in the jobs' order; none at all when `on_event` ends the work.
    ///
    /// # Errors
    /// What the model refuses.
    pub fn run(&self, jobs: &[&Job], on_event: &OnEvent<'_>) -> Result<Option<Vec<Outcome>>> {
        let keys: Vec<PairKey> = jobs.par_iter().map(|job| PairKey::of(job)).collect();
        let mut outcomes = self.known.map_or_else(|| vec![None; keys.len()], |known| known.get(&keys));
        let mut first: HashMap<PairKey, usize> = HashMap::new();
        let (mut distinct, mut copies) = (Vec::new(), Vec::new());
        for (index, key) in keys.iter().enumerate().filter(|(index, _)| outcomes[*index].is_none()) {
            match first.entry(*key) {
                Entry::Occupied(original) => copies.push((index, *original.get())),
                Entry::Vacant(place) => {
                    place.insert(index);
                    distinct.push(index);
                }
            }
        }
        let _ = on_event(Event::Reused { pairs: jobs.len() - distinct.len() });
        let end = timed(Stage::Model, on_event, || self.compute(jobs, &distinct, &mut outcomes, on_event));
        // Also what was computed before an end that came early.
        if let Some(known) = self.known {
            let computed = distinct.iter().filter_map(|&index| Some((keys[index], outcomes[index]?)));
            known.keep(&computed.collect::<Vec<_>>());
        }
        if end?.is_break() {
            return Ok(None);
        }
        for (copy, original) in copies {
            outcomes[copy] = outcomes[original];
        }
        Ok(Some(outcomes))
    }

    /// Computes the jobs of these indices, batch after batch.
    fn compute(
        &self,
        jobs: &[&Job],
        indices: &[usize],
        outcomes: &mut [Outcome],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        if let Some(turn) = self.turn {
            return turn.compute(jobs, indices, outcomes, on_event);
        }
        let lengths: Vec<usize> = indices.iter().map(|&index| jobs[index].ids.len()).collect();
        // Batches that a device computes or has queued, the oldest first.
        let mut underway = VecDeque::new();
        let mut batches = pack(&lengths, self.max_batch_tokens).into_iter();
        loop {
            while underway.len() < self.model.device().batches_in_flight()
                && let Some(batch) = batches.next()
            {
                let batch: Vec<usize> = batch.into_iter().map(|place| indices[place]).collect();
                let of_batch: Vec<&Job> = batch.iter().map(|&index| jobs[index]).collect();
                underway.push_back((begin(self.model, &of_batch)?, batch));
            }
            let Some((begun, batch)) = underway.pop_front() else { return Ok(ControlFlow::Continue(())) };
            let of_batch: Vec<&Job> = batch.iter().map(|&index| jobs[index]).collect();
            for (index, outcome) in batch.iter().zip(end(self.model, begun, &of_batch)?) {
                outcomes[*index] = outcome;
            }
            let tokens = batch.iter().map(|&index| jobs[index].ids.len()).sum();
            if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
}

/// Begins to compute pairs together.
pub(super) fn begin<'m>(model: &'m NliModel, jobs: &[&Job]) -> Result<PendingBatch<'m>> {
    model.begin(&PackedBatch::from_sequences(jobs.iter().map(|job| (&job.ids[..], &job.types[..]))))
}

/// The outcomes of pairs that were begun together.
pub(super) fn end(model: &NliModel, underway: PendingBatch<'_>, jobs: &[&Job]) -> Result<Vec<Outcome>> {
    match underway.wait() {
        Ok(all) => Ok(all.into_iter().map(Some).collect()),
        // The others of the batch are fine: find out which, one by one.
        Err(ModelError::NotFinite { .. }) if jobs.len() > 1 => {
            jobs.iter().map(|job| Ok(end(model, begin(model, &[job])?, &[job])?[0])).collect()
        }
        Err(ModelError::NotFinite { .. }) => Ok(vec![None]),
        Err(other) => Err(other),
    }
}
