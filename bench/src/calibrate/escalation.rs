//! How near to the limit of support a claim's score must be for the claim to be read in full: the smallest distance that
//! holds most claims which a screen moves across the limit. It needs scores of the same rows with a screen and without.
//!
//! Refuses files of other rows, other claims, or other settings than the screen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rows::part;
use crate::labelled_scores::{score, text_of};
use crate::paired::MatchError;
use crate::paired::matching::{Entry, partners};
use crate::read::{BenchError, read_fields};
use veridic::corpus::read::{Origin, RawRow, RowFault};

/// The share of the claims that the screen moves across the limit.
const HELD: f64 = 0.95;

/// Why two files do not show what a screen changes.
#[derive(Debug, thiserror::Error)]
pub enum EscalationError {
    /// Their rows do not match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A row has other claims.
    #[error("{screened} and {full} are the same row with different claims")]
    OtherClaims {
        /// Where the row is in the file with a screen.
        screened: Box<Origin>,
        /// Where it is in the other.
        full: Box<Origin>,
    },
    /// A setting differs.
    #[error("{screened} and {full} differ in {what}: only the screen may differ")]
    OtherSetting {
        /// Where the first such row is in the file with a screen.
        screened: Box<Origin>,
        /// Where it is in the other.
        full: Box<Origin>,
        /// The setting, or the model.
        what: String,
    },
    /// A file has, or lacks, a screen.
    #[error("{at} was scored {with} a screen: {expected}")]
    Screen {
        /// Where the row is.
        at: Box<Origin>,
        /// `with` or `without`.
        with: &'static str,
        /// What is needed.
        expected: &'static str,
    },
    /// The numbers of files differ.
    #[error(
        "{full} files of full scores for {screened} files of scores: give one for each, in the same order"
    )]
    Files {
        /// Files with a screen.
        screened: usize,
        /// Files without.
        full: usize,
    },
}

/// The claims of a score file's rows.
#[derive(Debug)]
pub struct ClaimScores(Vec<ClaimsOfRow>);

#[derive(Debug)]
struct ClaimsOfRow {
    origin: Origin,
    id: Option<String>,
    /// None for a row that could not be judged.
    judged: Option<JudgedClaims>,
}

#[derive(Debug)]
struct JudgedClaims {
    claims: Vec<ScoredClaim>,
    has_screen: bool,
    /// The profile's settings but for the screen, and the models.
    settings: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
struct ScoredClaim {
    text: String,
    score: f32,
}

/// Which claims are read in full.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Escalation {
    /// The greatest distance to the limit of support, as a difference of probabilities.
    pub within: f32,
    /// The claims in both files.
    pub claims: usize,
    /// Those that are supported in one file only.
    pub changed: usize,
    /// The share of all claims whose score with the screen lies so near.
    pub escalated: f64,
}

impl ClaimScores {
    /// Reads the rows of a file.
    ///
    /// # Errors
    /// The first row that `veridic run` did not write.
    pub fn read(rows: impl IntoIterator<Item = Result<RawRow, RowFault>>) -> Result<Self, BenchError> {
        let mut read = Vec::new();
        read_fields(rows, |origin, fields| {
            let judged = match score(&fields)? {
                Err(_) => None,
                Ok(_) => {
                    let mut settings: BTreeMap<String, Value> = part(&fields, "profile")?;
                    let has_screen = settings.remove("screen").is_some_and(|screen| !screen.is_null());
                    let models: BTreeMap<String, Value> = part(&fields, "models")?;
                    let models = models.into_iter().filter(|(name, _)| name != "screen");
                    settings.extend(models.map(|(name, model)| (format!("models.{name}"), model)));
                    Some(JudgedClaims { claims: part(&fields, "claims")?, has_screen, settings })
                }
            };
            let id = fields.get("id").and_then(|id| text_of(id.get()));
            read.push(ClaimsOfRow { origin: origin.clone(), id, judged });
            Ok(())
        })?;
        Ok(Self(read))
    }

    fn entries(&self) -> Vec<Entry<'_, Option<&JudgedClaims>>> {
        self.0.iter().map(ClaimsOfRow::entry).collect()
    }
}

impl ClaimsOfRow {
    fn entry(&self) -> Entry<'_, Option<&JudgedClaims>> {
        Entry { origin: &self.origin, id: self.id.as_deref(), row: self.judged.as_ref() }
    }
}

impl Escalation {
    /// Compares files that were scored with a screen with those of the same rows that were scored without; `supported` is
    /// the limit.
    ///
    /// # Errors
    /// Files of other rows or settings.
    pub fn of(
        screened: &[ClaimScores],
        full: &[ClaimScores],
        supported: f32,
    ) -> Result<Self, EscalationError> {
        if screened.len() != full.len() {
            return Err(EscalationError::Files { screened: screened.len(), full: full.len() });
        }
        let (mut distances, mut changed) = (Vec::new(), Vec::new());
        for (screened, full) in screened.iter().zip(full) {
            for (first, second) in partners(&screened.entries(), &full.entries())?.0 {
                let (Some(screened), Some(full)) = (first.row, second.row) else { continue };
                check(screened, full, first.origin, second.origin)?;
                for (screened, full) in screened.claims.iter().zip(&full.claims) {
                    let distance = (screened.score - supported).abs();
                    distances.push(distance);
                    if (screened.score >= supported) != (full.score >= supported) {
                        changed.push(distance);
                    }
                }
            }
        }
        changed.sort_by(f32::total_cmp);
        let held = (HELD * changed.len() as f64).ceil() as usize;
        let within = held.checked_sub(1).map_or(0.0, |last| changed[last]);
        let near = distances.iter().filter(|distance| **distance <= within).count();
        Ok(Self {
            within,
            claims: distances.len(),
            changed: changed.len(),
            escalated: near as f64 / distances.len().max(1) as f64,
        })
    }

    /// The result in words.
    #[must_use]
    pub fn description(&self) -> String {
        let Self { within, claims, changed, escalated } = self;
        format!(
            "escalate within    {within:.3} of the limit: the screen moves {changed} of {claims} claims across it; {:.1}% of the \
             claims lie so near",
            100.0 * escalated
        )
    }
}

/// The same claims, one file with a screen, the other without, and no other difference.
fn check(
    screened: &JudgedClaims,
    full: &JudgedClaims,
    at: &Origin,
    full_at: &Origin,
) -> Result<(), EscalationError> {
    let places = || (Box::new(at.clone()), Box::new(full_at.clone()));
    let wrong_screen = |at: &Origin, with, expected| {
        Err(EscalationError::Screen { at: Box::new(at.clone()), with, expected })
    };
    if !screened.has_screen {
        return wrong_screen(at, "without", "scores with a screen come first, those without after `full`");
    }
    if full.has_screen {
        return wrong_screen(full_at, "with", "score the rows of `full` with `screen` set to off");
    }
    let names = screened.settings.keys().chain(full.settings.keys());
    let differs = |name: &&String| screened.settings.get(*name) != full.settings.get(*name);
    if let Some(what) = names.filter(differs).min() {
        let (screened, full) = places();
        return Err(EscalationError::OtherSetting { screened, full, what: format!("`{what}`") });
    }
    let texts =
        |judged: &JudgedClaims| judged.claims.iter().map(|claim| claim.text.clone()).collect::<Vec<_>>();
    if texts(screened) != texts(full) {
        let (screened, full) = places();
        return Err(EscalationError::OtherClaims { screened, full });
    }
    Ok(())
}
