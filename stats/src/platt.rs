//! Platt scaling: scores to probabilities by a sigmoid with two parameters. It is safe on few rows and wrong where the
//! true curve has another shape.

use super::logistic::{FitError, fit_logistic, sigmoid};

/// The curve 1 / (1 + exp(-(intercept + slope x score))).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Platt {
    /// The change of the log odds for a unit of score.
    pub slope: f64,
    /// The log odds at a score of 0.
    pub intercept: f64,
}

impl Platt {
    /// The probability of the positive label at a score.
    #[must_use]
    pub fn predict(&self, score: f64) -> f64 {
        sigmoid(self.intercept + self.slope * score)
    }
}

/// Fits the curve by maximum likelihood (Platt 1999, without his smoothed targets), as
/// `sklearn.linear_model.LogisticRegression` without penalty does.
///
/// # Errors
/// As [`fit_logistic`]; scores that separate the labels have no best curve.
pub fn fit_platt(scores: &[f64], labels: &[bool]) -> Result<Platt, FitError> {
    let features: Vec<[f64; 1]> = scores.iter().map(|score| [*score]).collect();
    let model = fit_logistic(&features, labels, 0.0, &[])?;
    Ok(Platt { slope: model.coefficients[0], intercept: model.intercept })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Undefined;

    /// With two scores the curve passes through both shares of positives.
    #[test]
    fn curve_passes_through_two_scores() {
        let scores = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        let labels = [false, false, true, true, true, true, false];
        let curve = fit_platt(&scores, &labels).unwrap();
        assert!((curve.predict(0.0) - 1.0 / 3.0).abs() < 1e-12);
        assert!((curve.predict(1.0) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn bad_lists_are_errors() {
        assert_eq!(fit_platt(&[0.1, 0.9], &[false, true]), Err(FitError::NoOptimum));
        assert_eq!(fit_platt(&[0.5, 0.5], &[false, true]), Err(FitError::NoOptimum));
        assert_eq!(fit_platt(&[0.1, 0.9], &[true, true]), Err(Undefined::OneClass.into()));
        assert!(fit_platt(&[], &[]).is_err());
        assert!(fit_platt(&[0.1, f64::NAN], &[true, false]).is_err());
    }
}
