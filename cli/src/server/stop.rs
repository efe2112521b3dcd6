//! The stop signal of a server: new requests are refused, and those in progress have a moment to finish.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::watch::{Receiver, Sender};

use veridic_program::signals::FINISHING;

/// Requests a stop of the server, from any thread.
#[derive(Debug, Clone)]
pub(crate) struct StopSignal(Arc<Sender<Option<Instant>>>);

impl Default for StopSignal {
    fn default() -> Self {
        Self(Arc::new(Sender::new(None)))
    }
}

impl StopSignal {
    pub(crate) fn request(&self) {
        self.0.send_replace(Some(Instant::now()));
    }

    pub(super) fn is_requested(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Whether the time for requests in progress is over.
    pub(super) fn is_over(&self) -> bool {
        self.0.borrow().is_some_and(|requested| requested.elapsed() > FINISHING)
    }

    /// Waits until the stop is requested.
    pub(super) async fn requested(&self) {
        let mut receiver: Receiver<Option<Instant>> = self.0.subscribe();
        // Fails only without a sender, and `self` is one.
        let _ = receiver.wait_for(Option::is_some).await;
    }

    /// Waits until the time for requests in progress is over.
    pub(super) async fn over(&self) {
        self.requested().await;
        let requested = *self.0.borrow();
        if let Some(requested) = requested {
            tokio::time::sleep_until((requested + FINISHING).into()).await;
        }
    }
}
