//! Asks a chat model, parses its replies, and counts the parsed ones: the papers' success ratio.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::chat_model::{ChatModel, Reply};
use super::no_answer::NoAnswer;
use super::parsed::{Parsed, Unparsable};
use super::request::{Request, RequestId};
use super::step::Step;
use super::templates::Templates;
use super::wording::without_reasoning;
use veridic::schedule::OnEvent;
use veridic::{Error, Result};

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Read,
    Unparsable,
    Failed,
    Missing,
}

/// The outcomes of a step's requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StepCounts {
    /// The name of the step.
    pub step: &'static str,
    /// The number of distinct requests.
    pub requests: usize,
    /// The number of requests whose reply was parsed.
    pub read: usize,
    /// The number of requests whose reply cannot be parsed.
    pub unparsable: usize,
    /// The number of requests that the model refused, or that could not be sent.
    pub failed: usize,
    /// The number of requests without a reply.
    pub missing: usize,
}

impl StepCounts {
    /// Returns the parsed share of the existing replies; `None` without replies.
    pub fn success_ratio(&self) -> Option<f64> {
        let answered = self.requests - self.missing - self.failed;
        (answered > 0).then(|| self.read as f64 / answered as f64)
    }
}

impl fmt::Display for StepCounts {
    /// One line for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, requests, read, unparsable, failed, missing } = self;
        write!(f, "{step}: {read} of {requests} answers read")?;
        if let Some(ratio) = self.success_ratio() {
            write!(f, " (success ratio {ratio:.3})")?;
        }
        for (count, what) in [(unparsable, "cannot be read"), (failed, "failed"), (missing, "missing")] {
            if *count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// A chat model with the wording of its requests. Clones share their counts.
#[derive(Clone)]
pub struct LanguageModel {
    model: Arc<dyn ChatModel>,
    templates: Templates,
    temperature: f32,
    runs: u32,
    max_tokens: Option<u32>,
    outcomes: Arc<Mutex<BTreeMap<(Step, RequestId), Outcome>>>,
}

impl fmt::Debug for LanguageModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanguageModel").field("model", &self.model.stamp()).finish_non_exhaustive()
    }
}

/// The outcome of a reply that cannot be read, and why, for a person.
fn unreadable(why: &str) -> (Outcome, String) {
    (Outcome::Unparsable, format!("has an answer that cannot be read: {why}"))
}

impl LanguageModel {
    /// Creates a model that asks once, at temperature 0.
    pub fn new(model: Arc<dyn ChatModel>, templates: Templates) -> Self {
        Self { model, templates, temperature: 0.0, runs: 1, max_tokens: None, outcomes: Arc::default() }
    }

    /// Sets how often TofuEval's questions are asked (at least once), and the temperature of all requests.
    #[must_use]
    pub fn sampling(self, runs: u32, temperature: f32) -> Self {
        Self { runs: runs.max(1), temperature, ..self }
    }

    /// Sets the token limit of replies, instead of each step's own.
    #[must_use]
    pub fn max_tokens(self, most: Option<u32>) -> Self {
        Self { max_tokens: most, ..self }
    }

    /// Returns how often a question is asked.
    pub(crate) fn runs(&self) -> u32 {
        self.runs
    }

    /// Returns everything that results of these steps depend on, as text.
    pub(crate) fn stamp(&self, steps: &[Step]) -> String {
        let sampling = match (self.runs, self.temperature) {
            (1, 0.0) => String::new(),
            (runs, temperature) => format!(" runs={runs} temperature={temperature}"),
        };
        format!("{} {}{sampling}", self.model.stamp(), self.templates.stamp(steps))
    }

    /// Returns the first run's request of a step with these fields.
    pub(crate) fn request(&self, step: Step, fields: &[(&str, &str)]) -> Request {
        self.request_of_run(step, fields, 1)
    }

    /// Returns the request of the given run.
    pub(crate) fn request_of_run(&self, step: Step, fields: &[(&str, &str)], run: u32) -> Request {
        let mut request = self.templates.request(step, fields, run, self.temperature);
        request.max_tokens = self.max_tokens.unwrap_or(request.max_tokens);
        request
    }

    /// Asks and parses: `parse` gets the index of the request and the reply.
    pub(crate) fn ask<T>(
        &self,
        requests: &[Request],
        on_event: &OnEvent<'_>,
        parse: impl Fn(usize, &str) -> Parsed<T>,
    ) -> Vec<Result<T>> {
        let replies = self.model.reply(requests, on_event);
        let mut outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut results = Vec::with_capacity(requests.len());
        for (place, (request, reply)) in requests.iter().zip(replies).enumerate() {
            let read = match reply {
                Reply::Stopped => {
                    results.push(Err(Error::Stopped));
                    continue;
                }
                Reply::Missing => Err((Outcome::Missing, "is not answered".to_owned())),
                Reply::Failed(why) => Err((Outcome::Failed, format!("failed: {why}"))),
                Reply::Unreadable(why) => Err(unreadable(&why)),
                Reply::Text(text) => {
                    parse(place, without_reasoning(&text)).map_err(|Unparsable(why)| unreadable(&why))
                }
            };
            let outcome = read.as_ref().map_or_else(|(outcome, _)| *outcome, |_| Outcome::Read);
            outcomes.insert((request.step, request.id), outcome);
            results.push(read.map_err(|(_, reason)| {
                NoAnswer { request: format!("{} ({})", request.id, request.step), reason }.into()
            }));
        }
        results
    }

    /// Asks for several rows at once: an error fails only its own row.
    pub(crate) fn ask_rows<T>(
        &self,
        of_rows: &[Vec<Request>],
        on_event: &OnEvent<'_>,
        parse: impl Fn(usize, usize, &str) -> Parsed<T>,
    ) -> Vec<Result<Vec<T>>> {
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (row, requests) in of_rows.iter().enumerate() {
            places.extend((0..requests.len()).map(|place| (row, place)));
        }
        let answers =
            self.ask(&of_rows.concat(), on_event, |at, text| parse(places[at].0, places[at].1, text));
        let mut answers = answers.into_iter();
        let mut results = Vec::with_capacity(of_rows.len());
        for requests in of_rows {
            // All answers of a row are taken, even after a failed one.
            let own: Vec<Result<T>> = answers.by_ref().take(requests.len()).collect();
            results.push(own.into_iter().collect());
        }
        results
    }

    /// Whether the other is a clone of this model.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outcomes, &other.outcomes)
    }

    /// Returns notes on the answers, one line each, for a person.
    pub fn notes(&self) -> Vec<String> {
        let counts = self.counts().into_iter().map(|counts| counts.to_string());
        counts.chain(self.model.notes()).collect()
    }

    /// Returns the outcomes of the requests, by step.
    pub fn counts(&self) -> Vec<StepCounts> {
        let outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        let of_step = |step: Step| {
            let count = |wanted: Outcome| {
                outcomes.iter().filter(|((of, _), outcome)| *of == step && **outcome == wanted).count()
            };
            let [read, unparsable, failed, missing] =
                [Outcome::Read, Outcome::Unparsable, Outcome::Failed, Outcome::Missing].map(count);
            let requests = read + unparsable + failed + missing;
            StepCounts { step: step.name(), requests, read, unparsable, failed, missing }
        };
        Step::ALL.into_iter().map(of_step).filter(|counts| counts.requests > 0).collect()
    }
}
