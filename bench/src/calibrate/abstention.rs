//! The risk of a verdict, fitted to rows, and what abstaining by it does to other rows: each fold's risks, limits and
//! precision are by a fit on the others.

use serde::Serialize;

use super::folds::Folds;
use super::{CalibrateError, CalibrationRow};
use veridic::pipeline::evidence::{Calibration, Doubt, Doubts, Risk};
use veridic_stats::risk_coverage;

/// Fewest wrong verdicts, and right ones, that a risk is fitted to.
pub(super) const FEWEST_OF_A_KIND: usize = 10;

/// Verdicts with a rate of abstention, cross-validated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Abstention {
    /// The share of wrong verdicts among all.
    pub wrong: f64,
    /// The area under the curve of risk against coverage: the mean share of wrong verdicts among the 1, 2, ..., n least
    /// risky rows; the mean over folds. Risks that tell nothing have the share of wrong verdicts.
    pub area: f64,
    /// The intercept and the weights of the risk's log odds, by name.
    pub weights: Vec<(&'static str, f64)>,
    /// At the rates of the calibration, 0, 0.05, ..., 0.95.
    pub at: Vec<AtRate>,
}

impl Abstention {
    /// The share of rows with a verdict and the share of wrong ones among these, coverage rising to 1.
    #[must_use]
    pub fn curve(&self) -> Vec<(f64, f64)> {
        self.at.iter().rev().filter_map(|at| Some((at.coverage, 1.0 - at.precision?))).collect()
    }
}

/// Verdicts with one rate of abstention.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AtRate {
    /// The rate of the setting.
    pub rate: f32,
    /// The share of rows with a verdict.
    pub coverage: f64,
    /// The share of right verdicts among them; none without verdicts.
    pub precision: Option<f64>,
    /// ROC AUC of the scores of these rows, the mean over folds.
    pub roc_auc: Option<f64>,
    /// The limit of risk of the fit on all rows.
    pub unsure_above_risk: f32,
}

/// The verdict on a row, which is that on its weakest claim.
struct RowVerdict {
    score: f64,
    doubts: Doubts,
    is_wrong: bool,
}

/// A row, as a fit on other rows sees it.
struct Measured {
    verdict: RowVerdict,
    risk: f64,
    /// The highest rate at which it has a verdict; the rates rise by one step.
    answered_to: usize,
}

/// Fits a risk to verdicts by `whole`; each fold is measured by `of_fold` of its number. None if verdicts are too few to
/// fit it or to measure it.
pub(super) fn fit<'c>(
    folds: &Folds<'_>,
    whole: &Calibration,
    of_fold: impl Fn(usize) -> &'c Calibration,
) -> Result<Option<(Risk, Abstention)>, CalibrateError> {
    let is_scored =
        |calibration: &Calibration| folds.rows.calibration.as_deref() == Some(&calibration.sha256);
    let judged = |calibration: &Calibration, rows: &[usize]| -> Vec<RowVerdict> {
        let is_scored = is_scored(calibration);
        rows.iter().map(|&row| RowVerdict::of(calibration, &folds.rows.rows[row], is_scored)).collect()
    };
    let all: Vec<usize> = (0..folds.rows.rows.len()).collect();
    let Some(mut risk) = fitted(&judged(whole, &all), FEWEST_OF_A_KIND)? else { return Ok(None) };
    let mut measured: Vec<Option<Measured>> = all.iter().map(|_| None).collect();
    for (number, fold) in folds.folds.iter().enumerate() {
        let calibration = of_fold(number);
        let verdicts = judged(calibration, &folds.training_rows(number));
        let Some(of_others) = fitted(&verdicts, 1)? else { return Ok(None) };
        for (row, verdict) in fold.iter().zip(judged(calibration, fold)) {
            measured[*row] = Some(Measured::by(&of_others, verdict));
        }
    }
    let measured: Vec<Measured> = measured.into_iter().flatten().collect();
    let precision: Vec<Option<f64>> =
        (0..risk.limits.len()).map(|place| precision(&measured, place)).collect();
    let mut last = 0.0;
    for (limit, precision) in risk.limits.iter_mut().zip(&precision) {
        // Where all rows are unsure, what is known is the precision at the rate before.
        last = precision.unwrap_or(last);
        limit.precision = last as f32;
    }
    let report = report(folds, &risk, &measured)?;
    Ok(Some((risk, report)))
}

