//! Resource limits for clients: bytes per body and in total, queued requests, connections, seconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// Memory for bodies is counted in blocks of this size.
pub(super) const BLOCK_BYTES: usize = 4096;

/// The limits of a server; the module docs of [`super`] list what happens at each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The maximum size of a body.
    pub(crate) body_bytes: usize,
    /// The maximum size of the bodies of all requests in progress.
    pub(crate) total_bytes: usize,
    /// The maximum number of requests that wait for a worker.
    pub(crate) queued_requests: usize,
    /// The time from a request to its answer; in a batch, from the start of a group of rows to its results.
    pub(crate) timeout: Duration,
    /// The maximum number of open connections.
    pub(crate) connections: usize,
}

impl Limits {
    /// Returns the blocks that all bodies may hold together.
    pub(super) fn body_memory(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(blocks(self.total_bytes.max(self.body_bytes))))
    }

    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.timeout
    }
}

/// Returns the number of blocks for this many bytes.
pub(super) fn blocks(bytes: usize) -> usize {
    bytes.div_ceil(BLOCK_BYTES).min(Semaphore::MAX_PERMITS)
}
