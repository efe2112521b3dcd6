//! What a caller is told while work goes on, and how it ends it early.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

/// Something that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A batch was computed.
    Computed {
        /// Its pairs.
        pairs: usize,
        /// Its tokens, all of them real.
        tokens: usize,
    },
    /// Pairs were known, or equal to others asked for with them.
    Reused {
        /// How many.
        pairs: usize,
    },
    /// Time went by, as a clock on the wall has it.
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
pub enum Stage {
    /// Waiting for rows.
    Reading,
    /// Claims of summaries.
    Claims,
    /// Sentences and windows of documents, their tokens.
    Premises,
    /// Which parts of a document name the same thing, sentences under other names.
    Coreference,
    /// The NLI model.
    Model,
    /// Waiting for the output.
    Writing,
    /// Between those: requests, alignment, verdicts.
    Other,
}

/// Is told of every event. Its answer counts after a batch: `Break` ends the work, what is not complete is
/// given up.
pub type OnEvent<'a> = dyn Fn(Event) -> ControlFlow<()> + Sync + 'a;

/// For who does not look.
pub fn ignore_events(_: Event) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Does the work of a stage and tells its time.
pub(crate) fn timed<T>(stage: Stage, on_event: &OnEvent<'_>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    // Only a batch's end is a place to stop.
    let _ = on_event(Event::Spent { stage, time: start.elapsed() });
    result
}
