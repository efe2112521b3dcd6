//! Scores with labels from one file: the output of `veridic run`, or any rows with a field `score` and a field for the
//! label. A label may have passed through the run (in `input`, in a table the column `input.NAME`) or be in the row itself;
//! if both have the name, the passed-through field wins, since it is the user's own.
//!
//! Rows that could not be judged, and rows without a label, are left out and listed separately. Any other row without a
//! score is an error with its place; so are a label other than 0 and 1, a number that is not finite, a single shard of a
//! run, and rows of claims.

use veridic::corpus::Fields;
use veridic::corpus::read::{Origin, RawRow, RowFault};
use veridic_models::store::quoting::listed_names;

use crate::protocol::fields::zero_or_one;
use crate::protocol::{BenchError, read_fields};

#[derive(Debug, Clone, PartialEq)]
pub struct LabelledRow {
    pub origin: Origin,
    pub id: Option<String>,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    Judged {
        score: f64,
        /// The label, 1 (consistent) or 0.
        label: bool,
    },
    /// The run could not judge it, and recorded an error.
    NotJudged,
    /// Its label is missing or empty.
    NoLabel,
}

/// The rows of a score file, in its order; at least one is judged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LabelledScores(pub Vec<LabelledRow>);

impl LabelledScores {
    /// Reads all rows; `label_field` holds the label. Refuses the first row that has neither a score nor an error; a file
    /// without rows that have both a score and a label.
    pub fn read(
        rows: impl IntoIterator<Item = Result<RawRow, RowFault>>,
        label_field: &str,
    ) -> Result<Self, BenchError> {
        let (mut scores, mut without) = (Self::default(), WithoutLabel::of(label_field));
        read_fields(rows, |origin, fields| {
            let id = fields.get("id").and_then(|id| text_of(id.get()));
            let outcome = outcome(&fields, label_field)?;
            if outcome == Outcome::NoLabel {
                without.add(&fields);
            }
            scores.0.push(LabelledRow { origin: origin.clone(), id, outcome });
            Ok(())
        })?;
        if scores.judged().next().is_none() {
            return Err(BenchError::Data(without.reason(scores.0.len())));
        }
        Ok(scores)
    }

    /// Returns the score and the label of each judged row.
    pub fn judged(&self) -> impl Iterator<Item = (f64, bool)> {
        self.0.iter().filter_map(|row| match row.outcome {
            Outcome::Judged { score, label } => Some((score, label)),
            Outcome::NotJudged | Outcome::NoLabel => None,
        })
    }

    pub fn count(&self, outcome: Outcome) -> usize {
        self.0.iter().filter(|row| row.outcome == outcome).count()
    }
}

/// Counts rows without a label, for the error when no other row is left.
pub(super) struct WithoutLabel<'l> {
    label_field: &'l str,
    pub(super) rows: usize,
    /// The fields of the first such row.
    fields: Option<String>,
}

impl<'l> WithoutLabel<'l> {
    pub(super) fn of(label_field: &'l str) -> Self {
        Self { label_field, rows: 0, fields: None }
    }

    pub(super) fn add(&mut self, fields: &Fields) {
        self.rows += 1;
        self.fields.get_or_insert_with(|| found(fields));
    }

    /// Returns why none of `rows` rows is left.
    pub(super) fn reason(&self, rows: usize) -> String {
        match &self.fields {
            _ if rows == 0 => "holds no rows".to_owned(),
            Some(fields) => format!(
                "none of its {rows} rows has a score and a label in the field `{}` ({fields}): set --label to the field of \
                 the label",
                self.label_field
            ),
            None => format!("none of its {rows} rows could be judged, as the `error` of each says"),
        }
    }
}

pub(super) fn outcome(fields: &Fields, label_field: &str) -> Result<Outcome, String> {
    let Some(score) = score(fields)? else { return Ok(Outcome::NotJudged) };
    let label = label(fields, label_field)?;
    Ok(label.map_or(Outcome::NoLabel, |label| Outcome::Judged { score, label }))
}

/// Returns the score of a row; `None` if it could not be judged.
fn score(fields: &Fields) -> Result<Option<f64>, String> {
    let text = |name: &str| fields.get(name).and_then(|value| text_of(value.get()));
    if text("claim_index").is_some() {
        return Err("is a row of one claim: give an output with one row for each text".into());
    }
    if let Some(score) = text("score") {
        return finite(&score).map(Some);
    }
    if ["error.reason", "error"].into_iter().any(|name| text(name).is_some()) {
        return Ok(None);
    }
    if text("shard").is_some() {
        return Err("this is one shard of a run: join its shards with `veridic merge` first".into());
    }
    if fields.get("score").is_some() {
        return Err("field `score` is empty: give a score or take the row out".into());
    }
    Err(format!("has no field `score` (its fields: {})", listed_names(&fields.names())))
}

fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("field `score` must be a finite number".into()),
    }
}

/// Returns the label of a row; `None` if it is missing or empty.
fn label(fields: &Fields, name: &str) -> Result<Option<bool>, String> {
    let Some(text) = text_in(fields, name) else { return Ok(None) };
    let refusal = || format!("field `{name}` must be 1 (consistent) or 0");
    zero_or_one(&text).map(Some).ok_or_else(refusal)
}

pub(super) fn own_text(fields: &Fields, name: &str) -> Result<String, String> {
    let missing = || format!("has no text in the field `{name}` ({})", found(fields));
    text_in(fields, name).ok_or_else(missing)
}

/// Returns a field's text: from the passed-through fields, or else from the row itself.
fn text_in(fields: &Fields, name: &str) -> Option<String> {
    let passed = passed_through(fields);
    let column = format!("input.{name}");
    let places = [passed.get(name), fields.get(&column), fields.get(name)];
    places.iter().flatten().find_map(|value| text_of(value.get()))
}

/// Returns the fields that passed through a run; in a table, those without a separate column, which are JSON in one cell.
fn passed_through(fields: &Fields) -> Fields {
    let object = fields.get("input").and_then(|input| text_of(input.get()));
    object.and_then(|object| serde_json::from_str(&object).ok()).unwrap_or_default()
}

fn found(fields: &Fields) -> String {
    let (names, passed) = (fields.names(), passed_through(fields));
    let columns = names.iter().filter_map(|name| name.strip_prefix("input."));
    let passed: Vec<&str> = passed.names().into_iter().chain(columns).collect();
    if passed.is_empty() {
        return format!("its fields: {}", listed_names(&names));
    }
    format!("passed-through fields: {}", listed_names(&passed))
}

/// Returns a value as text, so that a number is the same in JSON and in a table; `None` if it is null or empty.
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
