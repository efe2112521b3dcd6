//! Reads the body of a request. Refuses other media types, bodies over the limit, bodies for which no memory is free, and
//! bodies that do not arrive in time.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{ErrorCode, RequestError};
use super::limits::{BLOCK_BYTES, Limits, blocks};
use super::response::Request;

/// The maximum time for draining a body that is too large.
const DRAIN_TIME: Duration = Duration::from_millis(500);

/// A body, and the memory that it holds until it is dropped.
pub(super) struct ReceivedBody {
    pub(super) bytes: Bytes,
    pub(super) memory: OwnedSemaphorePermit,
}

/// Starts to receive a body of one of these media types in parts.
pub(super) fn receive_parts(
    request: Request,
    types: &[&str],
    limits: &Limits,
    memory: &Arc<Semaphore>,
) -> Result<ArrivingBody, RequestError> {
    check_type(request.headers(), types)?;
    check_encoding(request.headers())?;
    Ok(ArrivingBody { body: request.into_body(), received: 0, limits: *limits, held: reserve(1, memory)? })
}

/// A body that is read while it arrives. Holds memory for the received bytes until it is dropped.
pub(super) struct ArrivingBody {
    body: Incoming,
    /// The number of bytes received.
    received: usize,
    limits: Limits,
    held: OwnedSemaphorePermit,
}

impl ArrivingBody {
    /// Holds memory for this many further bytes as well, for what is made of the body.
    pub(super) fn hold(&mut self, bytes: usize) -> Result<(), RequestError> {
        self.held.merge(reserve(bytes, self.held.semaphore())?);
        Ok(())
    }

    /// Returns the next part, or `None` at the end. Fails if the client sends nothing within the request timeout.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, RequestError> {
        let arrived = tokio::time::timeout(self.limits.timeout, next(&mut self.body)).await;
        let arrived = arrived.map_err(|_| {
            RequestError::new(ErrorCode::BodyTimeout, "the next part of the body did not arrive in time")
        })?;
        let Some(part) = arrived? else { return Ok(None) };
        self.received += part.len();
        if self.received > self.limits.body_bytes {
            return Err(too_large(&self.limits));
        }
        let missing = blocks(self.received).saturating_sub(self.held.num_permits());
        if missing > 0 {
            self.held.merge(reserve(missing * BLOCK_BYTES, self.held.semaphore())?);
        }
        Ok(Some(part))
    }
}

/// Reads a body of one of these media types, within the limits.
pub(super) async fn receive(
    request: Request,
    types: &[&str],
    limits: &Limits,
    memory: &Arc<Semaphore>,
) -> Result<ReceivedBody, RequestError> {
    check_type(request.headers(), types)?;
    check_encoding(request.headers())?;
    let announced = request.body().size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
    // A client that sent `Expect` waits before sending the body, so it reads the refusal at once. Other clients read only
    // after sending all of it.
    let expects = request.headers().contains_key(header::EXPECT);
    let most_read = if expects { limits.body_bytes } else { limits.body_bytes.saturating_mul(2) };
    if announced.is_some_and(|bytes| bytes > most_read) {
        return Err(too_large(limits));
    }
    let most = announced.unwrap_or(limits.body_bytes).min(limits.body_bytes);
    let memory = reserve(most, memory)?;
    let reading = read(request.into_body(), most, limits);
    match tokio::time::timeout(limits.timeout, reading).await {
        Ok(bytes) => Ok(ReceivedBody { bytes: bytes?, memory }),
        Err(_) => {
            Err(RequestError::new(ErrorCode::BodyTimeout, "the body of the request did not arrive in time"))
        }
    }
}

/// Reserves memory for a body of this many bytes.
fn reserve(bytes: usize, memory: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, RequestError> {
    let count = u32::try_from(blocks(bytes).max(1)).unwrap_or(u32::MAX);
    Arc::clone(memory).try_acquire_many_owned(count).map_err(|_| {
        RequestError::new(
            ErrorCode::QueueFull,
            "the bodies of the requests in progress fill the memory for bodies",
        )
    })
}

async fn read(mut body: Incoming, most: usize, limits: &Limits) -> Result<Bytes, RequestError> {
    let mut bytes = Vec::new();
    while let Some(data) = next(&mut body).await? {
        if bytes.len() + data.len() > most {
            // Most clients read the answer only after sending the whole body.
            let _ = tokio::time::timeout(DRAIN_TIME, drain(body, limits.body_bytes)).await;
            return Err(too_large(limits));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// Reads the rest of a body and discards it.
async fn drain(mut body: Incoming, most: usize) {
    let mut length = 0;
    while let Ok(Some(data)) = next(&mut body).await {
        length += data.len();
        if length > most {
            return;
        }
    }
}

async fn next(body: &mut Incoming) -> Result<Option<Bytes>, RequestError> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        let broken = |_| RequestError::new(ErrorCode::NotJson, "the body of the request is incomplete");
        match frame.transpose().map_err(broken)?.map(Frame::into_data) {
            None => return Ok(None),
            Some(Ok(data)) => return Ok(Some(data)),
            // Trailers are ignored.
            Some(Err(_)) => {}
        }
    }
}

fn too_large(limits: &Limits) -> RequestError {
    let message =
        format!("the body is larger than {} bytes: send fewer rows or shorter texts", limits.body_bytes);
    RequestError::new(ErrorCode::TooLarge, message)
}

/// Bodies are read as they are, so a compressed one would only look like broken JSON.
fn check_encoding(headers: &HeaderMap) -> Result<(), RequestError> {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    if encodings.all(|encoding| encoding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    let message = "the body is compressed (Content-Encoding): send it as it is";
    Err(RequestError::new(ErrorCode::UnsupportedMediaType, message))
}

fn check_type(headers: &HeaderMap, types: &[&str]) -> Result<(), RequestError> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if types.iter().any(|name| essence.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let message = format!("the header Content-Type must be {}", types.join(" or "));
    Err(RequestError::new(ErrorCode::UnsupportedMediaType, message))
}
