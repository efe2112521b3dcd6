//! The stop signal of a server: requests in progress are finished, new ones are refused.

use std::sync::Arc;

use tokio::sync::watch::{Receiver, Sender};

/// Asks a server to stop, from any thread.
#[derive(Debug, Clone)]
pub(crate) struct StopSignal(Arc<Sender<bool>>);

impl Default for StopSignal {
    fn default() -> Self {
        Self(Arc::new(Sender::new(false)))
    }
}

impl StopSignal {
    pub(crate) fn request(&self) {
        self.0.send_replace(true);
    }

    pub(super) fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the stop is requested.
    pub(super) async fn requested(&self) {
        let mut receiver: Receiver<bool> = self.0.subscribe();
        // Fails only without a sender, and `self` is one.
        let _ = receiver.wait_for(|requested| *requested).await;
    }
}
