//! Fits a calibration to labelled scores: the map from claims to probabilities (weights of facts where rows have them, else
//! a curve of their scores), such that the lowest of a row's claims is the probability that people call it consistent, and
//! the threshold of the verdict `supported`. Both are measured by cross-validation over documents, beside the scores that
//! the rows came with.
//!
//! Refuses rows of different models or settings, since their scores mean different things, and too few rows.

mod comparison;
mod folds;
mod rows;
mod table;

use serde::Serialize;

pub use self::comparison::Comparison;
use self::folds::Folds;
pub use self::rows::{CalibrationRow, CalibrationRows, OwnFields};
use super::estimate::Estimate;
use veridic::pipeline::Thresholds;
use veridic::pipeline::evidence::{
    Calibration, CalibrationError, Curve, Fact, FitRow, FittedOn, Format, Weights, fit,
};
use veridic_stats::{
    Bins, FitError, ReliabilityBin, Sign, Undefined, best_threshold, expected_calibration_error,
    fit_isotonic, fit_logistic, reliability_curve, roc_auc,
};

/// Fewest rows for a calibration.
pub(crate) const FEWEST_ROWS: usize = 50;
/// Fewest rows of each label.
pub(crate) const FEWEST_OF_A_LABEL: usize = 15;

/// Fewest rows with a quantity that is not in the document from which the limit of such claims is estimated.
const FEWEST_LIMITED: usize = 30;

/// Bins of the reliability curve.
const BINS: usize = 10;

/// The penalty on the squared slope of the curve from scores to probabilities. It is so small that it only keeps the slope
/// finite where scores separate the labels perfectly.
const CURVE_PENALTY: f64 = 0.01;

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

/// A model that is fitted to rows.
struct Fit {
    weights: Option<Weights>,
    /// The curve of the rule's scores, where there are no weights.
    curve: Option<Curve>,
    /// The highest score of a row with a quantity that is not in the document.
    quantity_nowhere: Option<f32>,
    /// The highest score of a row with a claim for which the document says something else instead.
    instead: Option<f32>,
}

/// Fits a calibration.
///
/// # Errors
/// Too few rows, or rows that have no fit.
pub fn calibrate(rows: &CalibrationRows) -> Result<Calibrated, CalibrateError> {
    let labels: Vec<bool> = rows.rows.iter().map(|row| row.is_consistent).collect();
    let consistent = labels.iter().filter(|label| **label).count();
    if rows.rows.len() < FEWEST_ROWS || consistent.min(labels.len() - consistent) < FEWEST_OF_A_LABEL {
        return Err(CalibrateError::TooFew { rows: labels.len(), consistent });
    }
    let all: Vec<usize> = (0..labels.len()).collect();
    let fitted = Fit::of(&rows.rows, &all)?;
    let scores: Vec<f64> = rows.rows.iter().map(|row| fitted.score(row)).collect();
    let supported = best_threshold(&scores, &labels).ok_or(Undefined::OneClass)?;
    // A score counts as supported at the threshold, and `best_threshold` lies between two scores.
    let thresholds = Thresholds::supported_from(supported as f32);
    let files = rows.files.clone();
    let fitted_on = FittedOn { files, rows: labels.len(), consistent };
    let calibration = Calibration {
        format: Format,
        fitted_for: rows.fitted_for.clone(),
        fitted_on,
        rule: None,
        weights: fitted.weights.clone(),
        thresholds,
        quantity_nowhere: fitted.quantity_nowhere,
        instead: fitted.instead,
        probability: fitted.curve,
        risk: None,
        escalate_within: None,
        sha256: String::new(),
    };
    let text = calibration.text()?;
    let report = report(rows, &labels, &fitted, thresholds.supported)?;
    if report.roc_auc_after.value <= 0.5 {
        return Err(CalibrateError::NoGround { roc_auc: report.roc_auc_after.value });
    }
    Ok(Calibrated { calibration: Calibration::parse(&text)?, text, report })
}

/// The share of consistent rows among those that `counts` holds of, with one more row of each label (Laplace's rule of
/// succession); `None` where such rows are too few.
fn share_of(
    rows: &[CalibrationRow],
    chosen: &[usize],
    counts: impl Fn(&CalibrationRow) -> bool,
) -> Option<f32> {
    let found: Vec<&CalibrationRow> =
        chosen.iter().map(|row| &rows[*row]).filter(|row| counts(row)).collect();
    let consistent = found.iter().filter(|row| row.is_consistent).count();
    (found.len() >= FEWEST_LIMITED).then(|| (consistent + 1) as f32 / (found.len() + 2) as f32)
}

impl CalibrationRow {
    /// Whether a claim has a quantity that is nowhere in the document; never where rows have no facts.
    fn has_quantity_nowhere(&self) -> bool {
        self.facts.iter().flatten().any(|facts| facts.get(Fact::QuantityNowhere) > 0.0)
    }
}

