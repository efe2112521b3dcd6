//! A batch of pairs on the model, and the usual size of a batch. A pair for which the model's outputs are not finite does
//! not affect the others of its batch.

use veridic_models::{ModelError, NliModel, PackedBatch, PairTokens, Probabilities, Result};

/// A pair to be computed.
pub type Job = PairTokens;

/// The outcome of a pair; `None` if the model's outputs are not finite.
pub type Outcome = Option<Probabilities>;

/// Default maximum of tokens per batch on the processor, with which the states between two layers stay in the processor's cache.
pub(super) const BATCH_TOKENS: usize = 2048;

/// Default maximum of tokens per batch on the model's device.
pub(crate) fn usual_batch_tokens(model: &NliModel) -> usize {
    model.device().batch_tokens().unwrap_or(BATCH_TOKENS)
}

/// Computes the outcomes of a batch of pairs.
pub(super) fn compute(model: &NliModel, jobs: &[&Job]) -> Result<Vec<Outcome>> {
    let batch = PackedBatch::from_sequences(jobs.iter().map(|job| (&job.ids[..], &job.types[..])));
    match model.probabilities(&batch) {
        Ok(all) => Ok(all.into_iter().map(Some).collect()),
        // Other pairs of the batch may be finite: compute them one by one.
        Err(ModelError::NotFinite { .. }) if jobs.len() > 1 => {
            jobs.iter().map(|job| Ok(compute(model, &[job])?[0])).collect()
        }
        Err(ModelError::NotFinite { .. }) => Ok(vec![None]),
        Err(other) => Err(other),
    }
}
