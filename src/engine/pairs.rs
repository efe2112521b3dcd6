//! NLI of plain (premise, hypothesis) pairs, for evaluators that judge no claims, with the same model, scheduler and
//! caches.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use veridic_models::{ModelError, NliModel, Probabilities, Truncation};

use super::batches::Engine;
use crate::error::{Error, Result};
use crate::schedule::{Job, OnEvent, PREPARED_AT_ONCE, poll};
use crate::text::NormalizedText;

/// A premise and a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NliPair<'t> {
    /// The text that should support the hypothesis.
    pub premise: &'t str,
    /// The statement to be supported.
    pub hypothesis: &'t str,
}

/// The model's output for a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NliResult {
    /// The probabilities.
    pub probabilities: Probabilities,
    /// Whether the premise was truncated to the token limit.
    pub is_cut: bool,
}

impl Engine {
    /// Returns the model's outputs in the order of `pairs`; equal pairs are computed once. A pair over the token limit
    /// is truncated according to `truncation`, or its result is an error.
    ///
    /// # Errors
    /// When the model fails, and [`Error::Stopped`] when `on_event` stops the work.
    pub fn classify_each(
        &self,
        pairs: &[NliPair<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Result<NliResult>>> {
        let mut results = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(self.pairs_in_flight.get()) {
            let tokenized = self.tokenize(pairs, truncation, on_event)?;
            // One outcome for each pair that was tokenized.
            let jobs: Vec<&Job> = tokenized.iter().flatten().collect();
            let mut outcomes = self.run(&jobs, on_event)?.ok_or(Error::Stopped)?.into_iter();
            let result = |(pair, job): (&NliPair<'_>, veridic_models::Result<Job>)| {
                let is_cut = job?.cut;
                let probabilities = outcomes.next().flatten();
                let probabilities = probabilities.ok_or_else(|| self.not_finite(0, pair.hypothesis))?;
                Ok(NliResult { probabilities, is_cut })
            };
            results.extend(pairs.iter().zip(tokenized).map(result));
        }
        Ok(results)
    }

    /// Tokenizes the pairs, each distinct text once.
    pub(super) fn tokenize(
        &self,
        pairs: &[NliPair<'_>],
        truncation: Truncation,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<veridic_models::Result<Job>>> {
        let tokenizer = self.model.tokenizer();
        let (premises, hypotheses) =
            (pairs.iter().map(|pair| pair.premise), pairs.iter().map(|pair| pair.hypothesis));
        let premises = ids(premises, |text| tokenizer.ids_within(text, usize::MAX), on_event)?;
        let hypotheses = ids(hypotheses, |text| Ok(tokenizer.hypothesis(text)?.ids), on_event)?;
        let limit = self.max_tokens;
        let job = |pair: &NliPair<'_>| {
            let (premise, hypothesis) = (&premises[pair.premise], &hypotheses[pair.hypothesis]);
            tokenizer.pair(premise, hypothesis, limit, truncation)
        };
        Ok(pairs.par_iter().with_min_len(PREPARED_AT_ONCE).map(job).collect())
    }
}

/// Tokenizes a pair, within the model's token limit and `max_tokens`.
///
/// # Errors
/// [`ModelError::TooLong`] unless `truncation` cuts it.
pub fn tokenize_pair(
    model: &NliModel,
    pair: NliPair<'_>,
    max_tokens: Option<usize>,
    truncation: Truncation,
) -> std::result::Result<Job, ModelError> {
    let limit = max_tokens.map_or(model.token_limit(), |given| given.min(model.token_limit()));
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (NormalizedText::of(pair.premise), NormalizedText::of(pair.hypothesis));
    let (premise, hypothesis) =
        (tokenizer.ids_within(premise.text(), usize::MAX)?, tokenizer.hypothesis(hypothesis.text())?);
    tokenizer.pair(&premise, &hypothesis.ids, limit, truncation)
}

/// Normalises and tokenizes each distinct text; [`Error::Stopped`] when `on_event` stops the work.
pub(super) fn ids<'t>(
    texts: impl Iterator<Item = &'t str>,
    tokenize: impl Fn(&str) -> veridic_models::Result<Vec<u32>> + Sync,
    on_event: &OnEvent<'_>,
) -> Result<HashMap<&'t str, Vec<u32>>> {
    let distinct: Vec<&str> = texts.collect::<HashSet<_>>().into_iter().collect();
    let ids = |text| {
        poll(on_event)?;
        Ok((text, tokenize(NormalizedText::of(text).text())?))
    };
    distinct.into_par_iter().with_min_len(PREPARED_AT_ONCE).map(ids).collect()
}
