//! Fits a calibration to labelled scores: the map from claims to probabilities (weights of facts where rows have them, else
//! a curve of their scores), such that the lowest of a row's claims is the probability that people call it consistent, and
//! the threshold of the verdict `supported`, and the risk that a verdict is wrong. All are measured by cross-validation over documents, beside the scores that
//! the rows came with.
//!
//! Refuses rows of different models or settings, since their scores mean different things, and too few rows.

mod abstention;
mod comparison;
mod escalation;
mod extend;
mod fit;
mod folds;
mod rows;
mod table;

use serde::Serialize;

pub use self::abstention::{Abstention, AtRate};
pub use self::comparison::Comparison;
pub use self::escalation::{ClaimScores, Escalation, EscalationError};
pub use self::extend::{Extended, ExtensionReport, extend};
use self::fit::Fit;
use self::folds::Folds;
pub use self::rows::{CalibrationRow, CalibrationRows, OwnFields};
use super::estimate::Estimate;
use veridic::pipeline::evidence::{Calibration, CalibrationError};
use veridic_stats::{
    Bins, FitError, ReliabilityBin, Undefined, expected_calibration_error, fit_isotonic, reliability_curve,
    roc_auc,
};

/// Fewest rows for a calibration.
pub(crate) const FEWEST_ROWS: usize = 50;
/// Fewest rows of each label.
pub(crate) const FEWEST_OF_A_LABEL: usize = 15;

/// Bins of the reliability curve.
const BINS: usize = 10;

/// Why there is no calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// There are too few rows.
    #[error(
        "{rows} rows, {consistent} with label 1: at least {FEWEST_ROWS} are needed, {FEWEST_OF_A_LABEL} of each label"
    )]
    TooFew {
        /// Number of rows.
        rows: usize,
        /// Rows with label 1.
        consistent: usize,
    },
    /// Cross-validation needs several documents.
    #[error(
        "all rows are of one document: a calibration is measured on other documents than those that it is fitted to"
    )]
    OneDocument,
    /// The scores are calibrated, and there are no facts to fit weights of.
    #[error("its scores are calibrated already: score the rows with `calibration` set to off")]
    NoFacts,
    /// The scores were computed with another calibration than the one to extend.
    #[error(
        "the scores were computed with the {found}, not with the calibration to extend ({given}): score the rows with `calibration` set to it"
    )]
    OtherCalibration {
        /// What they were computed with.
        found: String,
        /// The first digits of the digest of the calibration to extend.
        given: String,
    },
    /// Verdicts that are nearly all right, or wrong, do not tell what makes them so.
    #[error(
        "{wrong} of {rows} verdicts are wrong: a risk is fitted to at least {} wrong ones and as many right ones, not all in one \
         fold",
        abstention::FEWEST_OF_A_KIND
    )]
    NoRisk {
        /// Wrong verdicts.
        wrong: usize,
        /// All verdicts.
        rows: usize,
    },
    /// Scores do not rank by label, or in the opposite order.
    #[error(
        "the scores do not rank rows with label 1 above the others (ROC AUC {:.1}%): does label 1 mean consistent?",
        100.0 * roc_auc
    )]
    NoGround {
        /// The cross-validated ROC AUC, the mean over folds.
        roc_auc: f64,
    },
    /// The fit has no optimum.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] CalibrationError),
}

/// A calibration with its figures.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// The text of its file.
    pub text: String,
    /// The calibration.
    pub calibration: Calibration,
    /// Its figures.
    pub report: CalibrationReport,
}

/// The figures of a calibration. All but those of the scores in the files are cross-validated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationReport {
    /// Number of rows.
    pub rows: usize,
    /// Rows with label 1.
    pub consistent: usize,
    /// How rows were divided into folds.
    pub kept_apart: &'static str,
    /// Number of documents; of rows, where documents are not known.
    pub documents: usize,
    /// ROC AUC of the scores in the files, the mean over folds.
    pub roc_auc_before: Estimate,
    /// ROC AUC of the scores under the new weights, the mean over folds.
    pub roc_auc_after: Estimate,
    /// The files one by one: name, rows, ROC AUC before and after.
    pub files: Vec<FileReport>,
    /// Expected calibration error of the probabilities, 10 bins of equal mass.
    pub expected_calibration_error: f64,
    /// The reliability curve of the probabilities.
    pub reliability: Vec<Reliability>,
    /// The isotonic curve from all rows' scores under the new file to labels: where it leaves the diagonal, the curve of
    /// the probabilities has the wrong shape.
    pub isotonic: Vec<(f64, f64)>,
    /// The comparison of the scores under the new weights with those in the files, if rows have facts.
    pub comparison: Option<Comparison>,
    /// The weights, if rows have facts.
    pub weights: Option<Vec<(&'static str, f64)>>,
    /// The threshold of the verdict `supported`.
    pub supported: f32,
    /// Verdicts with a rate of abstention; none where too few verdicts are wrong, or right, to tell them apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abstention: Option<Abstention>,
}

/// The figures of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileReport {
    /// The file's name.
    pub file: String,
    /// Number of rows.
    pub rows: usize,
    /// ROC AUC of the scores in the file; `None` with one label only.
    pub roc_auc_before: Option<f64>,
    /// Cross-validated ROC AUC under the new weights.
    pub roc_auc_after: Option<f64>,
}

/// A bin of the reliability curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reliability {
    /// Number of rows.
    pub rows: usize,
    /// The mean of their probabilities.
    pub probability: f64,
    /// The share that people call consistent.
    pub consistent: f64,
}

