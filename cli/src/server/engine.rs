//! Judges requests with the scorers that the command line describes, which share one model queue. A request that fails, even
//! by a panic, does not affect others.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::HeaderMap;
use serde::Serialize;
use serde_json::value::RawValue;
use veridic_models::{Probabilities, Truncation};

use super::compatible::{
    self, AlignScoreRequest, AlignScoreResponse, PredictRequest, Prediction, from_zero_to_one, predictions,
};
use super::error::{ErrorCode, RequestError};
use super::metrics::ServerMetrics;
use super::request::{ClaimsRequest, NliRequest, ScoreRequest};
use super::request_state::RequestState;
use super::stop::StopSignal;
use crate::show::RowClaims;
use crate::telemetry::{Judged, Span, Telemetry};
use veridic::corpus::Fields;
use veridic::pipeline::{ClaimExtractor, NliPair, OnClaimEvent};
use veridic::result::{Models, PairResult, ProfileStamp};
use veridic::rules::ClaimsChoice;
use veridic::schedule::{BatchStats, Event, ModelQueue, OnEvent, Stage};
use veridic::{Error, JudgedSentence, Pair, ScoreStream, Scorer, Sources, notes};

/// The scorers of a server, with its telemetry and log.
pub(crate) struct Scorers {
    /// Scores requests without claims.
    pub(crate) own: Scorer,
    /// Scores requests with given claims.
    pub(crate) given: Scorer,
    /// Receives the outcome of every row.
    pub(crate) telemetry: Telemetry,
    /// Logs the server's own failures.
    pub(crate) log: fn(&str),
}

/// The scorers and the metrics of their work.
pub(super) struct Engine {
    scorers: Scorers,
    metrics: Arc<ServerMetrics>,
    stop: StopSignal,
}

/// The response of `/v1/models`.
#[derive(Serialize)]
pub(super) struct ModelsResponse {
    version: &'static str,
    max_tokens: usize,
    profile: ProfileStamp,
    models: Models,
}

/// What was found for a row, between its id and its other fields, as in a row of `run`'s output.
#[derive(Serialize)]
struct Answer<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    found: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a Fields>,
}

impl<'a> Answer<'a, PairResult> {
    fn of(row: &'a ScoreRequest, result: &'a PairResult) -> Self {
        Self { id: row.id.as_deref(), found: result, input: row.input.as_ref() }
    }
}

impl Engine {
    pub(super) fn new(scorers: Scorers, metrics: Arc<ServerMetrics>, stop: StopSignal) -> Self {
        Self { scorers, metrics, stop }
    }

    /// Computes the batches of the model queue until it is closed.
    pub(super) fn compute(&self, queue: &ModelQueue) {
        let scorer = &self.scorers.own;
        let on_batch = |batch: BatchStats| self.metrics.batch(&batch);
        queue.serve(scorer.model(), scorer.settings().max_batch_tokens, &on_batch);
    }

    /// Returns the note on the judging model, for the page.
    pub(super) fn judged_by(&self) -> String {
        let nli = self.scorers.own.models().nli;
        notes::judged_by(&nli.id, &nli.sha256)
    }

    /// Returns the span of a request.
    pub(super) fn request_span(&self, route: &'static str, headers: &HeaderMap) -> Span {
        self.scorers.telemetry.request(route, headers)
    }

    /// Judges rows together; returns results in the same order.
    pub(super) fn score(
        &self,
        rows: &[ScoreRequest],
        state: &RequestState,
        deadline: Instant,
    ) -> Vec<Result<String, RequestError>> {
        let [mut own, mut given] = [false, true].map(|with_claims| {
            let pairs = rows.iter().filter(|row| row.claims.is_some() == with_claims).map(ScoreRequest::pair);
            self.judge_pairs(&pairs.collect::<Vec<_>>(), with_claims, state, deadline).into_iter()
        });
        let result_of = |row: &ScoreRequest| {
            let result = if row.claims.is_some() { given.next() } else { own.next() };
            let result = result.unwrap_or_else(|| Err(RequestError::internal()));
            self.tell(state, row.id.as_deref(), result.as_ref());
            json(&Answer::of(row, &result.map_err(|error| row.named(error))?))
        };
        let results: Vec<_> = rows.iter().map(result_of).collect();
        results.iter().for_each(|result| self.metrics.row(result.is_ok()));
        results
    }

