//! One pair as server-sent events: `claims` when they are found, `claim` when one is decided, `notes` if the result has any, and
//! at the end `result` with the whole result, or `error`.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::mpsc::UnboundedSender;

use super::engine::json;
use super::error::ErrorBody;
use super::queue::Task;
use super::request::ScoreRequest;
use veridic::pipeline::{ClaimEvent, ClaimResult};
use veridic_text::Span;

#[derive(Serialize)]
struct ClaimsFound<'c> {
    claims: Vec<FoundClaim<'c>>,
}

#[derive(Serialize)]
struct FoundClaim<'c> {
    text: &'c str,
    summary_spans: &'c [Span],
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

/// The task that evaluates a pair and sends its events.
pub(super) fn task(row: ScoreRequest, timeout: Duration, to_client: UnboundedSender<Bytes>) -> Task {
    Box::new(move |engine, state| {
        // Fails when the client has left.
        let send = |name: &str, json: &str| {
            let _ = to_client.send(format!("event: {name}\ndata: {json}\n\n").into());
        };
        let on_claim = |news: ClaimEvent<'_>| {
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
    })
}

/// The name of an event and its data.
fn claim_event(news: &ClaimEvent<'_>) -> (&'static str, String) {
    let (name, json) = match news {
        ClaimEvent::Extracted(claims) => {
            let found =
                claims.iter().map(|claim| FoundClaim { text: &claim.text, summary_spans: &claim.spans });
            ("claims", json(&ClaimsFound { claims: found.collect() }))
        }
        ClaimEvent::Judged { index, result } => {
            ("claim", json(&ClaimDecided { index: *index, claim: result }))
        }
    };
    (name, json.unwrap_or_default())
}
