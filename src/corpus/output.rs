//! The line that `run` writes for a row: the pair's result with the row's id and the fields that
//! passed through.

use serde::Serialize;
use serde_json::value::RawValue;

use super::jsonl::Fields;
use crate::pipeline::{ClaimResult, Ledger, Models, PairResult, ProfileStamp, Verdict};

/// A judged row.
#[derive(Debug, Serialize)]
pub struct RowOutput<'r> {
    schema: u32,
    id: Option<&'r RawValue>,
    score: f32,
    verdict: Verdict,
    claims: &'r [ClaimResult],
    ledger: &'r Ledger,
    profile: &'r ProfileStamp,
    models: &'r Models,
    input: &'r Fields,
}

impl<'r> RowOutput<'r> {
    /// The result of the row with this `id`; `input` are its other fields.
    #[must_use]
    pub fn new(id: Option<&'r RawValue>, result: &'r PairResult, input: &'r Fields) -> Self {
        Self {
            schema: result.schema,
            id,
            score: result.score,
            verdict: result.verdict,
            claims: &result.claims,
            ledger: &result.ledger,
            profile: &result.profile,
            models: &result.models,
            input,
        }
    }
}
