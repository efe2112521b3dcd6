//! The small model of a screen: before the judge reads anything, it reads each claim against all sentences and runs of
//! which not all can be kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rayon::prelude::*;
use veridic_models::{NliModel, Probabilities, TextTokens, Truncation};

use crate::rules::Screen;
use crate::error::{Error, Result};
use crate::pipeline::align::PremiseId;
use crate::pipeline::in_flight::InFlightPair;
use crate::rules::Level;
use crate::pipeline::scorer::Scorer;
use crate::schedule::{Event, Executor, Job, OnEvent, OutcomeCache, Stage, poll};

/// A small NLI model, with the cache of its outcomes.
pub struct ScreenReader {
    pub(in crate::pipeline) model: NliModel,
    cache: OutcomeCache,
}

impl ScreenReader {
    /// A reader. The score cache of `cache`, if it has one, must have been opened with the scope of the model.
    pub(crate) fn new(model: NliModel, cache: OutcomeCache) -> Self {
        Self { model, cache }
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
        let reads = in_flight.par_iter().flatten().map(|pair| self.reads(reader, screen, pair, on_event));
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

    /// What the small model reads of a pair: the sentences and the runs of each claim, where not all of them are kept.
    fn reads(
        &self,
        reader: &ScreenReader,
        screen: Screen,
        pair: &InFlightPair<'_, '_>,
        on_event: &OnEvent<'_>,
    ) -> Result<Vec<Reads>> {
        let tokenizer = reader.model.tokenizer();
        let mut tokens: HashMap<PremiseId, TextTokens> = HashMap::new();
        let mut reads = Vec::new();
        for (claim, in_flight) in pair.claims.iter().enumerate() {
            poll(on_event)?;
            let hypothesis = tokenizer.hypothesis(&in_flight.claim.text)?;
            for (level, premises) in in_flight.alignment.waves() {
                // Windows are ranked by their sentences.
                if *level == Level::Window || premises.len() <= screen.most(*level) {
                    continue;
                }
                for &premise in premises {
                    let tokens = match tokens.entry(premise) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(place) => place.insert(tokenizer.text(pair.premises.text(premise))?),
                    };
                    let limit = reader.model.token_limit();
                    let job = tokenizer.pair(tokens, &hypothesis, limit, Truncation::LongestFirst)?;
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
        other @ (Event::Screened { .. } | Event::Poll) => other,
    }
}