fn report(
    rows: &CalibrationRows,
    labels: &[bool],
    fitted: &Fit,
    supported: f32,
) -> Result<CalibrationReport, CalibrateError> {
    let folds = Folds::of(rows);
    if folds.documents.len() < 2 {
        return Err(CalibrateError::OneDocument);
    }
    let (mut scores, mut probabilities) = (vec![0.0; labels.len()], vec![0.0; labels.len()]);
    for (number, fold) in folds.folds.iter().enumerate() {
        let fit = Fit::of(&rows.rows, &folds.training_rows(number))?;
        for &row in fold {
            scores[row] = fit.ranked(&rows.rows[row]);
            probabilities[row] = fit.score(&rows.rows[row]);
        }
    }
    let last: Vec<f64> = rows.rows.iter().map(|row| fitted.score(row)).collect();
    let targets: Vec<f64> = labels.iter().map(|label| f64::from(u8::from(*label))).collect();
    let bins = reliability_curve(&probabilities, labels, Bins::EqualMass(BINS))?;
    Ok(CalibrationReport {
        rows: labels.len(),
        consistent: labels.iter().filter(|label| **label).count(),
        kept_apart: folds.description(),
        documents: folds.documents.len(),
        roc_auc_before: estimate(&folds, &rows.scores())?,
        roc_auc_after: estimate(&folds, &scores)?,
        comparison: fitted.weights.is_some().then(|| Comparison::of(&folds, &scores)).transpose()?,
        files: rows
            .files
            .iter()
            .enumerate()
            .map(|(file, name)| rows.file_report(file, name, &scores))
            .collect(),
        expected_calibration_error: expected_calibration_error(
            &probabilities,
            labels,
            Bins::EqualMass(BINS),
        )?,
        reliability: bins.iter().map(Reliability::of).collect(),
        isotonic: fit_isotonic(&last, &targets)?.points,
        weights: fitted.weights.as_ref().map(table::named),
        supported,
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

impl Fit {
    fn of(rows: &[CalibrationRow], chosen: &[usize]) -> Result<Self, FitError> {
        let fit_row = |row: &usize| {
            let CalibrationRow { facts, is_consistent, .. } = &rows[*row];
            Some(FitRow { claims: facts.clone()?, is_consistent: *is_consistent })
        };
        let with_facts: Option<Vec<FitRow>> = chosen.iter().map(fit_row).collect();
        let weights = with_facts.map(|rows| fit(&rows)).transpose()?;
        let labels: Vec<bool> = chosen.iter().map(|row| rows[*row].is_consistent).collect();
        let weakest: Vec<[f64; 1]> =
            chosen.iter().map(|row| [weakest(weights.as_ref(), &rows[*row])]).collect();
        let curve = fit_logistic(&weakest, &labels, CURVE_PENALTY, &[Sign::NonNegative])?;
        let curve = Curve { intercept: curve.intercept, slope: curve.coefficients[0] };
        let quantity_nowhere = share_of(rows, chosen, CalibrationRow::has_quantity_nowhere);
        let instead = share_of(rows, chosen, |row| row.has_instead);
        let (weights, curve) = match weights {
            Some(weights) => (Some(weights.along(curve)), None),
            None => (None, Some(curve)),
        };
        Ok(Self { weights, curve, quantity_nowhere, instead })
    }

    /// The row's score: the probability of its weakest claim.
    fn score(&self, row: &CalibrationRow) -> f64 {
        let ranked = self.ranked(row);
        let odds = self.curve.map_or(ranked, |curve| curve.intercept + curve.slope * ranked);
        1.0 / (1.0 + (-odds).exp())
    }

    /// The row's score on the scale of the fit: the log odds of its weakest claim, or without weights the rule's score, within
    /// the limits of a quantity that is not in the document and of what the document says instead.
    fn ranked(&self, row: &CalibrationRow) -> f64 {
        let weakest = weakest(self.weights.as_ref(), row);
        let by_quantity = self.quantity_nowhere.filter(|_| row.has_quantity_nowhere());
        let limits = by_quantity.into_iter().chain(self.instead.filter(|_| row.has_instead));
        limits.map(|most| self.ranked_at(f64::from(most))).fold(weakest, f64::min)
    }

    /// A probability on that scale.
    fn ranked_at(&self, probability: f64) -> f64 {
        let odds = (probability / (1.0 - probability)).ln();
        match self.curve {
            None => odds,
            Some(Curve { slope, .. }) if slope <= 0.0 => f64::INFINITY,
            Some(Curve { intercept, slope }) => (odds - intercept) / slope,
        }
    }
}

/// The log odds of the row's weakest claim; without weights the lowest score by the rule.
fn weakest(weights: Option<&Weights>, row: &CalibrationRow) -> f64 {
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    match (weights, &row.facts) {
        (Some(weights), Some(facts)) => least(&mut facts.iter().map(|facts| weights.log_odds(facts))),
        _ => least(&mut row.claims.iter().copied()),
    }
}

impl CalibrationRows {
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
