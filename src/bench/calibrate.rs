//! From labelled scores to a calibration: weights of facts where rows have them, the threshold of the verdict
//! `supported`, the curve from scores to probabilities; and what they are worth on rows that had no part in them.
//!
//! Refuses rows of different models or settings, since their scores mean different things, and rows that are too few.

mod rows;
mod table;

use serde::Serialize;

pub use self::rows::{CalibrationRow, CalibrationRows};
use super::sampled::{Estimate, Sampled};
use crate::pipeline::evidence::{Calibration, CalibrationError, Curve, FitRow, FittedOn, Weights, fit};
use crate::pipeline::{OverClaims, Thresholds, pool};
use crate::stats::{
    Bins, FitError, ReliabilityBin, Sign, SplitMix64, Undefined, best_threshold, expected_calibration_error,
    fit_isotonic, fit_logistic, reliability_curve, roc_auc,
};

/// Fewest rows, and fewest of each label, for which a calibration says anything.
pub const FEWEST_ROWS: usize = 50;
/// Fewest rows of each label.
pub const FEWEST_OF_A_LABEL: usize = 15;

/// Parts of the rows of which each is measured by a fit on the others, where there is one file.
const FOLDS: usize = 5;

/// Bins of the reliability curve.
const BINS: usize = 10;

/// The penalty on the squared slope of the curve from scores to probabilities: so little that it only keeps scores that
/// tell labels apart without a mistake from an endless slope.
const CURVE_PENALTY: f64 = 0.01;

/// Contradiction above which a claim without support is called contradicted; labels of two values do not tell it.
const CONTRADICTED: f32 = 0.5;

/// Why there is no calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// There is too little to learn from.
    #[error(
        "{rows} rows, {consistent} with label 1: at least {FEWEST_ROWS} are needed, {FEWEST_OF_A_LABEL} of each label"
    )]
    TooFew {
        /// Rows.
        rows: usize,
        /// Those with label 1.
        consistent: usize,
    },
    /// Scores say nothing about the labels, or the opposite.
    #[error(
        "the scores do not rank rows with label 1 above the others (ROC AUC {roc_auc:.3}): is label 1 what is consistent?"
    )]
    NoGround {
        /// Of rows that had no part in their fit; of several files the mean.
        roc_auc: f64,
    },
    /// The fit has no result.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A statistic has no value.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] CalibrationError),
}

/// A calibration, and what it is worth.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// The text of its file.
    pub text: String,
    /// It.
    pub calibration: Calibration,
    /// Its figures.
    pub report: CalibrationReport,
}

/// What a calibration is worth. Figures but the plain score's are those of rows that had no part in their fit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationReport {
    /// Rows.
    pub rows: usize,
    /// Those with label 1.
    pub consistent: usize,
    /// How rows were kept apart.
    pub kept_apart: &'static str,
    /// ROC AUC of the scores as they are in the files.
    pub roc_auc_before: Estimate,
    /// ROC AUC of the scores under weights.
    pub roc_auc_after: Estimate,
    /// The files one by one: name, rows, ROC AUC before and after.
    pub files: Vec<FileReport>,
    /// Expected calibration error of the probabilities, 10 bins of equal mass.
    pub expected_calibration_error: f64,
    /// The reliability curve of the probabilities.
    pub reliability: Vec<Reliability>,
    /// The isotonic curve of all rows, scores under all weights: where it leaves the curve of the file, that one is of
    /// the wrong shape.
    pub isotonic: Vec<(f64, f64)>,
    /// The weights, if rows have facts.
    pub weights: Option<Vec<(&'static str, f64)>>,
    /// The threshold of the verdict `supported`.
    pub supported: f32,
}

/// The figures of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileReport {
    /// Its name.
    pub file: String,
    /// Its rows.
    pub rows: usize,
    /// ROC AUC of its scores as they are; none with one label only.
    pub roc_auc_before: Option<f64>,
    /// ROC AUC under weights that its rows had no part in.
    pub roc_auc_after: Option<f64>,
}

/// A bin of the reliability curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reliability {
    /// Its rows.
    pub rows: usize,
    /// The mean of their probabilities.
    pub probability: f64,
    /// The share of them that people call consistent.
    pub consistent: f64,
}

/// What is fitted on rows.
struct Fit {
    weights: Option<Weights>,
    curve: Curve,
}

/// Fits a calibration.
///
/// # Errors
/// Rows that are too few, or that have no fit.
pub fn calibrate(rows: &CalibrationRows) -> Result<Calibrated, CalibrateError> {
    let labels: Vec<bool> = rows.rows.iter().map(|row| row.is_consistent).collect();
    let consistent = labels.iter().filter(|label| **label).count();
    if rows.rows.len() < FEWEST_ROWS || consistent.min(labels.len() - consistent) < FEWEST_OF_A_LABEL {
        return Err(CalibrateError::TooFew { rows: labels.len(), consistent });
    }
    let all: Vec<usize> = (0..labels.len()).collect();
    let fitted = Fit::of(&rows.rows, &all)?;
    let worst: Vec<f64> = rows.rows.iter().map(|row| fitted.worst(row)).collect();
    let supported = best_threshold(&worst, &labels).ok_or(Undefined::OneClass)?;
    // A score counts as supported at the threshold, and `best_threshold` lies between two scores.
    let thresholds = Thresholds { supported: supported as f32, contradicted: CONTRADICTED };
    let files = rows.files.clone();
    let fitted_on = FittedOn { files, rows: labels.len(), consistent };
    let text = Calibration::text(
        rows.fitted_for.clone(),
        fitted_on,
        fitted.weights.as_ref(),
        thresholds,
        fitted.curve,
    )?;
    let report = report(rows, &labels, &fitted, thresholds.supported)?;
    if report.roc_auc() <= 0.5 {
        return Err(CalibrateError::NoGround { roc_auc: report.roc_auc() });
    }
    Ok(Calibrated { calibration: Calibration::parse(&text)?, text, report })
}

