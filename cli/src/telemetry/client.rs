//! Sends exports over HTTP with the client that also pulls models, so that the program has one TLS stack. It blocks, which
//! is fine here: the SDK exports from dedicated threads. Only the first failure is noted.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use ureq::Agent;

/// The maximum size of a collector's answer.
const MAX_ANSWER_BYTES: u64 = 1 << 20;

pub(super) struct Client {
    agent: Agent,
    has_failed: AtomicBool,
    note: fn(&str),
}

impl Client {
    pub(super) fn new(timeout: Duration, note: fn(&str)) -> Self {
        let config =
            Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).build();
        Self { agent: config.new_agent(), has_failed: AtomicBool::new(false), note }
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = self.agent.run(request.map(|bytes| bytes.to_vec()))?.into_parts();
        let bytes = body.into_with_config().limit(MAX_ANSWER_BYTES).read_to_vec()?;
        Ok(Response::from_parts(parts, bytes.into()))
    }

    fn note_failure(&self, address: &str, reason: &dyn std::fmt::Display) {
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            (self.note)(&format!("warning: telemetry is not received by {address}: {reason}"));
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Client")
    }
}

impl HttpClient for Client {
    fn send_bytes<'c, 'f>(
        &'c self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'f>>
    where
        'c: 'f,
        Self: 'f,
    {
        let address = request.uri().to_string();
        let sent = self.send(request);
        match &sent {
            Ok(answer) if !answer.status().is_success() => self.note_failure(&address, &answer.status()),
            Ok(_) => {}
            Err(error) => self.note_failure(&address, error),
        }
        Box::pin(std::future::ready(sent))
    }
}
