//! What is fitted to labelled rows: the map from a claim to a probability, such that the lowest of a row's claims is the
//! probability that people call it consistent, and the limits of claims with a quantity that is nowhere in the document and of
//! claims for which the document says something else instead.

use super::{CalibrateError, CalibrationRow, CalibrationRows};
use veridic::pipeline::Thresholds;
use veridic::pipeline::evidence::{Calibration, Curve, Fact, FitRow, FittedOn, Format, Weights, fit};
use veridic_stats::{FitError, Sign, Undefined, best_threshold, fit_logistic};

/// Fewest rows with such a claim from which the limit of such claims is estimated.
const FEWEST_LIMITED: usize = 30;

/// The penalty on the squared slope of the curve from scores to probabilities. It is so small that it only keeps the slope
/// finite where scores separate the labels perfectly.
const CURVE_PENALTY: f64 = 0.01;

/// A model that is fitted to rows.
pub(super) struct Fit {
    pub(super) weights: Option<Weights>,
    /// The curve of the rule's scores, where there are no weights.
    curve: Option<Curve>,
    /// The highest score of a row with a quantity that is not in the document.
    quantity_nowhere: Option<f32>,
    /// The highest score of a row with a claim for which the document says something else instead.
    instead: Option<f32>,
}

impl Fit {
    /// The calibration of this fit to the chosen rows, with the threshold that decides them best.
    pub(super) fn calibration(
        &self,
        rows: &CalibrationRows,
        chosen: &[usize],
    ) -> Result<Calibration, CalibrateError> {
        let labels: Vec<bool> = chosen.iter().map(|row| rows.rows[*row].is_consistent).collect();
        let scores: Vec<f64> = chosen.iter().map(|row| self.score(&rows.rows[*row])).collect();
        let supported = best_threshold(&scores, &labels).ok_or(Undefined::OneClass)?;
        let consistent = labels.iter().filter(|label| **label).count();
        Ok(Calibration {
            format: Format,
            fitted_for: rows.fitted_for.clone(),
            fitted_on: FittedOn { files: rows.files.clone(), rows: labels.len(), consistent },
            rule: None,
            weights: self.weights.clone(),
            // A score counts as supported at the threshold, and `best_threshold` lies between two scores.
            thresholds: Thresholds::supported_from(supported as f32),
            quantity_nowhere: self.quantity_nowhere,
            instead: self.instead,
            probability: self.curve,
            risk: None,
            escalate_within: None,
            sha256: String::new(),
        })
    }

    pub(super) fn of(rows: &[CalibrationRow], chosen: &[usize]) -> Result<Self, FitError> {
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
    pub(super) fn score(&self, row: &CalibrationRow) -> f64 {
        let ranked = self.ranked(row);
        let odds = self.curve.map_or(ranked, |curve| curve.intercept + curve.slope * ranked);
        1.0 / (1.0 + (-odds).exp())
    }

    /// The row's score on the scale of the fit: the log odds of its weakest claim, or without weights the rule's score, within
    /// the limits of a quantity that is not in the document and of what the document says instead.
    pub(super) fn ranked(&self, row: &CalibrationRow) -> f64 {
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
