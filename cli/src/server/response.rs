//! Requests and responses of the server. A response is JSON or a page, or a stream of parts. When a client leaves, the
//! stream is dropped and with it the [`ClientGuard`].

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame, Incoming, SizeHint};
use hyper::header::{self, HeaderValue};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedReceiver;

use super::error::{ErrorBody, ErrorCode, RequestError};
use super::queue::ClientGuard;

/// Seconds after which a client may retry when the server is full or stopping.
const RETRY_AFTER: &str = "1";

const JSON: &str = "application/json";
pub(super) const JSON_LINES: &str = "application/x-ndjson";
pub(super) const EVENTS: &str = "text/event-stream";

/// A request whose body has not been read.
pub(super) type Request = hyper::Request<Incoming>;

/// A response.
pub(super) type Response = hyper::Response<Body>;

/// The body of a response.
pub(super) enum Body {
    /// The whole body; `None` once it was sent.
    Whole(Option<Bytes>),
    /// Parts, sent as they are produced.
    Parts(StreamedBody),
}

/// Returns an error as a response.
pub(super) fn error_response(error: &RequestError) -> Response {
    let mut response = json_response(&ErrorBody { error });
    *response.status_mut() = error.code().status();
    let header = match error.code() {
        ErrorCode::Unauthorized => Some((header::WWW_AUTHENTICATE, "Bearer")),
        ErrorCode::QueueFull | ErrorCode::Stopping => Some((header::RETRY_AFTER, RETRY_AFTER)),
        // The rest of the request is not read.
        ErrorCode::TooLarge | ErrorCode::BodyTimeout => Some((header::CONNECTION, "close")),
        _ => None,
    };
    if let Some((name, value)) = header {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns a value as a JSON response.
pub(super) fn json_response(value: &impl Serialize) -> Response {
    json_text(serde_json::to_string(value).expect("texts and finite numbers are valid JSON"))
}

/// Returns a JSON text as a response.
pub(super) fn json_text(text: String) -> Response {
    typed(JSON, text.into())
}

/// Returns a body with a media type that clients must neither guess nor cache.
pub(super) fn typed(media_type: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The parts of a response. Dropping it stops their production.
pub(super) struct StreamedBody {
    pub(super) parts: UnboundedReceiver<Bytes>,
    /// The request whose tasks each write a part; `None` if the parts come from elsewhere.
    pub(super) request: Option<StreamedRequest>,
}

/// The resources of a request while its tasks write a response.
pub(super) struct StreamedRequest {
    pub(super) client: ClientGuard,
    /// The memory of the request's body, which the tasks read.
    pub(super) _memory: OwnedSemaphorePermit,
}

impl StreamedBody {
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let part = self.parts.poll_recv(context);
        if let (Poll::Ready(Some(_)), Some(request)) = (&part, &self.request) {
            request.client.took_answer();
        }
        part
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self::Whole(Some(text.into()))
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take()),
            Self::Parts(parts) => parts.poll_next(context),
        };
        part.map(|part| part.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Self::Parts(_) => SizeHint::default(),
        }
    }
}
