//! A server of chat completions that answers requests (`--judge`): the OpenAI-compatible interface of llama.cpp, vLLM and
//! Ollama. Requests already answered in a file are not sent, and new answers are added to it, so a stopped run can continue.
//!
//! `client` sends, `reply` interprets responses, `kept` and `memory` hold the answers, and `address` decides where texts may
//! go.

mod address;
mod client;
mod kept;
mod memory;
mod reply;

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::llm::{AnswerLine, ChatModel, Reply, Request, RequestId};
use anyhow::Result;
use serde_json::Value;
use veridic::schedule::{Event, OnEvent};

use self::client::{Client, POLL};
use self::kept::Kept;
use self::memory::Memory;
use self::reply::{Next, Usage};
use crate::plan::MetricSettings;

/// The maximum number of attempts per request, and the wait before the second, which doubles each time.
const ATTEMPTS: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// After this many consecutive failures, each further request is sent once.
const FAILED_IN_A_ROW: u64 = 10;

/// A server and the model to ask.
pub(crate) struct Server {
    client: Client,
    model: String,
    concurrency: NonZeroUsize,
    known: Mutex<Memory>,
    file: Option<Kept>,
    /// Whether the server refused to answer in JSON mode.
    refuses_json: AtomicBool,
    /// The number of consecutive failures.
    failed: AtomicU64,
    cost: Cost,
}

#[derive(Default)]
struct Cost {
    sent: AtomicU64,
    again: AtomicU64,
    known: AtomicU64,
    prompt_tokens: AtomicU64,
    completion_tokens: AtomicU64,
}

impl Cost {
    fn add(&self, usage: Usage) {
        self.prompt_tokens.fetch_add(usage.prompt_tokens, Ordering::Relaxed);
        self.completion_tokens.fetch_add(usage.completion_tokens, Ordering::Relaxed);
    }
}

impl Server {
    /// Connects to the API at `url`, with these settings.
    ///
    /// # Errors
    /// If the address is not allowed or does not answer, or the file does not hold this model's answers.
    pub(crate) fn connect(url: &str, settings: &MetricSettings) -> Result<Self> {
        let model = settings.judge.model.clone().unwrap_or_default();
        Ok(Self {
            client: Client::connect(url, settings.judge.remote)?,
            file: settings.answers.as_deref().map(|file| Kept::open(file, &model)).transpose()?,
            model,
            concurrency: settings.judge.concurrency,
            known: Mutex::default(),
            refuses_json: AtomicBool::new(false),
            failed: AtomicU64::new(0),
            cost: Cost::default(),
        })
    }

    /// Returns the reply if it is already known.
    fn known(&self, id: RequestId) -> Option<Reply> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(id);
        known.or_else(|| self.file.as_ref()?.get(id)).map(Reply::Text)
    }

    /// Sends a request until it is answered, refused, or has failed too often.
    fn ask(&self, request: &Request, on_event: &OnEvent<'_>) -> Reply {
        let (mut wait, mut json) = (FIRST_WAIT, !self.refuses_json.load(Ordering::Relaxed));
        for attempt in 1..=ATTEMPTS {
            let counter = if attempt == 1 { &self.cost.sent } else { &self.cost.again };
            counter.fetch_add(1, Ordering::Relaxed);
            let (reason, least) = match self.client.send(self.body(request, json), on_event) {
                Next::Answered(text, usage) => {
                    self.cost.add(usage);
                    // It was answered without JSON mode.
                    self.refuses_json.fetch_or(request.json && !json, Ordering::Relaxed);
                    self.failed.store(0, Ordering::Relaxed);
                    return Reply::Text(text);
                }
                Next::WithoutJson => {
                    json = false;
                    continue;
                }
                Next::Stopped => return Reply::Stopped,
                Next::Unreadable(reason, usage) => {
                    self.cost.add(usage);
                    return Reply::Unreadable(reason);
                }
                Next::Refused(reason) => return self.failure(reason),
                Next::Later(reason, least) => (reason, least),
            };
            if attempt == ATTEMPTS {
                return self.failure(format!("{reason}, {ATTEMPTS} times"));
            }
            // It does not answer other requests either.
            if self.failed.load(Ordering::Relaxed) >= FAILED_IN_A_ROW {
                return self.failure(reason);
            }
            if pause(wait.max(least), on_event).is_break() {
                return Reply::Stopped;
            }
            wait *= 2;
        }
        self.failure("the server neither answered nor refused".to_owned())
    }

    fn failure(&self, reason: String) -> Reply {
        self.failed.fetch_add(1, Ordering::Relaxed);
        Reply::Failed(reason)
    }

    fn body(&self, request: &Request, json: bool) -> Value {
        let mut body = request.body(&self.model);
        if !json && let Some(body) = body.as_object_mut() {
            body.remove("response_format");
        }
        body
    }

    /// Keeps an answer, in the file as well.
    fn keep(&self, id: RequestId, reply: &Reply) -> io::Result<()> {
        let Reply::Text(text) = reply else { return Ok(()) };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(id, text.clone());
        match &self.file {
            Some(kept) => kept.add(&AnswerLine { id, text, model: &self.model }),
            None => Ok(()),
        }
    }
}

impl ChatModel for Server {
    fn stamp(&self) -> String {
        format!("judge={}", self.model)
    }

    fn reply(&self, requests: &[Request], on_event: &OnEvent<'_>) -> Vec<Reply> {
        let mut open: BTreeMap<RequestId, &Request> = BTreeMap::new();
        for request in requests {
            if self.known(request.id).is_none() {
                open.insert(request.id, request);
            }
        }
        let known = requests.len() - requests.iter().filter(|request| open.contains_key(&request.id)).count();
        self.cost.known.fetch_add(known as u64, Ordering::Relaxed);
        let open: Vec<&Request> = open.into_values().collect();
        let (next, answered) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || {
            while let Some(request) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let reply = if on_event(Event::Poll).is_break() {
                    Reply::Stopped
                } else {
                    let reply = self.ask(request, on_event);
                    match self.keep(request.id, &reply) {
                        Ok(()) => reply,
                        Err(error) => Reply::Failed(format!("its answer cannot be kept: {error}")),
                    }
                };
                answered.lock().unwrap_or_else(PoisonError::into_inner).insert(request.id, reply);
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.concurrency.get().min(open.len()) {
                scope.spawn(work);
            }
        });
        let answered = answered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let of = |request: &Request| {
            self.known(request.id).or_else(|| answered.get(&request.id).cloned()).unwrap_or(Reply::Missing)
        };
        requests.iter().map(of).collect()
    }

    fn notes(&self) -> Vec<String> {
        let Cost { sent, again, known, prompt_tokens, completion_tokens } = &self.cost;
        let [sent, again, known, read, written] =
            [sent, again, known, prompt_tokens, completion_tokens].map(|count| count.load(Ordering::Relaxed));
        let mut note = format!("{}: {sent} requests sent", self.model);
        if again > 0 {
            note += &format!(", {again} repeats");
        }
        vec![format!("{note}, {known} known before; {read} tokens read, {written} written")]
    }
}

/// Waits, unless the work is ended.
fn pause(time: Duration, on_event: &OnEvent<'_>) -> ControlFlow<()> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        on_event(Event::Poll)?;
        thread::sleep(POLL.min(end.saturating_duration_since(Instant::now())));
    }
    ControlFlow::Continue(())
}
