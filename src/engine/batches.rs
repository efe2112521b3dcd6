//! Runs pairs of token ids through the judge, in batches that its cache and its queue allow.

use std::num::NonZeroUsize;
use std::sync::Arc;

use veridic_models::{NliModel, PairTokenizer};

use crate::error::{Error, Result};
use crate::schedule::{Executor, Job, OnEvent, Outcome, OutcomeCache, QueueClient, usual_batch_tokens};

/// An NLI model with its cache, queue and limits. Clones share the model and the cache.
#[derive(Clone)]
pub struct Engine {
    pub(crate) model: Arc<NliModel>,
    pub(crate) cache: Arc<OutcomeCache>,
    pub(crate) queue: Option<QueueClient>,
    /// Maximum tokens per batch; `None` for a number that suits the processor.
    pub(crate) max_batch_tokens: Option<usize>,
    /// Number of pairs whose token ids are in memory at a time.
    pub(crate) pairs_in_flight: NonZeroUsize,
    /// Maximum tokens per pair.
    pub(crate) max_tokens: usize,
}

impl Engine {
    /// Returns the outcomes in the order of `jobs`, or `None` when `on_event` stops the work.
    ///
    /// # Errors
    /// When the model fails.
    pub(crate) fn run(&self, jobs: &[&Job], on_event: &OnEvent<'_>) -> Result<Option<Vec<Outcome>>> {
        let executor = Executor::new(&self.model, self.max_batch_tokens);
        let executor = executor.with_cache(&self.cache).with_queue(self.queue.as_ref());
        let mut outcomes = Vec::with_capacity(jobs.len());
        for together in jobs.chunks(self.pairs_in_flight.get()) {
            let Some(computed) = executor.run(together, on_event)? else { return Ok(None) };
            outcomes.extend(computed);
        }
        Ok(Some(outcomes))
    }

    pub(crate) fn tokenizer(&self) -> &PairTokenizer {
        self.model.tokenizer()
    }

    /// Maximum tokens of a batch for [`Engine::in_turn`].
    pub(crate) fn batch_tokens(&self) -> usize {
        let usual = || {
            let own = usual_batch_tokens(&self.model);
            self.queue.as_ref().map_or(own, QueueClient::batch_tokens)
        };
        self.max_batch_tokens.unwrap_or_else(usual)
    }

    /// Computes a batch of `tokens` tokens. If several callers share the processors, waits for this caller's turn;
    /// returns `None` when `on_event` stops the wait.
    pub(crate) fn in_turn<T: Send>(
        &self,
        tokens: usize,
        on_event: &OnEvent<'_>,
        work: impl FnOnce() -> T + Send,
    ) -> Option<T> {
        match &self.queue {
            Some(queue) => queue.in_turn(tokens, on_event, work),
            None => Some(work()),
        }
    }

    /// The error for a claim, by its index, for which the model's outputs are not finite.
    pub(crate) fn not_finite(&self, claim: usize, text: &str) -> Error {
        not_finite(&self.model, claim, text)
    }
}

/// The error for a claim, by its index, for which a model's outputs are not finite.
pub(crate) fn not_finite(model: &NliModel, claim: usize, text: &str) -> Error {
    let (file, text) = (model.weights_file().to_owned(), text.to_owned());
    Error::NotFinite { file, claim: claim + 1, text }
}
