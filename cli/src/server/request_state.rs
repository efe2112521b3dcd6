//! The state of a request: whether its client has left, and how many of its tasks run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use veridic::schedule::QueueClient;

use crate::telemetry::Span;

/// The state of a request, shared by its tasks and its client.
pub(super) struct RequestState {
    /// Whether the client has left.
    pub(super) is_abandoned: AtomicBool,
    /// The number of running tasks.
    pub(super) running: AtomicUsize,
    /// The number of started tasks whose answers have not been received.
    pub(super) unread: AtomicUsize,
    /// The request's client of the model queue.
    pub(super) queue_client: QueueClient,
    /// The request's telemetry span, which lasts as long as its work.
    pub(super) span: Span,
}

impl RequestState {
    /// The maximum number of started tasks whose answers the client has not received.
    pub(super) const MAX_UNREAD: usize = 32;

    /// Creates the state of a request that has not started.
    pub(super) fn new(queue_client: QueueClient, span: Span) -> Self {
        Self {
            is_abandoned: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            unread: AtomicUsize::new(0),
            queue_client,
            span,
        }
    }

    /// Whether the client has left.
    pub(super) fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed)
    }

    /// Whether another of its tasks may start.
    pub(super) fn can_start(&self, max_running: usize) -> bool {
        self.running.load(Ordering::Relaxed) < max_running
            && self.unread.load(Ordering::Relaxed) < Self::MAX_UNREAD
    }
}
