//! The path of a pair, step by step: the texts are normalised, claims are extracted from the summary, the document is
//! split into premises, a screen chooses those that the judge reads for each claim, claims and premises are aligned in
//! rounds, claims and summary are judged, and the result is mapped back to the texts as given.
//!
//! Many pairs are in flight at a time so that batches are full. The computations for a pair, and every bit of its
//! result, are the same as if it were alone.

mod citations;
mod events;
mod in_flight;
mod joined;
mod judge;
mod prepare;
mod reading;
mod rounds;
mod screening;
mod settings;
mod setup;
mod stream;

use std::sync::Arc;

use rayon::prelude::*;
use veridic_models::TokenClassifier;

pub use self::events::{ClaimEvent, FoundPart, OnClaimEvent};
use self::events::{found_parts, report_judged};
use self::in_flight::InFlightPair;
use self::judge::{Judge, Origin};
use self::prepare::{Preparation, Reading};
pub use self::reading::ReadPair;
use self::rounds::{Rounds, stop};
use self::screening::choose_premises;
pub use self::settings::Settings;
use self::stream::ReadDocument;
pub use self::stream::{JudgedSentence, ScoreStream};
use crate::claims::{ClaimExtractor, Summary};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::findings::words::WordMarker;
use crate::input::Pair;
use crate::result::PairResult;
use crate::rules::Level;
use crate::schedule::{Job, OnEvent, Stage, ignore_events, timed};
use crate::screen::ScreenReader;

/// Judges summaries against their documents. A clone shares the model and the cache of its outcomes.
#[derive(Clone)]
pub struct Scorer {
    engine: Engine,
    settings: Settings,
    /// The small model of the screen, if its method uses one.
    screen_reader: Option<Arc<ScreenReader>>,
    /// Finds the unsupported words of claims instead of the NLI model's own head.
    token_classifier: Option<Arc<TokenClassifier>>,
    /// Whether to find the unsupported words of claims that are not supported.
    finds_unsupported_words: bool,
    /// Whether to look for what the document says instead, if the rules say so.
    asks_instead: bool,
    /// A document that was read before; pairs with this document reuse its premises.
    document: Option<Arc<ReadDocument>>,
}

impl Scorer {
    /// Judges one pair.
    ///
    /// # Errors
    /// When a text cannot be judged, a claim is too long, or the model fails.
    pub fn score(&self, document: &str, summary: &str) -> Result<PairResult> {
        let mut results = self.score_batch(&[Pair::new(document, summary)], &ignore_events);
        results.swap_remove(0)
    }

    /// Judges pairs together. Results are in the order of the pairs and the same as if each pair were alone. When
    /// `on_event` stops the work, pairs that are not decided are [`Error::Stopped`](crate::Error::Stopped).
    pub fn score_batch(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        self.score_given(&self.settings.claims, pairs, on_event, None)
    }

    /// Judges one pair and reports its claims once they are known, then each judgement as soon as it is final.
    ///
    /// # Errors
    /// As [`Scorer::score`], and [`Error::Stopped`](crate::Error::Stopped) when `on_event` stops the work.
    pub fn score_with_events(
        &self,
        pair: Pair<'_>,
        on_event: &OnEvent<'_>,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<PairResult> {
        self.score_given(&self.settings.claims, &[pair], on_event, Some(on_claim)).swap_remove(0)
    }

    /// As [`Scorer::score_batch`], for the claims that come with the pairs, regardless of the setting `claims`. Results
    /// contain neither unsupported words nor what the document says instead.
    pub fn score_given_claims(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        let scorer = Self { finds_unsupported_words: false, asks_instead: false, ..self.clone() };
        scorer.score_given(&ClaimExtractor::Given, pairs, on_event, None)
    }

