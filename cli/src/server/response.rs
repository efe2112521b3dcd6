//! Responses: JSON, or a stream of parts. A client that leaves drops the stream, and with it its [`ClientGuard`].

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedReceiver;

use super::queue::ClientGuard;

const JSON: &str = "application/json";
pub(super) const JSON_LINES: &str = "application/x-ndjson";
pub(super) const EVENTS: &str = "text/event-stream";

/// A value as JSON.
pub(super) fn json_response(value: &impl Serialize) -> Response {
    json_text(serde_json::to_string(value).expect("texts and finite numbers are valid JSON"))
}

/// A text that is JSON.
pub(super) fn json_text(text: String) -> Response {
    typed(JSON, Body::from(text))
}

/// A body of a media type, which clients neither guess nor cache.
pub(super) fn typed(media_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// A response that is sent in parts, as they are made. Dropping it ends what makes them.
pub(super) struct StreamedBody {
    pub(super) parts: UnboundedReceiver<Bytes>,
    /// The request whose tasks write a part each; none where something else makes them.
    pub(super) request: Option<StreamedRequest>,
}

/// What a request holds while its tasks write a response.
pub(super) struct StreamedRequest {
    pub(super) client: ClientGuard,
    /// The memory of the request's body, which the tasks read.
    pub(super) _memory: OwnedSemaphorePermit,
}

impl HttpBody for StreamedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = self.parts.poll_recv(context);
        if let (Poll::Ready(Some(_)), Some(request)) = (&part, &self.request) {
            request.client.took_answer();
        }
        part.map(|part| part.map(|bytes| Ok(Frame::data(bytes))))
    }
}
