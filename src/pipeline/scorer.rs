//! The path of a pair, in the order in which it is gone: the texts are normalised, claims are extracted from the
//! summary, premises are made of the document, a screen chooses those that the judge reads of each claim, claims and
//! premises are aligned in rounds, claims and summary are judged, and the result is mapped back to the texts as given.
//!
//! Many pairs are in flight together so that batches are full. What is computed for a pair, and every bit of its result,
//! is the same as if it were alone.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;
use veridic_models::{NliModel, TokenClassifier};

use super::claim_events::{ClaimEvent, OnClaimEvent, report_judged};
use super::claims::{ClaimExtractor, Summary};
use super::in_flight::InFlightPair;
use super::input::Pair;
use super::reading::ReadPair;
use super::result::PairResult;
use super::rounds::stop;
use super::screen::ScreenReader;
use super::settings::Settings;
use super::stream::ReadDocument;
use crate::error::Result;
use crate::schedule::{Job, OnEvent, OutcomeCache, QueueClient, Stage, ignore_events, timed};

/// Judges summaries against their documents. A clone shares the model and the cache of its outcomes.
#[derive(Clone)]
pub struct Scorer {
    pub(super) model: Arc<NliModel>,
    pub(super) settings: Settings,
    pub(super) cache: Arc<OutcomeCache>,
    pub(super) queue: Option<QueueClient>,
    /// The small model of the screen, where its method has one.
    pub(super) screen_reader: Option<Arc<ScreenReader>>,
    /// What finds the unsupported words of claims in the place of the NLI model's own head.
    pub(super) token_classifier: Option<Arc<TokenClassifier>>,
    /// Whether the unsupported words of claims that are not supported are looked for.
    pub(super) finds_unsupported_words: bool,
    /// A document that was read before: pairs with it are judged against its premises.
    pub(super) document: Option<Arc<ReadDocument>>,
}

impl Scorer {
    /// Judges one pair.
    ///
    /// # Errors
    /// Texts that cannot be judged, a claim that is too long, a model that fails.
    pub fn score(&self, document: &str, summary: &str) -> Result<PairResult> {
        let mut results = self.score_batch(&[Pair::new(document, summary)], &ignore_events);
        results.swap_remove(0)
    }

    /// Judges pairs together. Results are in the pairs' order and the same as if each pair were alone. When `on_event`
    /// ends the work, pairs that are not decided are [`Error::Stopped`](crate::Error::Stopped).
    pub fn score_batch(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        self.score_given(&self.settings.claims, pairs, on_event, None)
    }

    /// Judges one pair and reports its claims once they are known, then each judgement as soon as it is final.
    ///
    /// # Errors
    /// As [`Scorer::score`], and [`Error::Stopped`](crate::Error::Stopped) when `on_event` ends the work.
    pub fn score_with_events(
        &self,
        pair: Pair<'_>,
        on_event: &OnEvent<'_>,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<PairResult> {
        self.score_given(&self.settings.claims, &[pair], on_event, Some(on_claim)).swap_remove(0)
    }

    /// [`Scorer::score_batch`] for the claims that come with the pairs, whatever the settings say about claims. Results
    /// have no unsupported words and do not say what the document says instead.
    pub fn score_given_claims(&self, pairs: &[Pair<'_>], on_event: &OnEvent<'_>) -> Vec<Result<PairResult>> {
        let mut scorer = Self { finds_unsupported_words: false, ..self.clone() };
        scorer.settings.rules.contrast = false;
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
        let read: Vec<ReadPair<'_>> = pairs.iter().map(ReadPair::of).collect();
        let pairs: Vec<Pair<'_>> = read.iter().map(ReadPair::pair).collect();
        let is_given = matches!(extractor, ClaimExtractor::Given);
        let relocated = on_claim
            .zip(read.first())
            .map(|(report, read)| move |event: ClaimEvent<'_>| report(read.relocated(event, is_given)));
        let on_claim = relocated.as_ref().map(|report| report as &OnClaimEvent<'_>);
        let mut results = self.score_read(extractor, &pairs, on_event, on_claim);
        self.add_citations(&read, &mut results, |judged| Some(judged), on_event);
        for (result, read) in results.iter_mut().zip(&read) {
            if let Ok(result) = result {
                read.relocate(result);
            }
        }
        results
    }

    /// Judges pairs together; when the model fails as a whole, one by one, so that only the pairs on which it fails are
    /// errors.
    fn score_read(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Vec<Result<PairResult>> {
        match self.score_together(extractor, pairs, on_event, on_claim) {
            Ok(results) => results,
            Err(error) if pairs.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |pair: &Pair<'_>| self.score_read(extractor, &[*pair], on_event, None);
                pairs.iter().flat_map(alone).collect()
            }
        }
    }

    /// The stations of the path.
    fn score_together(
        &self,
        extractor: &ClaimExtractor,
        pairs: &[Pair<'_>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Result<Vec<Result<PairResult>>> {
        let summaries: Vec<Summary<'_>> = pairs.iter().map(Summary::of).collect();
        let claims = timed(Stage::Claims, on_event, || extractor.extract_each(&summaries, on_event));
        if let Some(report) = on_claim {
            let extracted = claims.iter().flatten();
            extracted.for_each(|claims| report(ClaimEvent::Extracted(Cow::Borrowed(&claims.claims))));
        }
        let mut in_flight = timed(Stage::Premises, on_event, || self.prepare(pairs, claims, on_event));
        if self.choose_premises(&mut in_flight, on_event)?.is_continue() {
            self.align(&mut in_flight, on_event, on_claim)?;
        }
        Ok(in_flight.into_par_iter().map(|pair| self.judge(pair?)).collect())
    }

    /// Rounds: every claim that is not decided requests its next premises; those that are decided are judged; all
    /// requests are computed together, and every claim gets its outcomes.
    fn align(
        &self,
        in_flight: &mut [Result<InFlightPair<'_, '_>>],
        on_event: &OnEvent<'_>,
        on_claim: Option<&OnClaimEvent<'_>>,
    ) -> Result<()> {
        let executor = self.executor();
        loop {
            let requests = timed(self.request_stage(), on_event, || self.next_requests(in_flight));
            if self.judge_decided(in_flight, on_event)?.is_break() {
                stop(in_flight, &requests);
                return Ok(());
            }
            if let Some(report) = on_claim {
                in_flight.iter_mut().flatten().for_each(|pair| report_judged(pair, report));
            }
            if requests.is_empty() {
                return Ok(());
            }
            for together in requests.chunks(self.settings.pairs_in_flight.get()) {
                let requested = self.jobs(in_flight, together)?;
                let jobs: Vec<&Job> = requested.iter().map(|(_, job)| job).collect();
                let Some(outcomes) = executor.run(&jobs, on_event)? else {
                    stop(in_flight, &requests);
                    return Ok(());
                };
                for ((request, job), outcome) in requested.iter().zip(outcomes) {
                    self.record_outcome(&mut in_flight[request.pair], request, job.cut, outcome);
                }
            }
        }
    }
}
