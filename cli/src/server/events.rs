//! One pair as server-sent events: `claims` when they are found, `claim` for each decided claim, `notes` if the result has
//! any, and finally `result` with the whole result, or `error`.

use std::time::{Duration, Instant};

use hyper::body::Bytes;
use serde::Serialize;
use tokio::sync::mpsc::UnboundedSender;

use super::engine::{Engine, json};
use super::error::ErrorBody;
use super::queue::Task;
use super::request::ScoreRequest;
use super::request_state::RequestState;
use veridic::Span;
use veridic::pipeline::{ClaimEvent, FoundPart};
use veridic::result::{ClaimResult, NOT_A_CLAIM};

#[derive(Serialize)]
struct ClaimsFound<'c> {
    /// In summary order, with the parts that state nothing.
    claims: Vec<FoundClaim<'c>>,
}

#[derive(Serialize)]
struct FoundClaim<'c> {
    text: &'c str,
    summary_spans: &'c [Span],
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct ClaimDecided<'c> {
    index: usize,
    claim: &'c ClaimResult,
}

#[derive(Serialize)]
struct Notes {
    notes: Vec<String>,
}

/// Returns the task that evaluates a pair of so many bytes and sends its events.
pub(super) fn task(
    row: ScoreRequest,
    bytes: usize,
    timeout: Duration,
    to_client: UnboundedSender<Bytes>,
) -> Task {
    let work = move |engine: &Engine, state: &RequestState| {
        // Fails when the client has left.
        let send = |name: &str, json: &str| {
            let _ = to_client.send(format!("event: {name}\ndata: {json}\n\n").into());
        };
        let on_claim = |news: ClaimEvent| {
            let (name, json) = claim_event(&news);
            send(name, &json);
        };
        match engine.watch(&row, state, Instant::now() + timeout, &on_claim) {
            Ok((result, notes)) => {
                if !notes.is_empty() {
                    send("notes", &json(&Notes { notes }).unwrap_or_default());
                }
                send("result", &result);
            }
            Err(error) => send("error", &json(&ErrorBody { error: &error }).unwrap_or_default()),
        }
    };
    Task { bytes, work: Box::new(work) }
}

fn found(FoundPart { text, summary_spans, is_claim }: &FoundPart) -> FoundClaim<'_> {
    FoundClaim { text, summary_spans, reason: (!is_claim).then_some(NOT_A_CLAIM) }
}

/// Returns the name of an event and its data.
fn claim_event(news: &ClaimEvent) -> (&'static str, String) {
    let (name, json) = match news {
        ClaimEvent::Extracted(claims) => {
            ("claims", json(&ClaimsFound { claims: claims.iter().map(found).collect() }))
        }
        ClaimEvent::Judged { index, result } => {
            ("claim", json(&ClaimDecided { index: *index, claim: result }))
        }
    };
    (name, json.unwrap_or_default())
}
