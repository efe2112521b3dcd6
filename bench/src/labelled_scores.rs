//! Scores with labels from one file: the output of `veridic run`, or any rows with a field `score` and a field for the
//! label. A label may have been passed through the run (in `input`, in a table the column `input.NAME`) or be in the row
//! itself; where both have the name, the passed-through field counts, since it is the user's own.
//!
//! Rows that could not be judged have no score: they are listed separately. Every other row without a score and a label
//! is an error with its place: a missing field, a label other than 0 and 1, a number that is not finite, one shard of a
//! run, rows of claims.

use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};

use super::fields::{short, zero_or_one};
use super::read::{BenchError, read_fields};

/// A row's score and label.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledScore {
    /// Where the row is.
    pub origin: Origin,
    /// Its number among all rows, from 0.
    pub number: usize,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// A finite number.
    pub score: f64,
    /// 1 (consistent) or 0.
    pub label: bool,
}

/// A row that a run could not judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJudged {
    /// Where the row is.
    pub origin: Origin,
    /// Its number among all rows, from 0.
    pub number: usize,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// The error that the run recorded.
    pub reason: String,
}

/// The rows of a score file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LabelledScores {
    /// Rows with a score, in the order of the file; at least one.
    pub rows: Vec<LabelledScore>,
    /// Rows without.
    pub not_judged: Vec<NotJudged>,
}

impl LabelledScores {
    /// Reads all rows; `label_field` holds the label.
    ///
    /// # Errors
    /// The first row without a score and a label, and a file without scores.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        label_field: &str,
    ) -> Result<Self, BenchError> {
        let mut scores = Self::default();
        read_fields(rows, |origin, fields| {
            let (origin, number) = (origin.clone(), scores.rows.len() + scores.not_judged.len());
            let id = fields.get("id").and_then(|id| text_of(id.get()));
            match outcome(&fields, label_field)? {
                Outcome::Judged { score, label } => {
                    scores.rows.push(LabelledScore { origin, number, id, score, label });
                }
                Outcome::NotJudged { reason } => {
                    scores.not_judged.push(NotJudged { origin, number, id, reason });
                }
            }
            Ok(())
        })?;
        match scores.not_judged.as_slice() {
            _ if !scores.rows.is_empty() => Ok(scores),
            [] => Err(BenchError::Data("holds no rows".into())),
            [first, ..] => {
                let (rows, reason) = (scores.not_judged.len(), &first.reason);
                Err(BenchError::Data(format!(
                    "none of its {rows} rows could be judged, the first because: {reason}"
                )))
            }
        }
    }

    /// The scores, in the order of the file.
    #[must_use]
    pub fn scores(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.score).collect()
    }

    /// The labels, in the order of the file.
    #[must_use]
    pub fn labels(&self) -> Vec<bool> {
        self.rows.iter().map(|row| row.label).collect()
    }
}

/// The result of a row.
pub(super) enum Outcome {
    Judged { score: f64, label: bool },
    NotJudged { reason: String },
}

pub(super) fn outcome(fields: &Fields, label_field: &str) -> Result<Outcome, String> {
    Ok(match score(fields)? {
        Ok(score) => Outcome::Judged { score, label: label(fields, label_field)? },
        Err(reason) => Outcome::NotJudged { reason },
    })
}

/// The score of a row, or why it could not be judged.
pub(super) fn score(fields: &Fields) -> Result<Result<f64, String>, String> {
    let text = |name: &str| fields.get(name).and_then(|value| text_of(value.get()));
    if text("claim_index").is_some() {
        return Err("is a row of one claim: give an output with one row for each text".into());
    }
    if let Some(score) = text("score") {
        return finite(&score).map(Ok);
    }
    if let Some(reason) = text("error.reason").or_else(|| reason_within(&text("error")?)) {
        return Ok(Err(reason));
    }
    if text("shard").is_some() {
        return Err("this is one shard of a run: join its shards with `veridic merge` first".into());
    }
    if fields.get("score").is_some() {
        return Err("field `score` is empty: give a score or take the row out".into());
    }
    Err(format!("has no field `score` ({})", listed(&fields.names(), "its fields")))
}

/// The reason in the error of a row; the JSON as it is if `veridic run` did not write it.
pub(super) fn reason_within(error: &str) -> Option<String> {
    let reason = serde_json::from_str::<Fields>(error).ok();
    let reason = reason.and_then(|fields| text_of(fields.get("reason")?.get()));
    Some(reason.unwrap_or_else(|| short(error)))
}

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("field `score` is {}: it must be a finite number", short(text))),
    }
}

fn label(fields: &Fields, name: &str) -> Result<bool, String> {
    let fault = |fault| match fault {
        NoText::Empty => format!("field `{name}` is empty: it must be 1 (consistent) or 0"),
        NoText::Missing(found) => {
            format!("has no field `{name}` ({found}): set `label` to the field of the label")
        }
    };
    let text = text_in(fields, name).map_err(fault)?;
    let refusal = || format!("field `{name}` is {}: it must be 1 (consistent) or 0", short(&text));
    zero_or_one(&text).ok_or_else(refusal)
}

/// The text of a field of the user's own.
pub(super) fn own_text(fields: &Fields, name: &str) -> Result<String, String> {
    text_in(fields, name).map_err(|fault| match fault {
        NoText::Empty => format!("field `{name}` is empty"),
        NoText::Missing(found) => format!("has no field `{name}` ({found})"),
    })
}

/// Why a field has no text.
enum NoText {
    Empty,
    /// There is no such field; the fields that there are.
    Missing(String),
}

/// A field's text: passed through a run, or else from the row itself.
fn text_in(fields: &Fields, name: &str) -> Result<String, NoText> {
    let passed = passed_through(fields);
    let column = format!("input.{name}");
    let places = [passed.get(name), fields.get(&column), fields.get(name)];
    let text = places.iter().flatten().find_map(|value| text_of(value.get()));
    text.ok_or_else(|| {
        if places.iter().any(Option::is_some) {
            NoText::Empty
        } else {
            NoText::Missing(found(fields, &passed))
        }
    })
}

/// The fields that were passed through a run; in a table those without a column of their own, as JSON in a cell.
fn passed_through(fields: &Fields) -> Fields {
    let object = fields.get("input").and_then(|input| text_of(input.get()));
    object.and_then(|object| serde_json::from_str(&object).ok()).unwrap_or_default()
}

/// The fields that may hold a label.
fn found(fields: &Fields, passed: &Fields) -> String {
    let names = fields.names();
    let columns = names.iter().filter_map(|name| name.strip_prefix("input."));
    let passed: Vec<&str> = passed.names().into_iter().chain(columns).collect();
    if passed.is_empty() { listed(&names, "its fields") } else { listed(&passed, "passed-through fields") }
}

fn listed(names: &[&str], what: &str) -> String {
    const MOST_NAMES: usize = 16;
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| short(name)).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 if names.is_empty() => format!("{what}: none"),
        0 => format!("{what}: {}", shown.join(", ")),
        more => format!("{what}: {} and {more} more", shown.join(", ")),
    }
}

/// A value as text, so that a number is the same in JSON and in a table; `None` if it is null or empty.
pub(super) fn text_of(json: &str) -> Option<String> {
    let text = match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned()),
        _ => json.to_owned(),
    };
    let text = text.trim();
    (!text.is_empty() && json != "null").then(|| text.to_owned())
}

#[cfg(test)]
mod tests;
