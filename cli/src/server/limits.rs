//! How much clients may use: bytes of one body and of all bodies, queued requests, connections, seconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// The memory for bodies is counted in blocks of this many bytes.
pub(super) const BLOCK_BYTES: usize = 4096;

/// The limits of a server; the head of [`super`] lists what happens at each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Longest body.
    pub(crate) body_bytes: usize,
    /// Bodies of all requests in progress.
    pub(crate) total_bytes: usize,
    /// Requests that wait for a worker.
    pub(crate) queued_requests: usize,
    /// From a request to its answer; in a batch, from the start of a group of rows to its results.
    pub(crate) timeout: Duration,
    /// Connections that are open at the same time.
    pub(crate) connections: usize,
}

impl Limits {
    /// The blocks that all bodies may hold together.
    pub(super) fn body_memory(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(blocks(self.total_bytes.max(self.body_bytes))))
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }
}

/// The blocks that so many bytes need.
pub(super) fn blocks(bytes: usize) -> usize {
    bytes.div_ceil(BLOCK_BYTES).min(Semaphore::MAX_PERMITS)
}
