//! A server of chat completions that answers requests (`--judge`): the OpenAI-compatible interface of llama.cpp, vLLM and Ollama.
//! Requests that a file of answers has are not sent, and new answers are added to it, so a run that was stopped goes on.

mod address;
mod reply;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ureq::Agent;
use veridic::llm::{AnswerLine, Answers, ChatModel, Reply, Request, RequestId};
use veridic::progress::{Event, OnEvent};

use self::address::Address;
use self::reply::{Answered, Next, read};

/// Longest time of a request.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Longest answer that is read.
const MAX_ANSWER_BYTES: u64 = 16 << 20;

/// How often a request is sent at most, and the wait before it is sent again, which doubles each time.
const ATTEMPTS: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// How often a wait looks whether the work goes on.
const POLL: Duration = Duration::from_millis(100);

/// The environment variable of the server's key.
const KEY: &str = "VERIDIC_JUDGE_KEY";

/// A server and the model that it asks.
pub(crate) struct Server {
    agent: Agent,
    address: Address,
    key: Option<String>,
    model: String,
    concurrency: NonZeroUsize,
    known: Mutex<BTreeMap<RequestId, Reply>>,
    file: Option<Kept>,
    /// Whether the server refused to answer in JSON mode.
    refuses_json: AtomicBool,
    cost: Cost,
}

/// The file that new answers are added to.
struct Kept {
    answers: Answers,
    path: PathBuf,
    file: Mutex<File>,
}

#[derive(Default)]
struct Cost {
    sent: AtomicU64,
    again: AtomicU64,
    known: AtomicU64,
    prompt_tokens: AtomicU64,
    completion_tokens: AtomicU64,
}

impl Server {
    /// Connects to the API at `url`; `remote` allows other machines than this one. New answers go to the file.
    ///
    /// # Errors
    /// An address that is not allowed or does not answer, and a file that is not one of this model's answers.
    pub(crate) fn connect(
        url: &str,
        model: &str,
        (remote, concurrency): (bool, NonZeroUsize),
        file: Option<&Path>,
    ) -> Result<Self> {
        let address = Address::parse(url, remote).with_context(|| format!("--judge {url}"))?;
        // Neither a redirect nor a proxy of the environment may take texts to another machine.
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        let config = if remote { config.build() } else { config.proxy(None).build() };
        let key = std::env::var(KEY).ok().map(|key| key.trim().to_owned());
        let mut server = Self {
            agent: config.new_agent(),
            key: key.filter(|key| !key.is_empty()),
            address,
            model: model.to_owned(),
            concurrency,
            known: Mutex::default(),
            file: None,
            refuses_json: AtomicBool::new(false),
            cost: Cost::default(),
        };
        server.probe().with_context(|| format!("--judge {url}: no server answers there"))?;
        server.file = file.map(|file| Kept::open(file, model)).transpose()?;
        Ok(server)
    }

    /// Whether there is a server at all; what it answers does not matter.
    fn probe(&self) -> Result<()> {
        let mut request = self.agent.get(self.address.models());
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        request.call()?;
        Ok(())
    }