/// Fits a calibration.
///
/// # Errors
/// Too few rows, or rows that have no fit.
pub fn calibrate(rows: &CalibrationRows) -> Result<Calibrated, CalibrateError> {
    rows.check_number()?;
    if rows.calibration.is_some() && rows.rows.iter().any(|row| row.facts.is_none()) {
        return Err(CalibrateError::NoFacts);
    }
    let all: Vec<usize> = (0..rows.rows.len()).collect();
    let fitted = Fit::of(&rows.rows, &all)?;
    let folds = Folds::of(rows)?;
    let others = || (0..folds.folds.len()).map(|fold| folds.training_rows(fold));
    let of_folds: Vec<Fit> =
        others().map(|chosen| Fit::of(&rows.rows, &chosen)).collect::<Result<_, FitError>>()?;
    let mut calibration = fitted.calibration(rows, &all)?;
    let mut report = report(&folds, &fitted, &of_folds, calibration.thresholds.supported)?;
    if report.roc_auc_after.value <= 0.5 {
        return Err(CalibrateError::NoGround { roc_auc: report.roc_auc_after.value });
    }
    let calibrations: Vec<Calibration> = of_folds
        .iter()
        .zip(others())
        .map(|(fit, chosen)| fit.calibration(rows, &chosen))
        .collect::<Result<_, CalibrateError>>()?;
    if let Some((risk, abstention)) = abstention::fit(&folds, &calibration, |fold| &calibrations[fold])? {
        (calibration.risk, report.abstention) = (Some(risk), Some(abstention));
    }
    let text = calibration.text()?;
    Ok(Calibrated { calibration: Calibration::parse(&text)?, text, report })
}

/// The figures; `of_folds` are the fits on the rows outside each fold.
fn report(
    folds: &Folds<'_>,
    fitted: &Fit,
    of_folds: &[Fit],
    supported: f32,
) -> Result<CalibrationReport, CalibrateError> {
    let rows = folds.rows;
    let labels: Vec<bool> = rows.rows.iter().map(|row| row.is_consistent).collect();
    let (mut scores, mut probabilities) = (vec![0.0; labels.len()], vec![0.0; labels.len()]);
    for (fit, fold) in of_folds.iter().zip(&folds.folds) {
        for &row in fold {
            scores[row] = fit.ranked(&rows.rows[row]);
            probabilities[row] = fit.score(&rows.rows[row]);
        }
    }
    let last: Vec<f64> = rows.rows.iter().map(|row| fitted.score(row)).collect();
    let targets: Vec<f64> = labels.iter().map(|label| f64::from(u8::from(*label))).collect();
    let bins = reliability_curve(&probabilities, &labels, Bins::EqualMass(BINS))?;
    let names = rows.files.iter().enumerate();
    Ok(CalibrationReport {
        rows: labels.len(),
        consistent: rows.consistent(),
        kept_apart: folds.description(),
        documents: folds.documents.len(),
        roc_auc_before: estimate(folds, &rows.scores())?,
        roc_auc_after: estimate(folds, &scores)?,
        comparison: fitted.weights.is_some().then(|| Comparison::of(folds, &scores)).transpose()?,
        files: names.map(|(file, name)| rows.file_report(file, name, &scores)).collect(),
        expected_calibration_error: expected_calibration_error(
            &probabilities,
            &labels,
            Bins::EqualMass(BINS),
        )?,
        reliability: bins.iter().map(Reliability::of).collect(),
        isotonic: fit_isotonic(&last, &targets)?.points,
        weights: fitted.weights.as_ref().map(table::named),
        supported,
        abstention: None,
    })
}

impl CalibrationReport {
    /// Whether the calibration may replace the old one: it has no weights, or its weights rank better than the scores in
    /// the files.
    #[must_use]
    pub fn is_better(&self) -> bool {
        self.comparison.as_ref().is_none_or(Comparison::is_better)
    }
}

fn estimate(folds: &Folds<'_>, scores: &[f64]) -> Result<Estimate, CalibrateError> {
    let auc = |rows: &[usize]| folds.roc_auc(rows, scores);
    Ok(Estimate::on_groups(&folds.documents, auc).ok_or(Undefined::OneClass)?)
}

impl CalibrationRows {
    /// Refuses too few rows.
    fn check_number(&self) -> Result<(), CalibrateError> {
        let (rows, consistent) = (self.rows.len(), self.consistent());
        if rows < FEWEST_ROWS || consistent.min(rows - consistent) < FEWEST_OF_A_LABEL {
            return Err(CalibrateError::TooFew { rows, consistent });
        }
        Ok(())
    }

    /// The number of rows that people call consistent.
    fn consistent(&self) -> usize {
        self.rows.iter().filter(|row| row.is_consistent).count()
    }

    /// The scores in the files.
    fn scores(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.score).collect()
    }

    fn file_report(&self, file: usize, name: &str, after: &[f64]) -> FileReport {
        let rows: Vec<usize> = (0..self.rows.len()).filter(|row| self.rows[*row].file == file).collect();
        let labels: Vec<bool> = rows.iter().map(|row| self.rows[*row].is_consistent).collect();
        let before: Vec<f64> = rows.iter().map(|row| self.rows[*row].score).collect();
        let after: Vec<f64> = rows.iter().map(|row| after[*row]).collect();
        FileReport {
            file: name.to_owned(),
            rows: rows.len(),
            roc_auc_before: roc_auc(&before, &labels),
            roc_auc_after: roc_auc(&after, &labels),
        }
    }
}

impl Reliability {
    fn of(bin: &ReliabilityBin) -> Self {
        Self { rows: bin.rows, probability: bin.mean_probability, consistent: bin.positive_share }
    }
}
