//! One pair as server-sent events: `claims` when they are found, `claim` when one is decided, `notes` if there is something
//! that a person should know of the result, and at the end `result` with the whole of it, or `error`.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::mpsc::UnboundedSender;

use super::engine::json;
use super::line::Task;
use super::refusal::ErrorBody;
use super::request::ScoreRequest;
use veridic::pipeline::{ClaimEvent, ClaimResult};
use veridic_text::Span;

#[derive(Serialize)]
struct Found<'c> {
    claims: Vec<FoundClaim<'c>>,
}

#[derive(Serialize)]
struct FoundClaim<'c> {
    text: &'c str,
    summary_spans: &'c [Span],
}

#[derive(Serialize)]
struct Decided<'c> {
    index: usize,
    claim: &'c ClaimResult,
}

#[derive(Serialize)]
struct Notes {
    notes: Vec<String>,
}

/// The task that judges a pair and tells how it goes.
pub(super) fn task(row: ScoreRequest, timeout: Duration, to_client: UnboundedSender<Bytes>) -> Task {
    Box::new(move |judge, ticket| {
        // A client that is gone misses nothing.
        let send = |name: &str, json: &str| {
            let _ = to_client.send(format!("event: {name}\ndata: {json}\n\n").into());
        };
        let on_claim = |news: ClaimEvent<'_>| {
            let (name, json) = told(&news);
            send(name, &json);
        };
        match judge.watch(&row, ticket, Instant::now() + timeout, &on_claim) {
            Ok((result, notes)) => {
                if !notes.is_empty() {
                    send("notes", &json(&Notes { notes }).unwrap_or_default());
                }
                send("result", &result);
            }
            Err(refusal) => send("error", &json(&ErrorBody { error: &refusal }).unwrap_or_default()),
        }
    })
}

fn told(news: &ClaimEvent<'_>) -> (&'static str, String) {
    let (name, json) = match news {
        ClaimEvent::Extracted(claims) => {
            let found =
                claims.iter().map(|claim| FoundClaim { text: &claim.text, summary_spans: &claim.spans });
            ("claims", json(&Found { claims: found.collect() }))
        }
        ClaimEvent::Judged { index, result } => ("claim", json(&Decided { index: *index, claim: result })),
    };
    (name, json.unwrap_or_default())
}