    /// The reply that is known already.
    fn known(&self, id: RequestId) -> Option<Reply> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let kept = || self.file.as_ref().map(|kept| kept.answers.get(id));
        known.or_else(kept).filter(|reply| matches!(reply, Reply::Text(_)))
    }

    /// Sends a request until it is answered, refused, or has failed too often.
    fn ask(&self, request: &Request, on_event: &OnEvent<'_>) -> Reply {
        let (mut wait, mut json) = (FIRST_WAIT, !self.refuses_json.load(Ordering::Relaxed));
        for attempt in 1..=ATTEMPTS {
            let counter = if attempt == 1 { &self.cost.sent } else { &self.cost.again };
            counter.fetch_add(1, Ordering::Relaxed);
            let (reason, least) = match self.send(request, json) {
                Next::Answered(Answered { text, prompt_tokens, completion_tokens }) => {
                    self.cost.prompt_tokens.fetch_add(prompt_tokens, Ordering::Relaxed);
                    self.cost.completion_tokens.fetch_add(completion_tokens, Ordering::Relaxed);
                    // Without JSON mode it was answered.
                    self.refuses_json.fetch_or(request.json && !json, Ordering::Relaxed);
                    return Reply::Text(text);
                }
                Next::WithoutJson => {
                    json = false;
                    continue;
                }
                Next::Refused(reason) => return Reply::Failed(reason),
                Next::Later(reason, least) => (reason, least),
            };
            if attempt == ATTEMPTS {
                return Reply::Failed(format!("{reason}, {ATTEMPTS} times"));
            }
            if pause(wait.max(least), on_event).is_break() {
                return Reply::Stopped;
            }
            wait *= 2;
        }
        Reply::Failed("the server neither answered nor refused".to_owned())
    }

    fn send(&self, request: &Request, json: bool) -> Next {
        let mut body = request.body(&self.model);
        if !json && let Some(body) = body.as_object_mut() {
            body.remove("response_format");
        }
        let mut call = self.agent.post(self.address.completions()).header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            call = call.header("Authorization", format!("Bearer {key}"));
        }
        let response = match call.send(body.to_string()) {
            Ok(response) => response,
            Err(error) => return Next::Later(error.to_string(), Duration::ZERO),
        };
        let (parts, body_of) = response.into_parts();
        let text = match body_of.into_with_config().limit(MAX_ANSWER_BYTES).read_to_string() {
            Ok(text) => text,
            Err(error) => return Next::Later(error.to_string(), Duration::ZERO),
        };
        let after = parts.headers.get("retry-after").and_then(|value| value.to_str().ok());
        read(parts.status.as_u16(), &text, after, body.get("response_format").is_some())
    }

    /// Keeps an answer, in the file too.
    fn keep(&self, id: RequestId, reply: &Reply) -> io::Result<()> {
        let Reply::Text(text) = reply else { return Ok(()) };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(id, reply.clone());
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
            note += &format!(", {again} of them again");
        }
        vec![format!("{note}, {known} known before; {read} tokens read, {written} written")]
    }
}

impl Kept {
    /// Opens the file; it may not exist yet. The last line of a run that was killed may be cut, and is dropped.
    fn open(path: &Path, model: &str) -> Result<Self> {
        let name = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("--answers {name}: cannot open it for new answers"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("--answers {name}"))?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (whole, rest) = bytes.split_at(end);
        // As this program's own lines begin.
        let is_cut =
            rest.starts_with(b"{\"answer\":") && serde_json::from_slice::<serde_json::Value>(rest).is_err();
        let answers = Answers::read(if is_cut { whole } else { &bytes }, &name.to_string())?;
        if let Some(other) = answers.models().iter().find(|other| *other != model) {
            bail!(
                "--answers {name}: it has answers of the model {other}, and --judge-model is {model}: name another file"
            );
        }
        // Only now is it known to be a file of answers.
        let ended = match (is_cut, rest.is_empty()) {
            (true, _) => file.set_len(whole.len() as u64),
            (false, true) => Ok(()),
            (false, false) => file.write_all(b"\n"),
        };
        ended.with_context(|| format!("--answers {name}"))?;
        Ok(Self { answers, path: path.to_owned(), file: Mutex::new(file) })
    }

    fn add(&self, answer: &AnswerLine<'_>) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write, so that a kill leaves whole lines.
        file.write_all(format!("{}\n", answer.line()).as_bytes())
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))
    }
}

/// Waits, unless the work is ended.
fn pause(time: Duration, on_event: &OnEvent<'_>) -> std::ops::ControlFlow<()> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        on_event(Event::Poll)?;
        thread::sleep(POLL.min(end.saturating_duration_since(Instant::now())));
    }
    std::ops::ControlFlow::Continue(())
}
