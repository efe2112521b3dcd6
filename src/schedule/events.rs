//! Events that are reported while work goes on, and how a caller ends the work early.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::named;

/// Something that was done.
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
    /// Pairs were in a cache, or equal to others of the same call.
    Reused {
        /// Number of pairs.
        pairs: usize,
    },
    /// The small model of a screen read pairs.
    Screened {
        /// Number of pairs.
        pairs: usize,
    },
    /// Nothing was done since the last event: asks, between batches, whether the work goes on.
    Poll,
    /// Wall-clock time was spent.
    Spent {
        /// On what.
        stage: Stage,
        /// How much.
        time: Duration,
    },
}

/// What time is spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Stage {
    /// Waiting for rows.
    Reading,
    /// Extracting claims from summaries.
    Claims,
    /// Sentences and windows of documents, their tokens.
    Premises,
    /// The small model of a screen.
    Screening,
    /// Coreference and the rewritten sentences.
    Coreference,
    /// The NLI model.
    Model,
    /// Waiting for the output.
    Writing,
    /// Everything between: requests, alignment, verdicts.
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

/// Called with every event. The return value counts after a batch and for [`Event::Poll`]: `Break` ends the work, and what
/// is not complete is dropped.
pub type OnEvent<'a> = dyn Fn(Event) -> ControlFlow<()> + Sync + 'a;

/// An [`OnEvent`] that ignores all events.
pub fn ignore_events(_: Event) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// [`Error::Stopped`] when the caller has ended the work; for loops that are long and compute no batch.
pub fn poll(on_event: &OnEvent<'_>) -> Result<()> {
    if on_event(Event::Poll).is_break() { Err(Error::Stopped) } else { Ok(()) }
}

/// Does the work of a stage and reports its time.
pub fn timed<T>(stage: Stage, on_event: &OnEvent<'_>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    // Work ends only after a batch or at a poll.
    let _ = on_event(Event::Spent { stage, time: start.elapsed() });
    result
}