    /// Judges a row and passes each claim to `on_claim` once it is decided. Returns the result with its notes.
    pub(super) fn watch(
        &self,
        row: &ScoreRequest,
        state: &RequestState,
        deadline: Instant,
        on_claim: &OnClaimEvent,
    ) -> Result<(String, Vec<String>), RequestError> {
        let scorer = self.scorer(row.claims.is_some(), state);
        let judge = |on_event: &OnEvent<'_>| scorer.score_with_events(row.pair(), on_event, on_claim);
        let result = self.supervised(state, deadline, judge);
        let result = result.and_then(|result| result.map_err(|error| self.request_error(&error)));
        self.tell(state, row.id.as_deref(), result.as_ref());
        let result = result.map_err(|error| row.named(error)).and_then(|result| {
            let notes = notes::of_result(&result);
            Ok((json(&Answer::of(row, &result))?, notes))
        });
        self.metrics.row(result.is_ok());
        result
    }

    /// Reads the document of a text that is still being written.
    pub(super) fn stream(
        &self,
        document: &str,
        sources: Option<Sources>,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<ScoreStream, RequestError> {
        let scorer = &self.scorers.own;
        let begin = |on_event: &OnEvent<'_>| scorer.stream_until(document, sources.clone(), on_event);
        let stream = self.supervised(state, deadline, begin)?;
        stream.map_err(|error| self.request_error(&error))
    }

    /// Judges the completed sentences of a stream.
    pub(super) fn judge(
        &self,
        mut stream: ScoreStream,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<(ScoreStream, Vec<JudgedSentence>), RequestError> {
        stream.set_queue(state.queue_client.clone());
        let judged = self.supervised(state, deadline, |on_event| stream.push("", on_event))?;
        let judged = judged.map_err(|error| self.request_error(&error))?;
        Ok((stream, judged))
    }

    /// Judges the rest of a stream, then the whole text.
    pub(super) fn finish(
        &self,
        mut stream: ScoreStream,
        id: Option<&RawValue>,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<(Vec<JudgedSentence>, PairResult), RequestError> {
        stream.set_queue(state.queue_client.clone());
        let result = self.supervised(state, deadline, |on_event| stream.finish(on_event))?;
        let result = result.map_err(|error| self.request_error(&error));
        self.tell(state, id, result.as_ref().map(|(_, result)| result));
        self.metrics.row(result.is_ok());
        result
    }

    /// Extracts the claims of a summary.
    pub(super) fn claims(
        &self,
        request: &ClaimsRequest,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<String, RequestError> {
        let settings = self.scorers.own.settings();
        let extractor = if request.claims.is_some() { &ClaimExtractor::Given } else { &settings.claims };
        let summary = request.summary().with_layout(settings.rules.layout);
        let claims = self.supervised(state, deadline, |on_event| {
            extractor.extract_each(&[summary], on_event).swap_remove(0)
        })?;
        let claims = claims.map_err(|error| self.request_error(&error))?;
        let claims = RowClaims { id: request.id.as_deref(), claims: claims.records(&request.summary) };
        json(&Answer { id: None, found: &claims, input: request.input.as_ref() })
    }

    /// Computes the model's probabilities of raw pairs.
    pub(super) fn nli(
        &self,
        pairs: &[NliRequest],
        state: &RequestState,
        deadline: Instant,
    ) -> Result<Vec<Probabilities>, RequestError> {
        let scorer = self.scorer(false, state);
        let mut results: Vec<Option<Probabilities>> = vec![None; pairs.len()];
        for truncation in [Truncation::Refuse, Truncation::LongestFirst, Truncation::Premise] {
            let places = (0..pairs.len()).filter(|&place| pairs[place].truncation == truncation);
            let places: Vec<usize> = places.collect();
            let questions: Vec<NliPair<'_>> = places.iter().map(|&place| pairs[place].question()).collect();
            let ask = self.supervised(state, deadline, |on_event| {
                scorer.classify_each(&questions, truncation, on_event)
            });
            let answers = ask?.map_err(|error| self.request_error(&error))?;
            for (place, answer) in places.into_iter().zip(answers) {
                let of_pair = |error: RequestError| if pairs.len() > 1 { error.of_row(place) } else { error };
                let answer = answer.map_err(|error| of_pair(self.request_error(&error)))?;
                results[place] = Some(answer.probabilities);
            }
        }
        results.into_iter().map(|result| result.ok_or_else(RequestError::internal)).collect()
    }

    /// Returns the score of a claim given its evidence, as AlignScore's users expect it: the claim's sentences are judged,
    /// whatever the server's settings for claims are.
    pub(super) fn align_score(
        &self,
        request: &AlignScoreRequest,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<AlignScoreResponse, RequestError> {
        let scorer = self.scorer(false, state);
        let settings = scorer.settings().clone().taking(ClaimExtractor::Sentence, ClaimsChoice::Sentence);
        let is_signed = !settings.rules.scores_are_probabilities();
        let scorer = scorer.with_settings(settings);
        let judge = |on_event: &OnEvent<'_>| scorer.score_batch(&[request.pair()], on_event).pop();
        let result = self.supervised(state, deadline, judge).and_then(|result| {
            let result = result.ok_or_else(RequestError::internal)?;
            result.map_err(|error| self.request_error(&error).renamed(&compatible::FIELDS))
        });
        self.tell(state, None, result.as_ref());
        self.metrics.row(result.is_ok());
        Ok(from_zero_to_one(result?.score, is_signed))
    }

    /// Returns the model's outputs for each input, highest first.
    pub(super) fn predict(
        &self,
        request: &PredictRequest,
        state: &RequestState,
        deadline: Instant,
    ) -> Result<Vec<Vec<Prediction>>, RequestError> {
        let (scorer, inputs) = (self.scorer(false, state), request.inputs());
        let scores = self.supervised(state, deadline, |on_event| {
            scorer.label_scores(&inputs, request.scores, request.truncation, on_event)
        })?;
        let labels = scorer.model().labels().names();
        let mut outputs = Vec::new();
        for (number, scores) in scores.map_err(|error| self.request_error(&error))?.into_iter().enumerate() {
            let scores = scores.map_err(|error| self.request_error(&error).at(&request.field(number)))?;
            outputs.push(predictions(labels, scores));
        }
        Ok(outputs)
    }

    pub(super) fn models(&self) -> ModelsResponse {
        let scorer = &self.scorers.own;
        let profile = scorer.stamp();
        ModelsResponse {
            version: env!("CARGO_PKG_VERSION"),
            max_tokens: profile.rules.max_tokens,
            profile,
            models: scorer.models(),
        }
    }

    fn judge_pairs(
        &self,
        pairs: &[Pair<'_>],
        with_claims: bool,
        state: &RequestState,
        deadline: Instant,
    ) -> Vec<Result<PairResult, RequestError>> {
        if pairs.is_empty() {
            return Vec::new();
        }
        let scorer = self.scorer(with_claims, state);
        match self.supervised(state, deadline, |on_event| scorer.score_batch(pairs, on_event)) {
            Ok(results) => {
                results.into_iter().map(|result| result.map_err(|error| self.request_error(&error))).collect()
            }
            // One pair made the scorer panic: judge each separately, so that the others get their results.
            Err(error) if error.code() == ErrorCode::Internal && pairs.len() > 1 => {
                let alone = |pair: &Pair<'_>| self.judge_pairs(&[*pair], with_claims, state, deadline);
                pairs.iter().flat_map(alone).collect()
            }
            Err(error) => vec![Err(error); pairs.len()],
        }
    }

    fn scorer(&self, with_claims: bool, state: &RequestState) -> Scorer {
        let Scorers { own, given, .. } = &self.scorers;
        let scorer = if with_claims { given } else { own };
        scorer.clone().with_queue(state.queue_client.clone())
    }

    /// Runs work that stops when the client leaves, the deadline passes or the server stops.
    fn supervised<T>(
        &self,
        state: &RequestState,
        deadline: Instant,
        work: impl FnOnce(&OnEvent<'_>) -> T,
    ) -> Result<T, RequestError> {
        let is_over = || state.is_abandoned() || Instant::now() > deadline || self.stop.is_over();
        if is_over() {
            return Err(self.request_error(&Error::Stopped));
        }
        let spent: Mutex<BTreeMap<Stage, Duration>> = Mutex::default();
        let on_event = |event: Event| {
            match event {
                Event::Spent { stage, time } => {
                    let mut spent = spent.lock().unwrap_or_else(PoisonError::into_inner);
                    *spent.entry(stage).or_default() += time;
                }
                Event::Reused { pairs } => self.metrics.reused(pairs),
                _ => {}
            }
            if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // The panic hook has already printed the panic.
        let done = catch_unwind(AssertUnwindSafe(|| work(&on_event))).map_err(|_| RequestError::internal());
        for (stage, time) in spent.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.metrics.stage(stage, time);
        }
        done
    }

    /// Reports the outcome of a row to telemetry.
    fn tell(&self, state: &RequestState, id: Option<&RawValue>, result: Result<&PairResult, &RequestError>) {
        let result = result.map_err(|error| error.code().name());
        self.scorers.telemetry.judged(&state.span, &Judged { id: id.map(RawValue::get), result });
    }

    /// Converts an error to what the client sees; the server's own failures are logged.
    fn request_error(&self, error: &Error) -> RequestError {
        if matches!(error, Error::Stopped) && self.stop.is_over() {
            return RequestError::stopping();
        }
        let request_error = RequestError::of(error);
        if request_error.code() == ErrorCode::Internal {
            (self.scorers.log)(&format!("veridic: {error}"));
        }
        request_error
    }
}

pub(super) fn json(value: &impl Serialize) -> Result<String, RequestError> {
    serde_json::to_string(value).map_err(|_| RequestError::internal())
}
