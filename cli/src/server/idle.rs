//! Idle connections: those that have not sent the whole head of a request, and those kept open for the next one. When no
//! slot is free, the one that has been idle longest is closed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::body::{Bytes, Frame, SizeHint};
use hyper::service::Service;
use tokio::task::AbortHandle;

use super::app::AppState;
use super::response::{Body, Request};
use super::routes::respond;

/// A connection idle for less than this is not closed: a request or an answer may be in transit.
const MIN_WAIT: Duration = Duration::from_millis(250);

/// The open connections.
#[derive(Default)]
pub(super) struct Connections(Mutex<HashMap<u64, Connection>>);

struct Connection {
    /// The time since which no request is handled; `None` during a request.
    idle_since: Option<Instant>,
    task: AbortHandle,
}

impl Connections {
    pub(super) fn add(&self, number: u64, task: AbortHandle) {
        self.all().insert(number, Connection { idle_since: Some(Instant::now()), task });
    }

    pub(super) fn remove(&self, number: u64) {
        self.all().remove(&number);
    }

    /// Closes the connection that has been idle longest, if it has been idle long enough.
    pub(super) fn close_longest_idle(&self) {
        let mut all = self.all();
        let idle = all.iter().filter_map(|(number, connection)| Some((connection.idle_since?, *number)));
        let Some((_, number)) = idle.min().filter(|(since, _)| since.elapsed() > MIN_WAIT) else { return };
        if let Some(connection) = all.remove(&number) {
            connection.task.abort();
        }
    }

    fn set_idle(&self, number: u64, idle_since: Option<Instant>) {
        if let Some(connection) = self.all().get_mut(&number) {
            connection.idle_since = idle_since;
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<u64, Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The service of one connection, which is busy from the head of a request to the end of its answer.
pub(super) struct Watched {
    pub(super) app: Arc<AppState>,
    pub(super) connections: Arc<Connections>,
    pub(super) number: u64,
}

impl Service<Request> for Watched {
    type Response = hyper::Response<WatchedBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request) -> Self::Future {
        let busy = Busy::new(Arc::clone(&self.connections), self.number);
        let answer = respond(Arc::clone(&self.app), request);
        Box::pin(async move { Ok(answer.await.map(|body| WatchedBody { body, _busy: busy })) })
    }
}

/// Marks a connection as busy until dropped.
struct Busy {
    connections: Arc<Connections>,
    number: u64,
}

impl Busy {
    fn new(connections: Arc<Connections>, number: u64) -> Self {
        connections.set_idle(number, None);
        Self { connections, number }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.connections.set_idle(self.number, Some(Instant::now()));
    }
}

/// The body of an answer.
pub(super) struct WatchedBody {
    body: Body,
    _busy: Busy,
}

impl hyper::body::Body for WatchedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
