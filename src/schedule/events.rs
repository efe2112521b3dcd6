//! Events that are reported during the work, and by which a caller can stop it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::named;

/// A step of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A batch was computed.
    Computed {
        /// Its pairs.
        pairs: usize,
        /// Its tokens; none of them is padding.
        tokens: usize,
    },
    /// Pairs were found in a cache, or equal other pairs of the same call.
    Reused {
        /// Number of pairs.
        pairs: usize,
    },
    /// The small model of a screen read pairs.
    Screened {
        /// Number of pairs.
        pairs: usize,
    },
    /// No step; asks between batches whether to continue.
    Poll,
    /// Wall-clock time was spent.
    Spent {
        /// The stage on which it was spent.
        stage: Stage,
        /// The time spent.
        time: Duration,
    },
}

/// The stages of the work, for measured times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Stage {
    /// Waiting for rows.
    Reading,
    /// Extracting claims from summaries.
    Claims,
    /// Splitting documents into premises and tokenizing them.
    Premises,
    /// The small model of a screen.
    Screening,
    /// Coreference and the rewritten sentences.
    Coreference,
    /// The NLI model.
    Model,
    /// Waiting for the output.
    Writing,
    /// The rest: requests, alignment, verdicts.
    Other,
}

named!(Stage, "stage", {
    Reading = "reading",
    Claims = "claims",
    Premises = "premises",
    Screening = "screening",
    Coreference = "coreference",
    Model = "model",
    Writing = "writing",
    Other = "other",
});

/// Called with every event. The return value matters after a batch and for [`Event::Poll`]: `Break` stops the work and
/// drops incomplete results.
pub type OnEvent<'a> = dyn Fn(Event) -> ControlFlow<()> + Sync + 'a;

/// An [`OnEvent`] that ignores all events.
pub fn ignore_events(_: Event) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns [`Error::Stopped`] when the caller has stopped the work; for long loops that compute no batch.
pub fn poll(on_event: &OnEvent<'_>) -> Result<()> {
    if on_event(Event::Poll).is_break() { Err(Error::Stopped) } else { Ok(()) }
}

/// Runs the work of a stage and reports its time.
pub fn timed<T>(stage: Stage, on_event: &OnEvent<'_>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    // The work is stopped only after a batch or at a poll.
    let _ = on_event(Event::Spent { stage, time: start.elapsed() });
    result
}
