//! What judges: the evaluator that the command line describes, asked by many requests through one queue. A request
//! that fails, even by a panic, fails alone.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::value::RawValue;
use veridic_models::{Probabilities, Truncation};

use super::line::Ticket;
use super::metrics::ServerMetrics;
use super::refusal::{Code, Refusal};
use super::request::{ClaimsRequest, NliRequest, ScoreRequest};
use veridic::Error;
use veridic::metrics::{Evaluation, Evaluator};
use veridic::notes;
use veridic::pipeline::{
    ClaimExtractor, ClaimRecord, Models, NliPair, OnClaimEvent, Pair, ProfileStamp, Scorer, Summary,
};
use veridic::schedule::{BatchStats, Event, ModelQueue, OnEvent, Stage};

/// What a server judges with.
pub struct Engine {
    /// For requests that bring no claims.
    pub own: Evaluator,
    /// For requests that bring their claims.
    pub given: Evaluator,
    /// Whether metrics beside the claims are measured.
    pub measures: bool,
    /// Is told what goes wrong with the server itself.
    pub log: fn(&str),
}

/// The engine and what watches it.
pub(super) struct Judge {
    engine: Engine,
    metrics: Arc<ServerMetrics>,
}

/// A request's claims, as `veridic claims --format json` has them.
#[derive(Serialize)]
struct RowClaims<'r> {
    id: Option<&'r RawValue>,
    claims: Vec<ClaimRecord<'r>>,
}

/// What the server judges with, for clients.
#[derive(Serialize)]
pub(super) struct ToldModels {
    version: &'static str,
    metrics: Vec<String>,
    max_tokens: usize,
    profile: ProfileStamp,
    models: Models,
}

impl Judge {
    pub(super) fn new(engine: Engine, metrics: Arc<ServerMetrics>) -> Self {
        Self { engine, metrics }
    }

    /// Computes what requests ask the model for, until the queue is closed.
    pub(super) fn compute(&self, queue: &ModelQueue) {
        let scorer = self.engine.own.scorer();
        let on_batch = |batch: BatchStats| self.metrics.batch(&batch);
        queue.serve(scorer.model(), scorer.settings().max_batch_tokens, &on_batch);
    }

    /// Who judges, for people.
    pub(super) fn judged_by(&self) -> String {
        notes::judged_by(&self.engine.own.scorer().models().nli.id)
    }

    pub(super) fn measures(&self) -> bool {
        self.engine.measures
    }

    /// Judges rows together; answers are in their order.
    pub(super) fn score(
        &self,
        rows: &[ScoreRequest],
        ticket: &Ticket,
        deadline: Instant,
    ) -> Vec<Result<String, Refusal>> {
        let [mut own, mut given] = [false, true].map(|with_claims| {
            let pairs = rows.iter().filter(|row| row.claims.is_some() == with_claims).map(ScoreRequest::pair);
            self.evaluate(&pairs.collect::<Vec<_>>(), with_claims, ticket, deadline).into_iter()
        });
        let answer = |row: &ScoreRequest| {
            let result = if row.claims.is_some() { given.next() } else { own.next() };
            answer(row, &result.unwrap_or_else(|| Err(Refusal::internal()))?)
        };
        let answers: Vec<_> = rows.iter().map(answer).collect();
        answers.iter().for_each(|answer| self.metrics.row(answer.is_ok()));
        answers
    }

    /// Judges a row and tells its claims on the way; what a person should know of the result comes with it.
    pub(super) fn watch(
        &self,
        row: &ScoreRequest,
        ticket: &Ticket,
        deadline: Instant,
        on_claim: &OnClaimEvent<'_>,
    ) -> Result<(String, Vec<String>), Refusal> {
        let evaluator = self.evaluator(row.claims.is_some(), ticket);
        let result =
            self.watched(ticket, deadline, |on_event| evaluator.watch(row.pair(), on_event, on_claim));
        let answer = result.and_then(|result| {
            let result = result.map_err(|error| self.refuse(&error))?;
            let notes = result.judged.as_ref().map(notes::of_result).unwrap_or_default();
            Ok((answer(row, &result)?, notes))
        });
        self.metrics.row(answer.is_ok());
        answer
    }

    /// The claims of a summary.
    pub(super) fn claims(
        &self,
        request: &ClaimsRequest,
        ticket: &Ticket,
        deadline: Instant,
    ) -> Result<String, Refusal> {
        let own = &self.engine.own.scorer().settings().claims;
        let extractor = if request.claims.is_some() { &ClaimExtractor::Given } else { own };
        let summary = Summary { text: &request.summary, claims: request.claims.as_deref() };
        let claims = self.watched(ticket, deadline, |_| extractor.extract(&[summary]))?;
        let claims = claims.map_err(|error| self.refuse(&error))?;
        let claims = claims.iter().flat_map(|claims| claims.records(&request.summary)).collect();
        json(&RowClaims { id: request.id.as_deref(), claims })
    }