    /// Normalises the texts, judges them, checks citations, and maps the results back to the texts as given.
    pub(super) fn score_given(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Vec<Result<PairResult>> {
        let layout = self.settings.rules.layout;
        let read: Vec<ReadPair<'_>> = pairs.iter().map(|pair| ReadPair::of(pair, layout)).collect();
        let readings: Vec<Reading<'_>> = read.iter().map(Reading::of).collect();
        let is_given = matches!(extractor, ClaimExtractor::Given);
        let relocated = on_claim
            .zip(read.first())
            .map(|(report, read)| move |event: ClaimEvent| report(read.relocated(event, is_given)));
        let on_claim = relocated.as_ref().map(|report| report as &OnClaimEvent<'_>);
        let mut results = self.score_read(extractor, &readings, on_event, on_claim);
        self.join_sources(&readings, &mut results, on_event);
        self.add_citations(&read, &mut results, |judged| Some(judged), on_event);
        for (result, read) in results.iter_mut().zip(&read) {
            if let Ok(result) = result {
                read.relocate(result);
            }
        }
        results
    }

    /// Judges pairs together. If the model fails, judges them one by one, so that only the pairs on which it fails are
    /// errors.
    fn score_read(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Reading<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Vec<Result<PairResult>> {
        match self.score_together(extractor, pairs, on_event, on_claim) {
            Ok(results) => results,
            Err(error) if pairs.len() == 1 => vec![Err(error)],
            Err(Error::Stopped) => pairs.iter().map(|_| Err(Error::Stopped)).collect(),
            Err(_) => {
                let alone = |pair: &Reading<'_>| self.score_read(extractor, &[*pair], on_event, None);
                pairs.iter().flat_map(alone).collect()
            }
        }
    }

    /// The path from the normalised texts to their results: steps 2 to 9 of ARCHITECTURE.md.
    fn score_together(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Reading<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Result<Vec<Result<PairResult>>> {
        let summaries: Vec<Summary<'_>> = pairs.iter().map(Reading::summary).collect();
        let claims = timed(Stage::Claims, on_event, || extractor.extract_each(&summaries, on_event));
        if let Some(report) = on_claim {
            for (claims, pair) in claims.iter().zip(pairs) {
                let found = claims.as_ref().map(|claims| found_parts(pair.pair.summary, claims));
                found.into_iter().for_each(|found| report(ClaimEvent::Extracted(found)));
            }
        }
        let preparation = self.preparation();
        let mut in_flight = timed(Stage::Premises, on_event, || preparation.prepare(pairs, claims, on_event));
        let reader = self.screen_reader.as_deref();
        let with = (&self.engine, &self.settings.rules);
        let judge = self.judge();
        if choose_premises(with, reader, &mut in_flight, on_event)?.is_continue() {
            self.align(&judge, &mut in_flight, on_event, on_claim)?;
        }
        let origin = Origin { limits: self.limits(), profile: self.stamp(), models: self.models() };
        Ok(in_flight.into_par_iter().map(|pair| judge.judge(pair?, &origin)).collect())
    }

    /// Prepares pairs with this scorer's engine and rules.
    fn preparation(&self) -> Preparation<'_> {
        Preparation { engine: &self.engine, rules: &self.settings.rules, known: self.document.as_deref() }
    }

    /// Judges claims with this scorer's engine and rules.
    fn judge(&self) -> Judge<'_> {
        let (engine, rules) = (&self.engine, &self.settings.rules);
        let marker = WordMarker { engine, rules, classifier: self.token_classifier.as_deref() };
        Judge {
            engine,
            rules,
            asks_instead: self.asks_instead,
            words: self.finds_unsupported_words.then_some(marker),
        }
    }

    /// Aligns in rounds: every undecided claim requests its next premises, decided claims are judged, all requests are
    /// computed together, and every claim gets its outcomes.
    fn align(
        &self,
        judge: &Judge<'_>,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Result<()> {
        let Settings { rules, coref, pairs_in_flight, .. } = &self.settings;
        let rounds = Rounds { engine: &self.engine, rules, coref };
        let stage = if rules.has(Level::Coref) { Stage::Coreference } else { Stage::Other };
        loop {
            let requests = timed(stage, on_event, || rounds.next_requests(in_flight, on_event));
            if judge.judge_decided(in_flight, on_event)?.is_break() {
                stop(in_flight, &requests);
                return Ok(());
            }
            if let Some(report) = on_claim {
                in_flight.iter_mut().flatten().for_each(|pair| report_judged(pair, report));
            }
            if requests.is_empty() {
                return Ok(());
            }
            for together in requests.chunks(pairs_in_flight.get()) {
                let requested = rounds.jobs(in_flight, together)?;
                let jobs: Vec<&Job> = requested.iter().map(|(_, job)| job).collect();
                let Some(outcomes) = self.engine.run(&jobs, on_event)? else {
                    stop(in_flight, &requests);
                    return Ok(());
                };
                for ((request, job), outcome) in requested.iter().zip(outcomes) {
                    rounds.record_outcome(&mut in_flight[request.pair], request, job.cut, outcome);
                }
            }
        }
    }
}