/// The number of wrong verdicts by a calibration that scored the rows.
pub(super) fn wrong(folds: &Folds<'_>, calibration: &Calibration) -> usize {
    folds.rows.rows.iter().filter(|row| RowVerdict::of(calibration, row, true).is_wrong).count()
}

/// The risk of verdicts; none with fewer than `fewest` wrong or right ones.
fn fitted(verdicts: &[RowVerdict], fewest: usize) -> Result<Option<Risk>, CalibrateError> {
    let is_wrong: Vec<bool> = verdicts.iter().map(|verdict| verdict.is_wrong).collect();
    let wrong = is_wrong.iter().filter(|wrong| **wrong).count();
    if wrong.min(verdicts.len() - wrong) < fewest {
        return Ok(None);
    }
    let doubts: Vec<Doubts> = verdicts.iter().map(|verdict| verdict.doubts).collect();
    Ok(Some(Risk::fit(&doubts, &is_wrong)?))
}

fn report(folds: &Folds<'_>, risk: &Risk, measured: &[Measured]) -> Result<Abstention, CalibrateError> {
    let area = |fold: &Vec<usize>| {
        let confidences: Vec<f64> = fold.iter().map(|row| -measured[*row].risk).collect();
        let losses: Vec<f64> = fold.iter().map(|row| measured[*row].verdict.loss()).collect();
        risk_coverage(&confidences, &losses).map(|curve| curve.area)
    };
    let areas = folds.folds.iter().map(area).collect::<Result<Vec<f64>, _>>()?;
    let scores: Vec<f64> = measured.iter().map(|row| row.verdict.score).collect();
    let count = measured.len() as f64;
    let at = |(place, rate): (usize, f32)| {
        let answered: Vec<usize> =
            (0..measured.len()).filter(|row| measured[*row].answered_to >= place).collect();
        AtRate {
            rate,
            coverage: answered.len() as f64 / count,
            precision: precision(measured, place),
            roc_auc: folds.roc_auc(&answered, &scores),
            unsure_above_risk: risk.limit(rate).risk,
        }
    };
    let weights = risk.weights.iter().map(|(doubt, weight): (&Doubt, &f64)| (doubt.name(), *weight));
    Ok(Abstention {
        wrong: measured.iter().map(|row| row.verdict.loss()).sum::<f64>() / count,
        area: areas.iter().sum::<f64>() / areas.len() as f64,
        weights: std::iter::once(("intercept", risk.intercept)).chain(weights).collect(),
        at: Risk::rates().enumerate().map(at).collect(),
    })
}

/// The share of right verdicts at the rate of this place.
fn precision(measured: &[Measured], place: usize) -> Option<f64> {
    let answered = measured.iter().filter(|row| row.answered_to >= place);
    let (count, wrong) =
        answered.fold((0, 0.0), |(count, wrong), row| (count + 1, wrong + row.verdict.loss()));
    (count > 0).then(|| 1.0 - wrong / f64::from(count))
}

impl RowVerdict {
    /// The verdict by a calibration, which has scored the row's claims already or scores them now.
    fn of(calibration: &Calibration, row: &CalibrationRow, is_scored: bool) -> Self {
        let facts = |claim: usize| row.facts.as_ref().map(|facts| &facts[claim]);
        let score = |claim: usize| match is_scored {
            true => row.claims[claim] as f32,
            false => calibration.score(row.claims[claim] as f32, facts(claim)),
        };
        let scores: Vec<f32> = (0..row.claims.len()).map(score).collect();
        let weakest = (0..scores.len()).min_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let weakest = weakest.expect("rows have claims");
        let score = scores[weakest];
        Self {
            score: score.into(),
            doubts: calibration.doubts(score, facts(weakest)),
            is_wrong: (score >= calibration.thresholds.supported) != row.is_consistent,
        }
    }

    fn loss(&self) -> f64 {
        f64::from(u8::from(self.is_wrong))
    }
}

impl Measured {
    fn by(risk: &Risk, verdict: RowVerdict) -> Self {
        let of_row = risk.of(&verdict.doubts);
        // Limits fall from rate to rate.
        let above = risk.limits.iter().position(|limit| of_row > limit.risk).unwrap_or(risk.limits.len());
        // A rate of 0 abstains from nothing, however risky.
        Self { verdict, risk: of_row.into(), answered_to: above.saturating_sub(1) }
    }
}
