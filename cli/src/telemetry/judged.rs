//! A row that was judged or failed, as its event tells it.

use veridic::result::PairResult;

/// A row that was judged, or failed.
#[cfg_attr(not(feature = "telemetry"), allow(dead_code))]
pub(crate) struct Judged<'e> {
    /// Its id as JSON, if it has one.
    pub(crate) id: Option<&'e str>,
    /// Its result, or the kind of its error.
    pub(crate) result: Result<&'e PairResult, &'e str>,
}
