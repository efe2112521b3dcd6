//! The line that a row becomes: its result, with its id and the fields that passed through, or why it could
//! not be judged; and the part of it that the journal keeps.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::corpus::jsonl::Fields;
use crate::corpus::read::{Place, RowFault};
use crate::error::Error;
use crate::metrics::{Evaluation, Evaluator, Measures};
use crate::pipeline::{ClaimResult, Ledger, Limits, PairResult, Reason, SCHEMA, Verdict};

/// What comes from the row itself.
pub(super) struct Line<'r> {
    /// Its number in the input, from 0, in a shard's output.
    pub(super) number: Option<u64>,
    pub(super) id: Option<&'r RawValue>,
    pub(super) input: &'r Fields,
}

/// What came of a row, as the journal keeps it.
pub(super) enum Outcome {
    Judged { score: f32, body: String },
    Failed { reason: String },
}

/// What is said of a summary; nothing where no claims were judged.
#[derive(Default, Deserialize)]
pub(super) struct Said {
    pub(super) verdict: Option<Verdict>,
    pub(super) reason: Option<Reason>,
}

/// What is the same in every line of a run.
pub(super) struct Stamp {
    /// `"profile":..,"models":..`
    fields: String,
    settings: [u8; 32],
}

/// What differs from row to row.
#[derive(Serialize)]
struct Body<'r> {
    score: f32,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    judged: Option<Judged<'r>>,
    #[serde(flatten)]
    measures: &'r Measures,
}

#[derive(Serialize)]
struct Judged<'r> {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    limits: Limits,
    claims: &'r [ClaimResult],
    ledger: &'r Ledger,
}

impl<'r> Judged<'r> {
    fn of(result: &'r PairResult) -> Self {
        let PairResult { verdict, reason, limits, claims, ledger, .. } = result;
        Self { verdict: *verdict, reason: *reason, limits: *limits, claims, ledger }
    }
}

#[derive(Serialize)]
struct Failure<'f> {
    file: &'f str,
    line: Option<usize>,
    row: Option<usize>,
    reason: &'f str,
}

impl Outcome {
    pub(super) fn of(result: &Result<Evaluation, Error>) -> Self {
        match result {
            Ok(Evaluation { score, judged, measures, .. }) => {
                let body = Body { score: *score, judged: judged.as_ref().map(Judged::of), measures };
                Self::Judged { score: *score, body: inside(&json(&body)).to_owned() }
            }
            Err(error) => Self::Failed { reason: error.to_string() },
        }
    }

    /// What is said of the summary.
    pub(super) fn said(&self) -> Said {
        let Self::Judged { body, .. } = self else { return Said::default() };
        serde_json::from_str(&format!("{{{body}}}")).unwrap_or_default()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Judged { score, body } => [&b"+"[..], &score.to_le_bytes(), body.as_bytes()].concat(),
            Self::Failed { reason } => [b"-", reason.as_bytes()].concat(),
        }
    }

    /// None for what `to_bytes` does not write.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (b'+', rest) => {
                let (score, body) = rest.split_first_chunk::<4>()?;
                let body = str::from_utf8(body).ok()?.to_owned();
                Some(Self::Judged { score: f32::from_le_bytes(*score), body })
            }
            (b'-', reason) => Some(Self::Failed { reason: str::from_utf8(reason).ok()?.to_owned() }),
            _ => None,
        }
    }
}

impl Stamp {
    pub(super) fn of(evaluator: &Evaluator) -> Self {
        let scorer = evaluator.scorer();
        let (profile, models) = (json(&scorer.stamp()), json(&scorer.models()));
        let fields = format!("\"profile\":{profile},\"models\":{models}");
        let mut digest = Sha256::new();
        // Another version may judge otherwise.
        digest.update(format!("veridic {} schema {SCHEMA} {fields}", env!("CARGO_PKG_VERSION")));
        digest.update(evaluator.stamp());
        Self { fields, settings: digest.finalize().into() }
    }

    /// A digest of all that decides a result beside the texts.
    pub(super) fn settings(&self) -> &[u8] {
        &self.settings
    }

    /// The line of a judged row.
    pub(super) fn judged(&self, line: &Line<'_>, body: &str) -> String {
        format!("{{{},{body},{},\"input\":{}}}", head(line), self.fields, json(line.input))
    }
}

/// The line of a row that could not be judged.
pub(super) fn failed(line: &Line<'_>, fault: &RowFault) -> String {
    let (at_line, row) = match fault.origin.place {
        Place::File => (None, None),
        Place::Line(line) => (Some(line), None),
        Place::Row(row) => (None, Some(row)),
    };
    let failure = Failure { file: &fault.origin.file, line: at_line, row, reason: &fault.reason };
    format!("{{{},\"error\":{},\"input\":{}}}", head(line), json(&failure), json(line.input))
}

/// How every line begins.
fn head(line: &Line<'_>) -> String {
    let id = line.id.map_or("null", RawValue::get);
    let number = line.number.map(|number| format!(",\"row\":{number}")).unwrap_or_default();
    format!("\"schema\":{SCHEMA},\"id\":{id}{number}")
}

/// The fields of an object's JSON.
fn inside(object: &str) -> &str {
    object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).expect("an object is in braces")
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are valid JSON")
}
