//! Weights of facts from labelled summaries. People label summaries, not claims: a summary's facts are the means over
//! its claims, so that its log odds are the mean of theirs. Weights are bound in sign, see [`Fact::sign`].

use super::facts::{Fact, Facts};
use super::weights::Weights;
use crate::stats::{FitError, Logistic, Sign, fit_logistic};

/// The penalty on squared weights: it decides little where there are hundreds of rows, and keeps weights small where
/// there are dozens.
const PENALTY: f64 = 1.0;

/// A labelled summary.
#[derive(Debug, Clone, PartialEq)]
pub struct FitRow {
    /// The facts of its claims; at least one.
    pub claims: Vec<Facts>,
    /// Whether people call it consistent.
    pub is_consistent: bool,
}

/// Fits weights.
///
/// # Errors
/// When there are no rows of one label, or no single best weights.
pub fn fit(rows: &[FitRow]) -> Result<Weights, FitError> {
    let features: Vec<Vec<f64>> = rows.iter().map(FitRow::means).collect();
    let labels: Vec<bool> = rows.iter().map(|row| row.is_consistent).collect();
    let signs: Vec<Sign> = Fact::ALL.iter().map(|fact| fact.sign()).collect();
    let Logistic { intercept, coefficients } = fit_logistic(&features, &labels, PENALTY, &signs)?;
    let mut values = [0.0; Fact::ALL.len()];
    values.copy_from_slice(&coefficients);
    Ok(Weights { intercept, values })
}

impl FitRow {
    /// The mean of each fact over the claims.
    fn means(&self) -> Vec<f64> {
        let mean = |fact: usize| {
            self.claims.iter().map(|claim| claim.values()[fact]).sum::<f64>() / self.claims.len() as f64
        };
        (0..Fact::ALL.len()).map(mean).collect()
    }
}
