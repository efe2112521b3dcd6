//! How a server is asked to stop, from anywhere: what is in hand is finished, new requests are refused.

use std::sync::Arc;

use tokio::sync::watch::{Receiver, Sender};

/// The wish that a server stops.
#[derive(Debug, Clone)]
pub struct Stop(Arc<Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(Sender::new(false)))
    }
}

impl Stop {
    /// Asks for it; whether it was asked for before.
    pub fn ask(&self) -> bool {
        self.0.send_replace(true)
    }

    /// Whether it was asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is asked for.
    pub(super) async fn asked(&self) {
        let mut receiver: Receiver<bool> = self.0.subscribe();
        // The sender lives as long as this.
        let _ = receiver.wait_for(|asked| *asked).await;
    }
}
