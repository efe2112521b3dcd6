//! Logistic regression on a few features: the probability of a label as 1 / (1 + exp(-(intercept + sum of
//! coefficient x feature))). Coefficients can be bounded to one sign, so that more support never lowers a score.
//! Deterministic; it finds the unique optimum or returns an error.

mod newton;
mod problem;

use self::newton::minimum;
use self::problem::Problem;
use super::correlation::dot;
use super::undefined::Undefined;

/// The bound of a coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// No bound.
    Free,
    /// Zero or more.
    NonNegative,
    /// Zero or less.
    NonPositive,
}

impl Sign {
    /// The value, or zero if it has the wrong sign.
    #[must_use]
    pub fn bound(self, value: f64) -> f64 {
        match self {
            Self::Free => value,
            Self::NonNegative => value.max(0.0),
            Self::NonPositive => value.min(0.0),
        }
    }
}

/// A fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    /// The log odds where all features are zero.
    pub intercept: f64,
    /// The change of the log odds for a unit of each feature.
    pub coefficients: Vec<f64>,
}

impl Logistic {
    /// The probability of the positive label. None unless there is a feature for each coefficient.
    #[must_use]
    pub fn probability(&self, features: &[f64]) -> Option<f64> {
        let complete = features.len() == self.coefficients.len();
        complete.then(|| sigmoid(self.intercept + dot(&self.coefficients, features)))
    }

    fn is_finite(&self) -> bool {
        self.intercept.is_finite() && self.coefficients.iter().all(|coefficient| coefficient.is_finite())
    }
}

/// A model could not be fitted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FitError {
    /// No model can be fitted to the rows.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// A row has another number of features than the first.
    #[error("row {row} has {found} features, not {expected}")]
    Width {
        /// Its number, from 1.
        row: usize,
        /// Its features.
        found: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// There is no single best model.
    #[error("no single best fit: the features separate the labels or depend on each other; use a larger l2")]
    NoOptimum,
}

/// Fits the model with the least sum of log losses + `l2` / 2 x (sum of squared coefficients), the intercept not
/// penalized: `sklearn.linear_model.LogisticRegression` with C = 1 / `l2`, and without penalty for 0.
/// `signs` bounds the coefficients, one for each; empty bounds none. Takes some ten steps of rows x features x features
/// operations.
///
/// # Errors
/// When a label has no rows, rows differ in width, a feature is not finite, `l2` is negative or not
/// finite, or there is no single optimum: without penalty, features that separate the labels or that are
/// linearly dependent have none.
pub fn fit_logistic(
    features: &[impl AsRef<[f64]>],
    labels: &[bool],
    l2: f64,
    signs: &[Sign],
) -> Result<Logistic, FitError> {
    let problem = Problem::new(features, labels, l2, signs)?;
    let model = minimum(&problem).map(|point| problem.in_original_units(&point));
    // A feature whose values hardly differ from zero can have a coefficient that overflows.
    model.filter(Logistic::is_finite).ok_or(FitError::NoOptimum)
}

/// 1 / (1 + exp(-odds)), accurate for both signs.
pub(super) fn sigmoid(odds: f64) -> f64 {
    if odds >= 0.0 {
        1.0 / (1.0 + (-odds).exp())
    } else {
        let small = odds.exp();
        small / (1.0 + small)
    }
}

#[cfg(test)]
mod tests;
