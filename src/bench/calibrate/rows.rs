//! Labelled rows of `veridic run`, with the facts of their claims where the profile looks at them.
//!
//! Rows that could not be judged are left out and counted. Refuses tables, which have no facts, and rows of more than
//! one NLI model, profile or list of levels.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::bench::labelled_scores::{LabelledScoresError, Outcome, outcome};
use crate::corpus::Fields;
use crate::corpus::read::{RawRow, RowFault};
use crate::pipeline::evidence::{Fact, Facts, FittedFor};

/// A labelled row.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRow {
    /// The number of its file.
    pub file: usize,
    /// Its score.
    pub score: f64,
    /// Whether people call it consistent.
    pub is_consistent: bool,
    /// The scores of its claims; at least one.
    pub claims: Vec<f64>,
    /// The facts of its claims, if all rows have them.
    pub facts: Option<Vec<Facts>>,
}

/// Rows of one model and one profile.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRows {
    /// The files' names.
    pub files: Vec<String>,
    /// What their scores were computed with.
    pub fitted_for: FittedFor,
    /// The rows, file by file.
    pub rows: Vec<CalibrationRow>,
    /// Rows that could not be judged.
    pub not_judged: usize,
}

#[derive(Deserialize)]
struct ClaimOfRow {
    score: f64,
    facts: Option<BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
struct ModelsOfRow {
    nli: ModelOfRow,
}

#[derive(Deserialize)]
struct ModelOfRow {
    sha256: String,
    settings_sha256: String,
}

#[derive(Deserialize)]
struct ProfileOfRow {
    name: String,
    levels: Vec<String>,
    claims: String,
}

impl CalibrationRows {
    /// Reads files, each by its name and rows; `label_field` holds the label.
    ///
    /// # Errors
    /// The first row that is no labelled row of a run, or of another model or profile than the first.
    pub fn read<R: IntoIterator<Item = Result<RawRow, RowFault>>>(
        files: impl IntoIterator<Item = (String, R)>,
        label_field: &str,
    ) -> Result<Self, LabelledScoresError> {
        let (mut names, mut rows, mut not_judged, mut first) = (Vec::new(), Vec::new(), 0, None);
        for (file, (name, raw_rows)) in files.into_iter().enumerate() {
            names.push(name);
            for row in raw_rows {
                let RawRow { origin, fields } = row?;
                let read = read_row(file, &fields, label_field).and_then(|read| {
                    let Some((row, fitted_for)) = read else { return Ok(None) };
                    let first = first.get_or_insert_with(|| fitted_for.clone());
                    same(first, &fitted_for).map(|()| Some(row))
                });
                match read {
                    Ok(Some(row)) => rows.push(row),
                    Ok(None) => not_judged += 1,
                    Err(reason) => return Err(LabelledScoresError::Row { origin, reason }),
                }
            }
        }
        let fitted_for = first.ok_or(LabelledScoresError::Empty)?;
        if rows.iter().any(|row| row.facts.is_none()) {
            rows.iter_mut().for_each(|row| row.facts = None);
        }
        Ok(Self { files: names, fitted_for, rows, not_judged })
    }
}

/// None if the row could not be judged.
fn read_row(
    file: usize,
    fields: &Fields,
    label: &str,
) -> Result<Option<(CalibrationRow, FittedFor)>, String> {
    let Outcome::Judged { score, label: is_consistent } = outcome(fields, label)? else { return Ok(None) };
    let claims: Vec<ClaimOfRow> = part(fields, "claims")?;
    if claims.is_empty() {
        return Err("field `claims` is empty".into());
    }
    let facts =
        claims.iter().map(|claim| claim.facts.as_ref().map(facts_of)).collect::<Option<Result<_, _>>>();
    let ModelsOfRow { nli } = part(fields, "models")?;
    let ProfileOfRow { name, levels, claims: claims_from } = part(fields, "profile")?;
    let fitted_for = FittedFor {
        nli_sha256: nli.sha256,
        nli_settings_sha256: nli.settings_sha256,
        profile: name,
        levels,
        claims: claims_from,
    };
    let claims = claims.iter().map(|claim| claim.score).collect();
    Ok(Some((CalibrationRow { file, score, is_consistent, claims, facts: facts.transpose()? }, fitted_for)))
}

/// A part of a row as `veridic run` writes it.
fn part<'f, T: Deserialize<'f>>(fields: &'f Fields, name: &str) -> Result<T, String> {
    let Some(value) = fields.get(name) else {
        return Err(format!("has no field `{name}`: rows of `veridic run`, as .jsonl, are needed"));
    };
    serde_json::from_str(value.get())
        .map_err(|error| format!("field `{name}` is not as `veridic run` writes it to .jsonl: {error}"))
}

fn facts_of(named: &BTreeMap<String, f64>) -> Result<Facts, String> {
    let mut values = [0.0; Fact::ALL.len()];
    for fact in Fact::ALL {
        let value = named.get(fact.name()).filter(|value| value.is_finite());
        values[fact as usize] = *value.ok_or_else(|| {
            format!("a claim has no fact `{}`: score the rows again with this version", fact.name())
        })?;
    }
    Ok(Facts::from_values(values))
}

fn same(first: &FittedFor, other: &FittedFor) -> Result<(), String> {
    for (what, first, other) in [
        ("NLI model", &first.nli_sha256, &other.nli_sha256),
        ("configuration of the NLI model", &first.nli_settings_sha256, &other.nli_settings_sha256),
        ("profile", &first.profile, &other.profile),
        ("source of claims", &first.claims, &other.claims),
        ("list of levels", &first.levels.join(","), &other.levels.join(",")),
    ] {
        if first != other {
            return Err(format!("another {what} than in the first row: one calibration is for one of them"));
        }
    }
    Ok(())
}
