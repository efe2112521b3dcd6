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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SplitMix64;

    /// Summaries of one to three claims; consistent ones have more of their words and less contradiction.
    fn rows(count: usize) -> Vec<FitRow> {
        let mut random = SplitMix64::new(1);
        let mut share = move || random.next_u64() as f64 / u64::MAX as f64;
        let row = |index: usize| {
            let is_consistent = index % 2 == 0;
            let shift = if is_consistent { 0.3 } else { 0.0 };
            let mut claim = || {
                Facts::from_values([0.0; Fact::ALL.len()])
                    .with(Fact::WordsInDocument, 0.7 * share() + shift)
                    .with(Fact::Contradiction, 0.7 * share() + 0.3 - shift)
                    .with(Fact::DenialDiffers, shift)
            };
            FitRow { claims: (0..=index % 3).map(|_| claim()).collect(), is_consistent }
        };
        (0..count).map(row).collect()
    }

    #[test]
    fn weights_have_the_sign_of_their_fact() {
        let weights = fit(&rows(300)).unwrap();
        let of = |fact: Fact| weights.values[fact as usize];
        assert!(of(Fact::WordsInDocument) > 0.5 && of(Fact::Contradiction) < -0.5, "{weights:?}");
        // It goes with consistent summaries here, and may not speak for them.
        assert_eq!(of(Fact::DenialDiffers), 0.0);
        assert_eq!(of(Fact::SentenceScore), 0.0, "a fact that never changes says nothing");
    }

    #[test]
    fn rows_of_one_label_have_no_fit() {
        let rows: Vec<FitRow> = rows(60).into_iter().filter(|row| row.is_consistent).collect();
        assert!(fit(&rows).is_err());
        assert!(fit(&[]).is_err());
    }
}
