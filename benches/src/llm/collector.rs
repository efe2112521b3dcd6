//! Collects unanswered requests, each once, in order of arrival.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use super::answers::Answers;
use super::chat_model::{ChatModel, Reply};
use super::request::{Request, RequestId, RequestLayout};
use veridic::schedule::OnEvent;

/// Writes unanswered requests, and replies with the known answers.
pub struct Collector {
    answers: Answers,
    layout: RequestLayout,
    state: Mutex<State>,
}

struct State {
    out: Box<dyn Write + Send>,
    written: BTreeSet<RequestId>,
    /// The number of requests whose answers lead to further ones.
    followed: usize,
    error: Option<io::Error>,
}

/// The written requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collected {
    /// The number of requests.
    pub requests: usize,
    /// The number of requests whose answers lead to further ones.
    pub followed: usize,
}

impl Collector {
    /// Writes lines to `out`.
    pub fn new(answers: Answers, layout: RequestLayout, out: Box<dyn Write + Send>) -> Self {
        let state = State { out, written: BTreeSet::new(), followed: 0, error: None };
        Self { answers, layout, state: Mutex::new(state) }
    }

    /// Finishes the output.
    ///
    /// # Errors
    /// The first write error.
    pub fn finish(&self) -> io::Result<Collected> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.error.take() {
            Some(error) => Err(error),
            None => {
                state.out.flush()?;
                Ok(Collected { requests: state.written.len(), followed: state.followed })
            }
        }
    }
}

impl State {
    fn write(&mut self, request: &Request, layout: &RequestLayout) {
        if self.error.is_none() && self.written.insert(request.id) {
            self.followed += usize::from(request.step.is_followed());
            self.error = writeln!(self.out, "{}", request.line(layout)).err();
        }
    }
}

impl ChatModel for Collector {
    fn stamp(&self) -> String {
        self.answers.stamp()
    }

    fn reply(&self, requests: &[Request], on_event: &OnEvent<'_>) -> Vec<Reply> {
        let replies = self.answers.reply(requests, on_event);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Requests that gave no text are asked again.
        let open = replies.iter().zip(requests).filter(|(reply, _)| !matches!(reply, Reply::Text(_)));
        open.for_each(|(_, request)| state.write(request, &self.layout));
        replies
    }
}
