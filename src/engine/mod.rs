//! The judge and how it runs: an NLI model with the cache of its outcomes and, where several callers share it, their queue.
//! It computes pairs of token ids and plain pairs of texts (`pairs`, `label_scores`), and knows no claim and no rule.

mod identity;
mod label_scores;
mod pairs;

use std::num::NonZeroUsize;
use std::sync::Arc;

use veridic_models::{NliModel, PairTokenizer};

pub use self::identity::ModelId;
pub(crate) use self::identity::{model_id, nli_id};
pub use self::label_scores::{ClassifierInput, LabelScores};
pub use self::pairs::{NliPair, NliResult, tokenize_pair};
use crate::error::{Error, Result};
use crate::schedule::{BATCH_TOKENS, Executor, Job, OnEvent, Outcome, OutcomeCache, QueueClient};

/// An NLI model and how it runs. A clone shares the model and the cache of its outcomes.
#[derive(Clone)]
pub struct Engine {
    pub(crate) model: Arc<NliModel>,
    pub(crate) cache: Arc<OutcomeCache>,
    pub(crate) queue: Option<QueueClient>,
    /// Tokens of a batch; none: as many as suit the processor.
    pub(crate) max_batch_tokens: Option<usize>,
    /// Pairs whose token ids are in memory together.
    pub(crate) pairs_in_flight: NonZeroUsize,
    /// Longest pair in tokens.
    pub(crate) max_tokens: usize,
}

impl Engine {
    /// The outcomes of pairs, in their order; none when `on_event` ends the work.
    ///
    /// # Errors
    /// A model that fails.
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

    /// Most tokens of a batch that is computed by [`Engine::in_turn`].
    pub(crate) fn batch_tokens(&self) -> usize {
        let usual = || self.queue.as_ref().map_or(BATCH_TOKENS, QueueClient::batch_tokens);
        self.max_batch_tokens.unwrap_or_else(usual)
    }

    /// Computes a batch of so many tokens, where several callers share the processors once it is this one's turn. None when
    /// `on_event` ends the wait for it.
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
