//! Runs pairs on a model in packed batches. Cached and equal pairs are not computed again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;

use rayon::prelude::*;
use veridic_models::{NliModel, Result};

use super::compute::{Job, Outcome, compute, usual_batch_tokens};
use super::events::{Event, OnEvent, Stage, timed};
use super::pack::pack;
use super::pair_cache::{OutcomeCache, PairKey};
use super::parallel::PREPARED_AT_ONCE;
use super::queue::QueueClient;

/// Runs jobs on a model.
pub struct Executor<'m> {
    model: &'m NliModel,
    max_batch_tokens: Option<usize>,
    cache: Option<&'m OutcomeCache>,
    queue: Option<Queued<'m>>,
}

/// The use of a shared queue.
#[derive(Clone, Copy)]
enum Queued<'m> {
    /// The queue's own model computes its pairs, in batches with those of other clients.
    Together(&'m QueueClient),
    /// Another model computes each batch in a separate turn.
    InTurns(&'m QueueClient),
}

impl<'m> Executor<'m> {
    /// An executor on a model. `max_batch_tokens`: maximum tokens per batch, by default a number that suits the
    /// processor. Outcomes do not depend on it.
    #[must_use]
    pub fn new(model: &'m NliModel, max_batch_tokens: Option<usize>) -> Self {
        Self { model, max_batch_tokens, cache: None, queue: None }
    }

    /// The executor with a cache.
    #[must_use]
    pub(crate) fn with_cache(self, cache: &'m OutcomeCache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// The executor with a shared queue for the same model, if there is one.
    #[must_use]
    pub(crate) fn with_queue(self, queue: Option<&'m QueueClient>) -> Self {
        Self { queue: queue.map(Queued::Together), ..self }
    }

    /// The executor with turns in a shared queue of another model, if there is one.
    #[must_use]
    pub(crate) fn with_turns_in(self, queue: Option<&'m QueueClient>) -> Self {
        Self { queue: queue.map(Queued::InTurns), ..self }
    }

    /// Returns the outcomes in the order of `jobs`, or `None` when `on_event` stops the work.
    ///
    /// # Errors
    /// When the model fails.
    pub fn run(&self, jobs: &[&Job], on_event: &OnEvent<'_>) -> Result<Option<Vec<Outcome>>> {
        let keys = jobs.par_iter().with_min_len(PREPARED_AT_ONCE);
        let keys: Vec<PairKey> = keys.map(|job| PairKey::of(job)).collect();
        let mut outcomes: Vec<Outcome> = keys.iter().map(|key| self.cache?.get(key)).collect();
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
        // Outcomes that were computed before the work was stopped are cached too.
        if let Some(cache) = self.cache {
            let computed = distinct.iter().filter_map(|&index| Some((keys[index], outcomes[index]?)));
            computed.for_each(|(key, outcome)| cache.put(key, outcome, 1));
        }
        if end?.is_break() {
            return Ok(None);
        }
        for (copy, original) in copies {
            outcomes[copy] = outcomes[original];
        }
        Ok(Some(outcomes))
    }

    /// Computes the jobs at these indices, batch by batch.
    fn compute(
        &self,
        jobs: &[&Job],
        indices: &[usize],
        outcomes: &mut [Outcome],
        on_event: &OnEvent<'_>,
    ) -> Result<ControlFlow<()>> {
        if let Some(Queued::Together(queue)) = self.queue {
            return queue.compute(jobs, indices, outcomes, on_event);
        }
        let turns = match self.queue {
            Some(Queued::InTurns(queue)) => Some(queue),
            _ => None,
        };
        let usual = turns.map_or(usual_batch_tokens(self.model), QueueClient::batch_tokens);
        let lengths: Vec<usize> = indices.iter().map(|&index| jobs[index].ids.len()).collect();
        for batch in pack(&lengths, self.max_batch_tokens.unwrap_or(usual)) {
            let batch: Vec<usize> = batch.into_iter().map(|place| indices[place]).collect();
            let of_batch: Vec<&Job> = batch.iter().map(|&index| jobs[index]).collect();
            let tokens = of_batch.iter().map(|job| job.ids.len()).sum();
            let work = || compute(self.model, &of_batch);
            let computed = match turns {
                Some(queue) => queue.in_turn(tokens, on_event, work),
                None => Some(work()),
            };
            let Some(computed) = computed else { return Ok(ControlFlow::Break(())) };
            for (index, outcome) in batch.iter().zip(computed?) {
                outcomes[*index] = outcome;
            }
            if on_event(Event::Computed { pairs: batch.len(), tokens }).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
