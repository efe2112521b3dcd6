//! The small model of a screen: it reads the sentences and runs of each claim before the judge does, if not all of them
//! can be kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use veridic_models::{NliModel, Probabilities, TextTokens, Truncation};

use crate::engine::{Engine, not_finite};
use crate::error::{Error, Result};
use crate::premises::{PremiseId, Premises, Waves};
use crate::rules::{Level, Screen};
use crate::schedule::{Event, Executor, Job, OnEvent, Outcome, OutcomeCache, Stage, poll};

/// Maximum tokens of a level's premises that the small model reads for a claim; beyond it, it reads those that share
/// the claim's rarest words. A document of 12,000 words is still read completely; without a limit, one of 300,000 words
/// takes a minute per claim.
const MAX_TOKENS: usize = 16_384;

/// A small NLI model, with the cache of its outcomes.
pub struct ScreenReader {
    pub(crate) model: NliModel,
    cache: OutcomeCache,
}

/// The small model's probabilities for the premises of one claim.
pub(crate) type Reading = HashMap<PremiseId, Probabilities>;

/// A claim whose premises are screened.
pub(crate) struct ScreenClaim<'c> {
    pub(crate) text: &'c str,
    /// Its tokens for the judge.
    pub(crate) tokens: &'c TextTokens,
    /// The premises that it may be compared with.
    pub(crate) waves: &'c Waves,
}

/// A premise that the small model reads for a claim.
pub(crate) struct ScreenRequest {
    /// The claim's place among those of the call.
    pub(crate) claim: usize,
    pub(crate) premise: PremiseId,
    job: Job,
}

impl ScreenReader {
    /// A reader with a model and a cache.
    pub(crate) fn new(model: NliModel, cache: OutcomeCache) -> Self {
        Self { model, cache }
    }

    /// The premises to read for some claims: the sentences and the runs of each, if not all of them are kept.
    ///
    /// # Errors
    /// When the tokenizer fails, or `on_event` stops the work.
    pub(crate) fn requests<'c>(
        &self,
        screen: Screen,
        premises: &Premises,
        claims: impl Iterator<Item = ScreenClaim<'c>>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<ScreenRequest>> {
        let (tokenizer, limit) = (self.model.tokenizer(), self.model.token_limit());
        let mut ids_of: HashMap<PremiseId, Vec<u32>> = HashMap::new();
        let mut reads = Vec::new();
        for (claim, ScreenClaim { text, tokens: own_tokens, waves }) in claims.enumerate() {
            poll(on_event)?;
            let hypothesis = tokenizer.hypothesis(text)?;
            for (level, ids) in waves {
                // Windows are ranked by their sentences.
                if *level == Level::Window || ids.len() <= screen.most(*level) {
                    continue;
                }
                for premise in most_overlapping(premises, ids, own_tokens) {
                    let ids = match ids_of.entry(premise) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(place) => {
                            place.insert(tokenizer.ids_within(&premises.text(premise), limit)?)
                        }
                    };
                    let job = tokenizer.pair(ids, &hypothesis.ids, limit, Truncation::LongestFirst)?;
                    reads.push(ScreenRequest { claim, premise, job });
                }
            }
        }
        Ok(reads)
    }

    /// The outcomes in the order of `reads`, or `None` when `on_event` stops the work. Batches are as large as
    /// those of the judge, and take turns with it if several callers share it.
    ///
    /// # Errors
    /// When the model fails.
    pub(crate) fn read(
        &self,
        reads: &[&ScreenRequest],
        judge: &Engine,
        on_event: &OnEvent<'_>,
    ) -> Result<Option<Vec<Outcome>>> {
        let executor = Executor::new(&self.model, judge.max_batch_tokens).with_cache(&self.cache);
        let executor = executor.with_turns_in(judge.queue.as_ref());
        let as_screening = |event: Event| on_event(as_screen_event(event));
        let mut outcomes = Vec::with_capacity(reads.len());
        for together in reads.chunks(judge.pairs_in_flight.get()) {
            let jobs: Vec<&Job> = together.iter().map(|read| &read.job).collect();
            let Some(computed) = executor.run(&jobs, &as_screening)? else { return Ok(None) };
            outcomes.extend(computed);
        }
        Ok(Some(outcomes))
    }

    /// The error for a claim, by its index, for which the model's outputs are not finite.
    pub(crate) fn not_finite(&self, claim: usize, text: &str) -> Error {
        not_finite(&self.model, claim, text)
    }
}

/// The premises that share the rarest words of a claim, up to the token limit, in document order.
fn most_overlapping(premises: &Premises, ids: &[PremiseId], claim: &TextTokens) -> Vec<PremiseId> {
    let tokens = |id: PremiseId| premises.get(id).tokens.len();
    if ids.iter().map(|id| tokens(*id)).sum::<usize>() <= MAX_TOKENS {
        return ids.to_vec();
    }
    let mut ranked: Vec<(f64, PremiseId)> =
        ids.iter().map(|id| (premises.overlap(*id, claim), *id)).collect();
    // A stable sort: ties keep the order of premises.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut read = 0;
    let fits = |(_, id): &(f64, PremiseId)| {
        read += tokens(*id);
        read <= MAX_TOKENS
    };
    let mut chosen: Vec<PremiseId> = ranked.into_iter().take_while(fits).map(|(_, id)| id).collect();
    chosen.sort_unstable();
    chosen
}

/// Converts an event of the executor to one of the screen.
fn as_screen_event(event: Event) -> Event {
    match event {
        Event::Computed { pairs, .. } => Event::Screened { pairs },
        Event::Reused { .. } => Event::Screened { pairs: 0 },
        Event::Spent { time, .. } => Event::Spent { stage: Stage::Screening, time },
        other @ (Event::Screened { .. } | Event::Poll) => other,
    }
}
