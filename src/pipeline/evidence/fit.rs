//! Weights of facts from labelled summaries.
//!
//! People label summaries, not claims: a summary's facts are the means over its claims, so that its log odds are the
//! mean of theirs. Labelled sets are small and unlike each other, and weights that fit one of them well are wrong for
//! the next. So the facts that speak for a claim in themselves begin with equal weights, each a unit of its spread
//! (Dawes 1979 on such models), of which only the common size is free; a penalty holds each weight near that, and those
//! of the other facts near nothing. Weights are bound in sign, see [`Fact::sign`].

use super::calibration::Weights;
use super::facts::{Fact, Facts};
use veridic_stats::{FitError, Logistic, fit_logistic};

/// The penalty on squared distances from equal weights, in units of spread. Measured on sets left out (docs/measurements/accuracy.md):
/// the less, the better the fit and the worse what it is worth elsewhere. Only many thousand rows move weights.
const PENALTY: f64 = 10_000.0;

/// The least standard deviation of a fact that counts; facts are shares and differences of probabilities.
const LEAST_SPREAD: f64 = 0.1;

/// How much less the common size is held than the distances from it.
const FREEDOM: f64 = 100.0;

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
    let means: Vec<[f64; Fact::ALL.len()]> = rows.iter().map(FitRow::means).collect();
    let spreads = spreads(&means);
    let features: Vec<Vec<f64>> = means.iter().map(|facts| features(facts, &spreads)).collect();
    let labels: Vec<bool> = rows.iter().map(|row| row.is_consistent).collect();
    let Logistic { intercept, coefficients } = fit_logistic(&features, &labels, PENALTY, &[])?;
    let common = FREEDOM * coefficients[0].max(0.0);
    let (mut values, mut usual) = ([0.0; Fact::ALL.len()], [0.0; Fact::ALL.len()]);
    for (fact, distance) in Fact::ALL.into_iter().zip(&coefficients[1..]) {
        let place = fact as usize;
        if fact.is_weighed() {
            values[place] = fact.sign().bound(fact.direction() * common + distance) / spreads[place];
        }
        if values[place] != 0.0 {
            usual[place] = mean(&means, fact);
        }
    }
    let intercept = intercept + values.iter().zip(usual).map(|(weight, usual)| weight * usual).sum::<f64>();
    Ok(Weights { intercept, values, usual })
}

/// The standard deviation of each fact, of which one that hardly changes is not made much.
fn spreads(rows: &[[f64; Fact::ALL.len()]]) -> [f64; Fact::ALL.len()] {
    Fact::ALL.map(|fact| {
        let usual = mean(rows, fact);
        let variance = rows.iter().map(|row| (row[fact as usize] - usual).powi(2)).sum::<f64>();
        (variance / rows.len().max(1) as f64).sqrt().max(LEAST_SPREAD)
    })
}

fn mean(rows: &[[f64; Fact::ALL.len()]], fact: Fact) -> f64 {
    rows.iter().map(|row| row[fact as usize]).sum::<f64>() / rows.len().max(1) as f64
}

/// The sum of the facts that speak for or against a claim, large so that its size is hardly held, and each fact, in units of spread.
fn features(facts: &[f64; Fact::ALL.len()], spreads: &[f64; Fact::ALL.len()]) -> Vec<f64> {
    let in_spreads = |fact: Fact| match fact.is_weighed() {
        true => facts[fact as usize] / spreads[fact as usize],
        false => 0.0,
    };
    let sum: f64 = Fact::ALL.into_iter().map(|fact| fact.direction() * in_spreads(fact)).sum();
    std::iter::once(FREEDOM * sum).chain(Fact::ALL.into_iter().map(in_spreads)).collect()
}

impl FitRow {
    /// The mean of each fact over the claims.
    fn means(&self) -> [f64; Fact::ALL.len()] {
        let mean = |fact: usize| {
            self.claims.iter().map(|claim| claim.values()[fact]).sum::<f64>() / self.claims.len() as f64
        };
        std::array::from_fn(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use veridic_stats::SplitMix64;

    /// Summaries of one to three claims; consistent ones have more of their words and less that is neutral.
    fn rows(count: usize) -> Vec<FitRow> {
        let mut random = SplitMix64::new(1);
        let mut share = move || random.next_u64() as f64 / u64::MAX as f64;
        let row = |index: usize| {
            let is_consistent = index.is_multiple_of(2);
            let shift = if is_consistent { 0.3 } else { 0.0 };
            let mut claim = || {
                Facts::from_values([0.0; Fact::ALL.len()])
                    .with(Fact::WordsInSentence, 0.7 * share() + shift)
                    .with(Fact::SentenceNeutral, 0.7 * share() + 0.3 - shift)
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
        assert!(of(Fact::WordsInSentence) > 0.5 && of(Fact::SentenceNeutral) < -0.5, "{weights:?}");
        // It goes with consistent summaries here, and may not speak for them.
        assert_eq!(of(Fact::DenialDiffers), 0.0);
        // What never changes says nothing, and keeps the weight that it began with.
        assert!(of(Fact::NumbersInDocument) > 0.5 && of(Fact::PairsInDocument) == 0.0, "{weights:?}");
    }

    #[test]
    fn rows_of_one_label_have_no_fit() {
        let rows: Vec<FitRow> = rows(60).into_iter().filter(|row| row.is_consistent).collect();
        assert!(fit(&rows).is_err());
        assert!(fit(&[]).is_err());
    }
}
