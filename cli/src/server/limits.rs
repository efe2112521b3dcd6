//! How much a client may ask for: bytes of a body, bytes of all bodies in hand, requests that wait, seconds.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use hyper::body::Frame;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::{Code, Refusal};

/// Bodies in hand are counted in pieces of this many bytes.
const PIECE_BYTES: usize = 4096;

/// How long the rest of a body that is too large is read.
const LINGER: Duration = Duration::from_millis(500);

/// What clients may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest body.
    pub body_bytes: usize,
    /// Bodies of all requests in hand.
    pub total_bytes: usize,
    /// Requests that wait until one of them is begun.
    pub waiting: usize,
    /// From a request to its answer; for a row of several, from its turn on.
    pub timeout: Duration,
    /// Connections that are open at the same time.
    pub connections: usize,
}

/// A body, and its share of the memory for bodies until it is dropped.
pub(super) struct Received {
    pub(super) bytes: Bytes,
    pub(super) share: OwnedSemaphorePermit,
}

impl Limits {
    /// Pieces that all bodies may have together.
    pub(super) fn room(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(pieces(self.total_bytes.max(self.body_bytes))))
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }
}

fn pieces(bytes: usize) -> usize {
    bytes.div_ceil(PIECE_BYTES).min(Semaphore::MAX_PERMITS)
}

/// Reads a body of one of these types, within the limits.
pub(super) async fn receive(
    request: Request,
    types: &[&str],
    limits: &Limits,
    room: &Arc<Semaphore>,
) -> Result<Received, Refusal> {
    check_type(request.headers(), types)?;
    let told = request.body().size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
    // A client that waits to be asked for its body need not send it; others do not listen before they have sent it.
    let waits = request.headers().contains_key(header::EXPECT);
    let most_read = if waits { limits.body_bytes } else { limits.body_bytes.saturating_mul(2) };
    if told.is_some_and(|bytes| bytes > most_read) {
        return Err(too_large(limits));
    }
    let most = told.unwrap_or(limits.body_bytes).min(limits.body_bytes);
    let count = u32::try_from(pieces(most).max(1)).unwrap_or(u32::MAX);
    let share = Arc::clone(room).try_acquire_many_owned(count).map_err(|_| {
        Refusal::new(Code::QueueFull, "the bodies of the requests in hand fill this server's memory for them")
    })?;
    let reading = read(request.into_body(), most, limits);
    match tokio::time::timeout(limits.timeout, reading).await {
        Ok(bytes) => Ok(Received { bytes: bytes?, share }),
        Err(_) => Err(Refusal::new(Code::BodyTimeout, "the body of the request did not arrive in time")),
    }
}

async fn read(mut body: Body, most: usize, limits: &Limits) -> Result<Bytes, Refusal> {
    let mut bytes = Vec::new();
    while let Some(data) = next(&mut body).await? {
        if bytes.len() + data.len() > most {
            // Who is not read while he sends does not get to listen.
            let _ = tokio::time::timeout(LINGER, drain(body, limits.body_bytes)).await;
            return Err(too_large(limits));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// Reads what is left, and keeps nothing of it.
async fn drain(mut body: Body, most: usize) {
    let mut length = 0;
    while let Ok(Some(data)) = next(&mut body).await {
        length += data.len();
        if length > most {
            return;
        }
    }
}

async fn next(body: &mut Body) -> Result<Option<Bytes>, Refusal> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        let broken = |_| Refusal::new(Code::NotJson, "the body of the request broke off");
        match frame.transpose().map_err(broken)?.map(Frame::into_data) {
            None => return Ok(None),
            Some(Ok(data)) => return Ok(Some(data)),
            // Trailers say nothing here.
            Some(Err(_)) => {}
        }
    }
}

fn too_large(limits: &Limits) -> Refusal {
    let message =
        format!("the body is larger than {} bytes: send fewer rows, or shorter texts", limits.body_bytes);
    Refusal::new(Code::TooLarge, message)
}

fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), Refusal> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if types.iter().any(|name| essence.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let message = format!("the header Content-Type must be {}", types.join(" or "));
    Err(Refusal::new(Code::UnsupportedMediaType, message))
}