fn report(
    rows: &CalibrationRows,
    labels: &[bool],
    fitted: &Fit,
    supported: f32,
) -> Result<CalibrationReport, CalibrateError> {
    let (parts, kept_apart) = rows.parts();
    let (mut scores, mut probabilities) = (vec![0.0; labels.len()], vec![0.0; labels.len()]);
    for part in &parts {
        let others: Vec<usize> = (0..labels.len()).filter(|row| part.binary_search(row).is_err()).collect();
        let fit = Fit::of(&rows.rows, &others)?;
        for &row in part {
            scores[row] = fit.score(&rows.rows[row]);
            probabilities[row] = f64::from(fit.curve.at(scores[row] as f32));
        }
    }
    let before: Vec<f64> = rows.rows.iter().map(|row| row.score).collect();
    let last: Vec<f64> = rows.rows.iter().map(|row| fitted.score(row)).collect();
    let targets: Vec<f64> = labels.iter().map(|label| f64::from(u8::from(*label))).collect();
    let bins = reliability_curve(&probabilities, labels, Bins::EqualMass(BINS))?;
    Ok(CalibrationReport {
        rows: labels.len(),
        consistent: labels.iter().filter(|label| **label).count(),
        kept_apart,
        roc_auc_before: estimate(&before, labels)?,
        roc_auc_after: estimate(&scores, labels)?,
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
        weights: fitted.weights.as_ref().map(Weights::named),
        supported,
    })
}

impl CalibrationReport {
    /// Of rows that had no part in their fit; of several files the mean, since a score of one need not mean the same
    /// in another.
    fn roc_auc(&self) -> f64 {
        let of_files: Option<Vec<f64>> = self.files.iter().map(|file| file.roc_auc_after).collect();
        match of_files {
            Some(values) if values.len() > 1 => values.iter().sum::<f64>() / values.len() as f64,
            _ => self.roc_auc_after.value,
        }
    }
}

fn estimate(scores: &[f64], labels: &[bool]) -> Result<Estimate, CalibrateError> {
    let rows: Vec<Vec<usize>> = (0..labels.len()).map(|row| vec![row]).collect();
    let auc = |rows: &[usize]| {
        let (scores, labels): (Vec<f64>, Vec<bool>) =
            rows.iter().map(|row| (scores[*row], labels[*row])).unzip();
        roc_auc(&scores, &labels)
    };
    Ok(Sampled::on_groups(&rows, 0, auc).ok_or(Undefined::OneClass)?.estimate())
}

impl Fit {
    fn of(rows: &[CalibrationRow], chosen: &[usize]) -> Result<Self, FitError> {
        let fit_row = |row: &usize| {
            let CalibrationRow { facts, is_consistent, .. } = &rows[*row];
            Some(FitRow { claims: facts.clone()?, is_consistent: *is_consistent })
        };
        let with_facts: Option<Vec<FitRow>> = chosen.iter().map(fit_row).collect();
        let weights = with_facts.map(|rows| fit(&rows)).transpose()?;
        let mut fit = Self { weights, curve: Curve { intercept: 0.0, slope: 1.0 } };
        let scores: Vec<f64> = chosen.iter().map(|row| fit.score(&rows[*row])).collect();
        let labels: Vec<bool> = chosen.iter().map(|row| rows[*row].is_consistent).collect();
        let scores: Vec<[f64; 1]> = scores.into_iter().map(|score| [score]).collect();
        let curve = fit_logistic(&scores, &labels, CURVE_PENALTY, &[Sign::NonNegative])?;
        fit.curve = Curve { intercept: curve.intercept, slope: curve.coefficients[0] };
        Ok(fit)
    }

    /// The scores of a row's claims.
    fn claims(&self, row: &CalibrationRow) -> Vec<f64> {
        match (&self.weights, &row.facts) {
            (Some(weights), Some(facts)) => {
                facts.iter().map(|facts| f64::from(weights.probability(facts))).collect()
            }
            _ => row.claims.clone(),
        }
    }

    /// The row's score.
    fn score(&self, row: &CalibrationRow) -> f64 {
        if self.weights.is_none() {
            return row.score;
        }
        let claims = self.claims(row);
        f64::from(pool(OverClaims::SoftMinimumOfLogOdds, claims.iter().map(|claim| *claim as f32)))
    }

    /// The score of its worst claim.
    fn worst(&self, row: &CalibrationRow) -> f64 {
        self.claims(row).into_iter().fold(f64::INFINITY, f64::min)
    }
}

impl CalibrationRows {
    /// The rows that are measured together, in order: a file each, or folds of one file.
    fn parts(&self) -> (Vec<Vec<usize>>, &'static str) {
        let rows = 0..self.rows.len();
        if self.files.len() > 1 {
            let of = |file| rows.clone().filter(|row| self.rows[*row].file == file).collect();
            return ((0..self.files.len()).map(of).collect(), "each file by a fit on the others");
        }
        let mut order: Vec<usize> = rows.collect();
        SplitMix64::new(0).shuffle(&mut order);
        let mut folds = vec![Vec::new(); FOLDS];
        order.into_iter().enumerate().for_each(|(place, row)| folds[place % FOLDS].push(row));
        folds.iter_mut().for_each(|fold| fold.sort_unstable());
        (folds, "each fifth of the rows by a fit on the others")
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
