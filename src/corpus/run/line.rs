//! The output line of a row: its result with its id and the fields that passed through, or why it could not be judged; and
//! the part of it that the journal keeps.

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::corpus::judge::{JudgedRow, RowJudge};
use crate::corpus::read::{Place, RowFault};
use crate::error::Error;
use crate::input::Fields;
use crate::result::SCHEMA;

/// The parts of a line that come from the input.
pub(super) struct RowFields<'r> {
    /// The row's number in the input, from 0; only in a shard's output.
    pub(super) number: Option<u64>,
    pub(super) id: Option<&'r RawValue>,
    pub(super) input: &'r Fields,
}

/// The fields of a result that are the same in every row of a run.
const SAME_FIELDS: [&str; 3] = ["schema", "profile", "models"];

/// A row's result as the journal keeps it.
pub(super) enum RowResult {
    /// `fields`: the members of the result's JSON object that differ from row to row.
    Judged {
        score: f32,
        fields: String,
    },
    Failed {
        reason: String,
    },
}

/// The fields that are the same in every line of a run.
pub(super) struct RunFields {
    /// `"profile":..,"models":..`
    json: String,
    settings_sha256: [u8; 32],
}

#[derive(Serialize)]
struct Failure<'f> {
    file: &'f str,
    line: Option<usize>,
    row: Option<usize>,
    reason: &'f str,
}

impl RowResult {
    pub(super) fn of(result: &Result<JudgedRow, Error>) -> Self {
        let row = match result {
            Ok(row) => row,
            Err(error) => return Self::Failed { reason: error.to_string() },
        };
        let score = row.score;
        let judged = row.judged.as_ref().map_or_else(|| format!("{{\"score\":{}}}", json(&score)), json);
        let mut fields: Fields = serde_json::from_str(&judged).expect("a result is an object");
        fields.retain(|name| !SAME_FIELDS.contains(&name));
        for (name, value) in row.members.iter() {
            fields.push(name, value.to_owned());
        }
        Self::Judged { score, fields: members(fields.json().get()).to_owned() }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Judged { score, fields } => [&b"+"[..], &score.to_le_bytes(), fields.as_bytes()].concat(),
            Self::Failed { reason } => [b"-", reason.as_bytes()].concat(),
        }
    }

    /// Parses the bytes of `to_bytes`; `None` for any others.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (b'+', rest) => {
                let (score, fields) = rest.split_first_chunk::<4>()?;
                let fields = str::from_utf8(fields).ok()?.to_owned();
                Some(Self::Judged { score: f32::from_le_bytes(*score), fields })
            }
            (b'-', reason) => Some(Self::Failed { reason: str::from_utf8(reason).ok()?.to_owned() }),
            _ => None,
        }
    }
}

impl RunFields {
    pub(super) fn of(judge: &dyn RowJudge) -> Self {
        let (profile, models) = (json(&judge.profile_stamp()), json(&judge.scorer().models()));
        let fields = format!("\"profile\":{profile},\"models\":{models}");
        let mut digest = Sha256::new();
        // Another version may give other results.
        digest.update(format!("veridic {} schema {SCHEMA} {fields}", env!("CARGO_PKG_VERSION")));
        digest.update(judge.stamp());
        Self { json: fields, settings_sha256: digest.finalize().into() }
    }

    /// Returns a digest of everything that determines a result, except the row's texts.
    pub(super) fn settings_sha256(&self) -> &[u8] {
        &self.settings_sha256
    }

    /// Returns the line of a judged row.
    pub(super) fn judged_line(&self, row: &RowFields<'_>, fields: &str) -> String {
        format!("{{{},{fields},{},\"input\":{}}}", head(row), self.json, json(row.input))
    }
}

/// Returns the line of a row that could not be judged.
pub(super) fn failed_line(row: &RowFields<'_>, fault: &RowFault) -> String {
    let (line, number) = match fault.origin.place {
        Place::File => (None, None),
        Place::Line(line) => (Some(line), None),
        Place::Row(row) => (None, Some(row)),
    };
    let failure = Failure { file: &fault.origin.file, line, row: number, reason: &fault.reason };
    format!("{{{},\"error\":{},\"input\":{}}}", head(row), json(&failure), json(row.input))
}

/// Returns the first members of every line.
fn head(row: &RowFields<'_>) -> String {
    let id = row.id.map_or("null", RawValue::get);
    let number = row.number.map(|number| format!(",\"row\":{number}")).unwrap_or_default();
    format!("\"schema\":{SCHEMA},\"id\":{id}{number}")
}

/// Returns the members of a JSON object, without its braces.
fn members(object: &str) -> &str {
    object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).expect("an object is in braces")
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are valid JSON")
}

pub(super) fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
