//! Requests over HTTP: their destination, key and time limits.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use ureq::Agent;
use veridic::schedule::{Event, OnEvent};

use super::address::Address;
use super::reply::{Next, read};

/// How often a wait checks whether the work continues.
pub(super) const POLL: Duration = Duration::from_millis(100);

/// The time limits of a request, and of the check whether a server exists.
const TIMEOUT: Duration = Duration::from_secs(600);
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum size of a response.
const MAX_RESPONSE_BYTES: u64 = 16 << 20;

/// The environment variable of the server's key.
const KEY: &str = "VERIDIC_JUDGE_KEY";

/// A connection to a server.
#[derive(Clone)]
pub(super) struct Client {
    agent: Agent,
    address: Address,
    /// The header of the key.
    authorization: Option<String>,
}

impl Client {
    /// Connects to a server; `remote` allows other machines than this one.
    ///
    /// # Errors
    /// If the address is not allowed or does not answer, or the key cannot be sent in a header.
    pub(super) fn connect(url: &str, remote: bool) -> Result<Self> {
        let address = Address::parse(url, remote).with_context(|| format!("--set judge={url}"))?;
        // Neither a redirect nor a proxy of the environment may take texts to another machine.
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        let config = if remote { config.build() } else { config.proxy(None).build() };
        let client = Self { agent: config.new_agent(), address, authorization: authorization()? };
        client.probe().with_context(|| format!("--set judge={url}: no server answers there"))?;
        Ok(client)
    }

    /// Whether any server answers; its response does not matter.
    fn probe(&self) -> Result<()> {
        let request = self.agent.get(self.address.models());
        let request = request.config().timeout_global(Some(PROBE_TIMEOUT)).build();
        self.authorized(request).call()?;
        Ok(())
    }

    /// Sends the body of a chat completion. Does not wait for the response once `on_event` ends the work.
    pub(super) fn send(&self, body: Value, on_event: &OnEvent<'_>) -> Next {
        let (client, (sender, receiver)) = (self.clone(), mpsc::channel());
        thread::spawn(move || sender.send(client.exchange(&body)));
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(next) => return next,
                Err(RecvTimeoutError::Timeout) if on_event(Event::Poll).is_break() => return Next::Stopped,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Next::Refused("it could not be sent".to_owned());
                }
            }
        }
    }

    fn exchange(&self, body: &Value) -> Next {
        let request = self.agent.post(self.address.completions()).header("Content-Type", "application/json");
        let response = match self.authorized(request).send(body.to_string()) {
            Ok(response) => response,
            Err(error) => return Next::Later(error.to_string(), Duration::ZERO),
        };
        let (parts, response) = response.into_parts();
        let bytes = match response.into_with_config().limit(MAX_RESPONSE_BYTES).read_to_vec() {
            Ok(bytes) => bytes,
            Err(ureq::Error::BodyExceedsLimit(most)) => {
                return Next::Refused(format!("the server's response has more than {most} bytes"));
            }
            Err(error) => return Next::Later(error.to_string(), Duration::ZERO),
        };
        let after = parts.headers.get("retry-after").and_then(|value| value.to_str().ok());
        let text = String::from_utf8_lossy(&bytes);
        read(parts.status.as_u16(), &text, after, body.get("response_format").is_some())
    }

    fn authorized<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.authorization {
            Some(value) => request.header("Authorization", value),
            None => request,
        }
    }
}

fn authorization() -> Result<Option<String>> {
    let Some(key) = std::env::var_os(KEY) else { return Ok(None) };
    let Some(key) = key.to_str().map(str::trim) else { bail!("{KEY} is not UTF-8") };
    ensure!(key.bytes().all(|byte| byte.is_ascii_graphic()), "{KEY} has characters that no key has");
    Ok((!key.is_empty()).then(|| format!("Bearer {key}")))
}
