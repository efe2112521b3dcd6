//! What all handlers share: the engine, the queue, memory for bodies, limits; and the span of the current request.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::access::Access;
use super::body::{ReceivedBody, receive};
use super::engine::Engine;
use super::error::RequestError;
use super::limits::Limits;
use super::metrics::ServerMetrics;
use super::queue::{Task, WorkerPool};
use super::request_state::RequestState;
use super::response::{Body, Request, Response, StreamedBody, StreamedRequest, typed};
use super::stop::StopSignal;
use crate::telemetry::Span;

tokio::task_local! {
    /// The span of the current request.
    static SPAN: Span;
}

/// The state shared by all handlers.
pub(super) struct AppState {
    pub(super) engine: Arc<Engine>,
    pub(super) pool: Arc<WorkerPool>,
    pub(super) metrics: Arc<ServerMetrics>,
    /// Memory for the bodies of requests in progress.
    pub(super) body_memory: Arc<Semaphore>,
    pub(super) limits: Limits,
    pub(super) access: Access,
    pub(super) stop: StopSignal,
}

/// The shared state, as handlers get it.
pub(super) type App<'a> = &'a Arc<AppState>;

/// What a handler answers.
pub(super) type Answer = Result<Response, RequestError>;

impl AppState {
    /// Refuses requests once the server is stopping.
    pub(super) fn check_open(&self) -> Result<(), RequestError> {
        if self.stop.is_requested() {
            return Err(RequestError::stopping());
        }
        Ok(())
    }

    /// Receives the body of a request that has one of these media types.
    pub(super) async fn receive(
        &self,
        request: Request,
        types: &[&str],
    ) -> Result<ReceivedBody, RequestError> {
        receive(request, types, &self.limits, &self.body_memory).await
    }

    /// Runs work on a worker and waits for the answer until the deadline or the end of the server. `bytes`: those of its
    /// texts.
    pub(super) async fn answer<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(&Engine, &RequestState, Instant) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let deadline = self.limits.deadline();
        let (to_client, answer) = oneshot::channel();
        let work = move |engine: &Engine, state: &RequestState| {
            // Fails when the client has left.
            let _ = to_client.send(work(engine, state, deadline));
        };
        let task = Task { bytes, work: Box::new(work) };
        let _client = self.pool.submit(VecDeque::from([task]), span())?;
        tokio::select! {
            answer = answer => answer.unwrap_or_else(|_| Err(RequestError::internal())),
            () = tokio::time::sleep_until(deadline.into()) => Err(RequestError::deadline()),
            () = self.stop.over() => Err(RequestError::stopping()),
        }
    }

    /// Runs tasks on workers and streams their parts to the client.
    pub(super) fn stream(
        &self,
        media_type: &'static str,
        tasks: VecDeque<Task>,
        parts: mpsc::UnboundedReceiver<Bytes>,
        memory: OwnedSemaphorePermit,
    ) -> Answer {
        let request = StreamedRequest { client: self.pool.submit(tasks, span())?, _memory: memory };
        Ok(typed(media_type, Body::Parts(StreamedBody { parts, request: Some(request) })))
    }
}

/// Runs a future alongside the handler, within the request's span.
pub(super) fn in_span<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    SPAN.scope(span(), work)
}

/// Runs a handler within the span of its request.
pub(super) fn with_span<T>(span: Span, work: impl Future<Output = T>) -> impl Future<Output = T> {
    SPAN.scope(span, work)
}

/// Returns the span of the current request.
fn span() -> Span {
    SPAN.try_with(Clone::clone).unwrap_or_default()
}