    /// What the model says of raw pairs.
    pub(super) fn nli(
        &self,
        pairs: &[NliRequest],
        ticket: &Ticket,
        deadline: Instant,
    ) -> Result<Vec<Probabilities>, Refusal> {
        let scorer = self.scorer(false, ticket);
        let mut answers: Vec<Option<Probabilities>> = vec![None; pairs.len()];
        for truncation in [Truncation::Refuse, Truncation::LongestFirst, Truncation::Premise] {
            let places = (0..pairs.len()).filter(|&place| pairs[place].truncation == truncation);
            let places: Vec<usize> = places.collect();
            let questions: Vec<NliPair<'_>> = places.iter().map(|&place| pairs[place].question()).collect();
            let ask = self
                .watched(ticket, deadline, |on_event| scorer.classify_each(&questions, truncation, on_event));
            let all = ask?.map_err(|error| self.refuse(&error))?;
            for (place, said) in places.into_iter().zip(all) {
                let of_pair =
                    |refusal: Refusal| if pairs.len() > 1 { refusal.of_row(place) } else { refusal };
                let said = said.map_err(|error| of_pair(self.refuse(&error)))?;
                answers[place] = Some(said.probabilities);
            }
        }
        answers.into_iter().map(|said| said.ok_or_else(Refusal::internal)).collect()
    }

    pub(super) fn told(&self) -> ToldModels {
        let scorer = self.engine.own.scorer();
        let profile = scorer.stamp();
        ToldModels {
            version: env!("CARGO_PKG_VERSION"),
            metrics: self.engine.own.metric_names(),
            max_tokens: profile.max_tokens,
            profile,
            models: scorer.models(),
        }
    }

    fn evaluate(
        &self,
        pairs: &[Pair<'_>],
        with_claims: bool,
        ticket: &Ticket,
        deadline: Instant,
    ) -> Vec<Result<Evaluation, Refusal>> {
        if pairs.is_empty() {
            return Vec::new();
        }
        let evaluator = self.evaluator(with_claims, ticket);
        match self.watched(ticket, deadline, |on_event| evaluator.evaluate(pairs, on_event)) {
            Ok(results) => {
                results.into_iter().map(|result| result.map_err(|error| self.refuse(&error))).collect()
            }
            // The others of the group are fine: find out which.
            Err(refusal) if refusal.code() == Code::Internal && pairs.len() > 1 => {
                let alone = |pair: &Pair<'_>| self.evaluate(&[*pair], with_claims, ticket, deadline);
                pairs.iter().flat_map(alone).collect()
            }
            Err(refusal) => vec![Err(refusal); pairs.len()],
        }
    }

    fn evaluator(&self, with_claims: bool, ticket: &Ticket) -> Evaluator {
        let Engine { own, given, .. } = &self.engine;
        let evaluator = if with_claims { given } else { own };
        evaluator.clone().with_scorer(self.scorer(with_claims, ticket))
    }

    fn scorer(&self, with_claims: bool, ticket: &Ticket) -> Scorer {
        let Engine { own, given, .. } = &self.engine;
        let evaluator = if with_claims { given } else { own };
        evaluator.scorer().clone().with_queue(ticket.turn.clone())
    }

    /// Does work that ends when nobody waits for it or its time is over.
    fn watched<T>(
        &self,
        ticket: &Ticket,
        deadline: Instant,
        work: impl FnOnce(&OnEvent<'_>) -> T,
    ) -> Result<T, Refusal> {
        let is_over = || ticket.is_gone() || Instant::now() > deadline;
        if is_over() {
            return Err(Refusal::deadline());
        }
        let spent: Mutex<BTreeMap<Stage, Duration>> = Mutex::default();
        let on_event = |event: Event| {
            match event {
                Event::Spent { stage, time } => {
                    let mut spent = spent.lock().unwrap_or_else(PoisonError::into_inner);
                    *spent.entry(stage).or_default() += time;
                }
                Event::Reused { pairs } => self.metrics.reused(pairs),
                Event::Computed { .. } => {}
            }
            if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // A panic has told itself on stderr.
        let done = catch_unwind(AssertUnwindSafe(|| work(&on_event))).map_err(|_| Refusal::internal());
        for (stage, time) in spent.into_inner().unwrap_or_else(PoisonError::into_inner) {
            self.metrics.stage(stage, time);
        }
        done
    }

    /// Why a pair was not judged; what is the server's own fault goes to its log.
    fn refuse(&self, error: &Error) -> Refusal {
        let refusal = Refusal::of(error);
        if refusal.code() == Code::Internal {
            (self.engine.log)(&format!("veridic: {error}"));
        }
        refusal
    }
}

/// The result of a row as JSON, with the id that the row has.
fn answer(row: &ScoreRequest, result: &Evaluation) -> Result<String, Refusal> {
    let json = json(result)?;
    Ok(match (&row.id, json.strip_prefix('{')) {
        (Some(id), Some(rest)) => format!("{{\"id\":{},{rest}", id.get()),
        _ => json,
    })
}

pub(super) fn json(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|_| Refusal::internal())
}
