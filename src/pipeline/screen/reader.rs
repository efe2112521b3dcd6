//! The small model of a screen: it reads each claim against all sentences, and against the runs where there are several,
//! before the judge reads anything.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use veridic_models::{NliModel, Probabilities, TextTokens, Truncation};

use super::method::Screen;
use crate::error::{Error, Result};
use crate::pipeline::align::PremiseId;
use crate::pipeline::in_flight::InFlightPair;
use crate::pipeline::profile::Level;
use crate::pipeline::provenance::scope_of;
use crate::pipeline::scorer::Scorer;
#[cfg(feature = "cache")]
use crate::schedule::score_cache::ScoreCache;
use crate::schedule::{Event, Executor, Job, OnEvent, OutcomeCache, Stage};

/// A small NLI model, with the cache of its outcomes.
pub struct ScreenReader {
    pub(in crate::pipeline) model: Arc<NliModel>,
    cache: OutcomeCache,
    #[cfg_attr(
        not(feature = "cache"),
        expect(dead_code, reason = "a score cache is joined to a new cache of this size")
    )]
    cache_bytes: usize,
}

#[doc(hidden)]
impl ScreenReader {
    /// A reader with a cache of about `cache_bytes` in memory.
    #[must_use]
    pub fn new(model: NliModel, cache_bytes: usize) -> Self {
        Self { model: Arc::new(model), cache: OutcomeCache::new(cache_bytes), cache_bytes }
    }

    /// The reader with scores of earlier runs. The cache must have been opened with [`ScreenReader::scope`].
    #[cfg(feature = "cache")]
    #[must_use]
    pub fn with_score_cache(self, score_cache: ScoreCache) -> Self {
        Self { cache: OutcomeCache::new(self.cache_bytes).with_score_cache(score_cache), ..self }
    }

    /// A digest of everything except its tokens that a pair's probabilities depend on.
    #[must_use]
    pub fn scope(&self) -> [u8; 32] {
        scope_of(&self.model)
    }
}

/// What the small model made of the premises that it read of one claim.
pub(in crate::pipeline) type Reading = HashMap<PremiseId, Probabilities>;

/// A premise that the small model reads.
struct Reads {
    pair: usize,
    claim: usize,
    premise: PremiseId,
    job: Job,
}

impl Scorer {
    /// What the small model makes of the premises of each claim of each pair; none when `on_event` ends the work. A pair
    /// for which its outputs are not finite becomes that error.
    ///
    /// # Errors
    /// A model that fails.
    pub(super) fn read_premises(
        &self,
        reader: &ScreenReader,
        screen: Screen,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
    ) -> Result<Option<Vec<Vec<Reading>>>> {
        let reads = in_flight.par_iter().flatten().map(|pair| self.reads(reader, screen, pair));
        let reads: Vec<Reads> = reads.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let claims = |pair: &Result<InFlightPair<'_, '_>>| pair.as_ref().map_or(0, |pair| pair.claims.len());
        let mut readings: Vec<Vec<Reading>> =
            in_flight.iter().map(|pair| vec![Reading::new(); claims(pair)]).collect();
        let executor = Executor::new(&reader.model, self.settings.max_batch_tokens).with_cache(&reader.cache);
        let as_screening = |event: Event| on_event(of_screen(event));
        for together in reads.chunks(self.settings.pairs_in_flight.get()) {
            let jobs: Vec<&Job> = together.iter().map(|read| &read.job).collect();
            let Some(outcomes) = executor.run(&jobs, &as_screening)? else { return Ok(None) };
            for (Reads { pair, claim, premise, .. }, outcome) in together.iter().zip(outcomes) {
                let Ok(of_pair) = &mut in_flight[*pair] else { continue };
                of_pair.screen_pairs += 1;
                match outcome {
                    Some(probabilities) => {
                        readings[*pair][*claim].insert(*premise, probabilities);
                    }
                    None => {
                        let (file, text) = (
                            reader.model.weights_file().to_owned(),
                            of_pair.claims[*claim].claim.text.clone(),
                        );
                        in_flight[*pair] = Err(Error::NotFinite { file, claim: claim + 1, text });
                    }
                }
            }
        }
        Ok(Some(readings))
    }

    /// The premises of a pair that the small model reads: those of which not all are kept.
    fn reads(
        &self,
        reader: &ScreenReader,
        screen: Screen,
        pair: &InFlightPair<'_, '_>,
    ) -> Result<Vec<Reads>> {
        let tokenizer = reader.model.tokenizer();
        let mut tokens: HashMap<PremiseId, TextTokens> = HashMap::new();
        let mut reads = Vec::new();
        for (claim, in_flight) in pair.claims.iter().enumerate() {
            let hypothesis = tokenizer.hypothesis(&in_flight.claim.text)?;
            for (level, premises) in in_flight.alignment.waves() {
                let is_read = match level {
                    // Windows are ranked by their sentences, so sentences are read where windows are left out too.
                    Level::Sentence => premises.len() > screen.most(Level::Window),
                    Level::Document => premises.len() > screen.most(*level),
                    _ => false,
                };
                for &premise in premises.iter().filter(|_| is_read) {
                    if !tokens.contains_key(&premise) {
                        tokens.insert(premise, tokenizer.text(pair.premises.text(premise))?);
                    }
                    let limit = reader.model.token_limit();
                    let job =
                        tokenizer.pair(&tokens[&premise], &hypothesis, limit, Truncation::LongestFirst)?;
                    reads.push(Reads { pair: pair.index, claim, premise, job });
                }
            }
        }
        Ok(reads)
    }
}

/// The event of a screen for one of the judge.
fn of_screen(event: Event) -> Event {
    match event {
        Event::Computed { pairs, .. } => Event::Screened { pairs },
        Event::Reused { .. } => Event::Screened { pairs: 0 },
        Event::Spent { time, .. } => Event::Spent { stage: Stage::Screening, time },
        screened @ Event::Screened { .. } => screened,
    }
}
