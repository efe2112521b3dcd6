//! Adds to a calibration what its makers did not fit: the risk of a verdict, and which claims are read in full. Its
//! probabilities, limits and weights stay; so the scores must have been computed with it.

use serde::Serialize;

use super::folds::Folds;
use super::{Abstention, CalibrateError, CalibrationRows, Escalation, abstention};
use veridic::pipeline::evidence::Calibration;

/// An extended calibration with its figures.
#[derive(Debug, Clone)]
pub struct Extended {
    /// The text of its file.
    pub text: String,
    /// Its figures.
    pub report: ExtensionReport,
}

/// The figures of an extension.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExtensionReport {
    /// Number of rows.
    pub rows: usize,
    /// Rows with label 1.
    pub consistent: usize,
    /// Number of documents; of rows, where documents are not known.
    pub documents: usize,
    /// How rows were divided into folds.
    pub kept_apart: &'static str,
    /// Verdicts with a rate of abstention.
    pub abstention: Abstention,
    /// Which claims are read in full, if that was fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Escalation>,
}

/// Fits the risk of a calibration's verdicts on the rows that were scored with it, and sets which claims are read in full.
///
/// # Errors
/// Scores of another calibration, too few rows, or rows that have no fit.
pub fn extend(
    mut calibration: Calibration,
    rows: &CalibrationRows,
    escalation: Option<Escalation>,
) -> Result<Extended, CalibrateError> {
    rows.check_number()?;
    if rows.calibration.as_ref() != Some(&calibration.sha256) {
        let given = calibration.sha256.chars().take(8).collect();
        return Err(CalibrateError::OtherCalibration { found: rows.scored_by(), given });
    }
    let folds = Folds::of(rows)?;
    let fitted = abstention::fit(&folds, &calibration, |_| &calibration)?;
    let (risk, abstention) = fitted.ok_or_else(|| CalibrateError::NoRisk {
        wrong: abstention::wrong(&folds, &calibration),
        rows: rows.rows.len(),
    })?;
    let report = ExtensionReport {
        rows: rows.rows.len(),
        consistent: rows.consistent(),
        documents: folds.documents.len(),
        kept_apart: folds.description(),
        abstention,
        escalation,
    };
    calibration.risk = Some(risk);
    calibration.escalate_within = escalation.map(|fitted| fitted.within).or(calibration.escalate_within);
    Ok(Extended { text: calibration.text()?, report })
}
