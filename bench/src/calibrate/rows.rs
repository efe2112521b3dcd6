//! Labelled rows of `veridic run`, with the facts of their claims where the profile records them.
//!
//! Rows that could not be judged are left out and counted. Refuses tables, which have no facts, and rows of more than
//! one NLI model, profile, list of levels or calibration.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::labelled_scores::{Outcome, outcome, own_text};
use crate::read::{BenchError, read_fields};
use veridic::corpus::Fields;
use veridic::corpus::read::{RawRow, RowFault};
use veridic::pipeline::evidence::{Fact, Facts, FittedFor};

/// A labelled row.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRow {
    /// The index of its file.
    pub file: usize,
    /// The id of its document.
    pub document: Option<String>,
    /// Its score.
    pub score: f64,
    /// Whether people call it consistent.
    pub is_consistent: bool,
    /// The scores of its claims; at least one.
    pub claims: Vec<f64>,
    /// The facts of its claims, if all rows have them.
    pub facts: Option<Vec<Facts>>,
    /// Whether the document says something else instead of a part of a claim.
    pub has_instead: bool,
}

/// Rows of one model and one profile.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRows {
    /// The files' names.
    pub files: Vec<String>,
    /// The models and settings that computed their scores.
    pub fitted_for: FittedFor,
    /// The digest of the calibration that their scores were computed with, if there was one.
    pub calibration: Option<String>,
    /// The rows, file by file.
    pub rows: Vec<CalibrationRow>,
    /// Rows that could not be judged.
    pub not_judged: usize,
}

#[derive(Deserialize)]
struct ClaimOfRow {
    score: f64,
    facts: Option<BTreeMap<String, f64>>,
    instead: Option<IgnoredAny>,
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
    calibration: Option<String>,
}

#[derive(Deserialize)]
struct LedgerOfRow {
    document_digest: Option<String>,
}

/// The models and settings that computed a row's scores.
#[derive(Clone, PartialEq)]
struct ScoredWith {
    fitted_for: FittedFor,
    calibration: Option<String>,
}

/// Fields of the user's own.
#[derive(Debug, Clone, Copy)]
pub struct OwnFields<'f> {
    /// The label: 1 (consistent) or 0.
    pub label: &'f str,
    /// The id of a row's document; without it, the digest that the run wrote.
    pub document: Option<&'f str>,
}

impl CalibrationRows {
    /// The source of the scores in words.
    pub(super) fn scored_by(&self) -> String {
        self.calibration.as_ref().map_or_else(
            || "plain rule".to_owned(),
            |digest| format!("calibration {}", digest.chars().take(8).collect::<String>()),
        )
    }

    /// Reads files, each by its name and rows.
    ///
    /// # Errors
    /// The first row that is not a labelled row of a run, or has another model or profile than the first row.
    pub fn read<R: IntoIterator<Item = Result<RawRow, RowFault>>>(
        files: impl IntoIterator<Item = (String, R)>,
        own: OwnFields<'_>,
    ) -> Result<Self, BenchError> {
        let (mut names, mut rows, mut not_judged, mut first) = (Vec::new(), Vec::new(), 0, None);
        for (file, (name, raw_rows)) in files.into_iter().enumerate() {
            names.push(name);
            read_fields(raw_rows, |_, fields| {
                match read_row(file, &fields, own)? {
                    Some((row, scored_with)) => {
                        same(first.get_or_insert_with(|| scored_with.clone()), &scored_with)?;
                        rows.push(row);
                    }
                    None => not_judged += 1,
                }
                Ok(())
            })?;
        }
        let ScoredWith { fitted_for, calibration } =
            first.ok_or_else(|| BenchError::Data("holds no rows".into()))?;
        if rows.iter().any(|row| row.facts.is_none()) {
            rows.iter_mut().for_each(|row| row.facts = None);
        }
        Ok(Self { files: names, fitted_for, calibration, rows, not_judged })
    }
}

/// None if the row could not be judged.
fn read_row(
    file: usize,
    fields: &Fields,
    own: OwnFields<'_>,
) -> Result<Option<(CalibrationRow, ScoredWith)>, String> {
    let Outcome::Judged { score, label: is_consistent } = outcome(fields, own.label)? else {
        return Ok(None);
    };
    let claims: Vec<ClaimOfRow> = part(fields, "claims")?;
    if claims.is_empty() {
        return Err("field `claims` is empty".into());
    }
    let facts =
        claims.iter().map(|claim| claim.facts.as_ref().map(facts_of)).collect::<Option<Result<_, _>>>();
    let ModelsOfRow { nli } = part(fields, "models")?;
    let ProfileOfRow { name, levels, claims: claims_from, calibration } = part(fields, "profile")?;
    let document = match own.document {
        Some(name) => Some(own_text(fields, name)?),
        None => part::<LedgerOfRow>(fields, "ledger")?.document_digest,
    };
    let fitted_for = FittedFor {
        nli_sha256: nli.sha256,
        nli_settings_sha256: nli.settings_sha256,
        profile: name,
        levels,
        claims: claims_from,
    };
    let has_instead = claims.iter().any(|claim| claim.instead.is_some());
    let claims = claims.iter().map(|claim| claim.score).collect();
    let facts = facts.transpose()?;
    let row = CalibrationRow { file, document, score, is_consistent, claims, facts, has_instead };
    Ok(Some((row, ScoredWith { fitted_for, calibration })))
}

/// A field of a row as `veridic run` writes it.
pub(super) fn part<'f, T: Deserialize<'f>>(fields: &'f Fields, name: &str) -> Result<T, String> {
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
        let value = value.copied().or(fact.is_optional().then_some(0.0));
        values[fact as usize] = value.ok_or_else(|| {
            format!("a claim has no fact `{}`: score the rows again with this version", fact.name())
        })?;
    }
    Ok(Facts::from_values(values))
}

fn same(
    ScoredWith { fitted_for: first, calibration: of_first }: &ScoredWith,
    ScoredWith { fitted_for: other, calibration: of_other }: &ScoredWith,
) -> Result<(), String> {
    let none = "none".to_owned();
    for (what, first, other) in [
        ("NLI model", &first.nli_sha256, &other.nli_sha256),
        ("configuration of the NLI model", &first.nli_settings_sha256, &other.nli_settings_sha256),
        ("profile", &first.profile, &other.profile),
        ("source of claims", &first.claims, &other.claims),
        ("list of levels", &first.levels.join(","), &other.levels.join(",")),
        ("calibration", of_first.as_ref().unwrap_or(&none), of_other.as_ref().unwrap_or(&none)),
    ] {
        if first != other {
            return Err(format!("another {what} than in the first row: a calibration is for one only"));
        }
    }
    Ok(())
}
