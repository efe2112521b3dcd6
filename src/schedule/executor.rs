//! Runs packed batches on a model and gives each pair its own outcome.

use veridic_models::{ModelError, NliModel, PackedBatch, PairTokens, Probabilities, Result};

use super::pack::pack;

/// Tokens of a batch, unless told otherwise.
const DEFAULT_BATCH_TOKENS: usize = 2048;

/// A pair to be computed.
pub type Job = PairTokens;

/// What came of a pair: nothing when the model's outputs for it are not numbers.
pub type Outcome = Option<Probabilities>;

/// Told after each batch.
pub type OnBatch<'a> = dyn Fn(BatchDone) + Sync + 'a;

/// A batch that was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchDone {
    /// Its pairs.
    pub pairs: usize,
    /// Its tokens, all of them real.
    pub tokens: usize,
}

/// Runs jobs on a model.
pub struct Executor<'m> {
    model: &'m NliModel,
    max_batch_tokens: usize,
}

impl<'m> Executor<'m> {
    /// `max_batch_tokens`: tokens of a batch, none for the default. Outcomes do not depend on it.
    #[must_use]
    pub fn new(model: &'m NliModel, max_batch_tokens: Option<usize>) -> Self {
        Self { model, max_batch_tokens: max_batch_tokens.unwrap_or(DEFAULT_BATCH_TOKENS) }
    }

    /// The outcomes, in the jobs' order.
    ///
    /// # Errors
    /// What the model refuses.
    pub fn run(&self, jobs: &[Job], on_batch: &OnBatch<'_>) -> Result<Vec<Outcome>> {
        let lengths: Vec<usize> = jobs.iter().map(|job| job.ids.len()).collect();
        let mut outcomes = vec![None; jobs.len()];
        for batch in pack(&lengths, self.max_batch_tokens) {
            for (index, outcome) in batch.iter().zip(self.run_batch(jobs, &batch)?) {
                outcomes[*index] = outcome;
            }
            let tokens = batch.iter().map(|&index| lengths[index]).sum();
            on_batch(BatchDone { pairs: batch.len(), tokens });
        }
        Ok(outcomes)
    }

    fn run_batch(&self, jobs: &[Job], batch: &[usize]) -> Result<Vec<Outcome>> {
        let packed =
            PackedBatch::from_sequences(batch.iter().map(|&i| (&jobs[i].ids[..], &jobs[i].types[..])));
        match self.model.probabilities(&packed) {
            Ok(all) => Ok(all.into_iter().map(Some).collect()),
            // The others of the batch are fine: find out which, one by one.
            Err(ModelError::NotFinite { .. }) if batch.len() > 1 => {
                batch.iter().map(|&index| Ok(self.run_batch(jobs, &[index])?[0])).collect()
            }
            Err(ModelError::NotFinite { .. }) => Ok(vec![None]),
            Err(other) => Err(other),
        }
    }
}
