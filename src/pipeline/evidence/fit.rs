//! Fits weights of facts to labelled summaries.
//!
//! People label summaries, not claims: a summary's facts are the means over its claims, so that its log odds are the
//! mean of theirs. Labelled sets are small and differ from each other, and weights that fit one of them closely are wrong
//! for the next. So all facts with a [`Fact::direction`] start from equal weights per standard deviation (Dawes 1979), of
//! which only the common size is free; a penalty keeps each weight near that, and the weights of the other facts near 0.
//! Signs are bound by [`Fact::sign`].

use super::facts::{Fact, FactValues, Facts};
use super::weights::Weights;
use veridic_stats::{FitError, Logistic, fit_logistic};

/// The penalty on squared distances from equal weights, in standard deviations. Measured on held-out sets
/// (docs/measurements/accuracy.md): a smaller one fits better and generalises worse. Only many thousand rows move weights.
const PENALTY: f64 = 10_000.0;

/// Smallest standard deviation that a fact is divided by; facts are shares and differences of probabilities.
const MIN_DEVIATION: f64 = 0.1;

/// How much less the common size is penalised than the distances from it.
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
    let rows_facts: Vec<FactValues> = rows.iter().map(FitRow::means).collect();
    let deviations = deviations(&rows_facts);
    let features: Vec<Vec<f64>> = rows_facts.iter().map(|facts| features(facts, &deviations)).collect();
    let labels: Vec<bool> = rows.iter().map(|row| row.is_consistent).collect();
    let Logistic { intercept, coefficients } = fit_logistic(&features, &labels, PENALTY, &[])?;
    let common = FREEDOM * coefficients[0].max(0.0);
    let (mut values, mut means) = ([0.0; Fact::ALL.len()], [0.0; Fact::ALL.len()]);
    for (fact, distance) in Fact::ALL.into_iter().zip(&coefficients[1..]) {
        let place = fact as usize;
        if fact.is_weighed() {
            values[place] = fact.sign().bound(fact.direction() * common + distance) / deviations[place];
        }
        if values[place] != 0.0 {
            means[place] = mean(&rows_facts, fact);
        }
    }
    let intercept = intercept + values.iter().zip(means).map(|(weight, mean)| weight * mean).sum::<f64>();
    Ok(Weights { intercept, values, means })
}

/// The standard deviation of each fact over the rows, at least [`MIN_DEVIATION`].
fn deviations(rows: &[FactValues]) -> FactValues {
    Fact::ALL.map(|fact| {
        let mean = mean(rows, fact);
        let variance = rows.iter().map(|row| (row[fact as usize] - mean).powi(2)).sum::<f64>();
        (variance / rows.len().max(1) as f64).sqrt().max(MIN_DEVIATION)
    })
}

fn mean(rows: &[FactValues], fact: Fact) -> f64 {
    rows.iter().map(|row| row[fact as usize]).sum::<f64>() / rows.len().max(1) as f64
}

/// Each fact in standard deviations; before them the sum of those with a direction, scaled up so that the penalty hardly
/// holds its coefficient.
fn features(facts: &FactValues, deviations: &FactValues) -> Vec<f64> {
    let scaled = |fact: Fact| match fact.is_weighed() {
        true => facts[fact as usize] / deviations[fact as usize],
        false => 0.0,
    };
    let sum: f64 = Fact::ALL.into_iter().map(|fact| fact.direction() * scaled(fact)).sum();
    std::iter::once(FREEDOM * sum).chain(Fact::ALL.into_iter().map(scaled)).collect()
}

impl FitRow {
    /// The mean of each fact over the claims.
    fn means(&self) -> FactValues {
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

    /// Summaries of one to three claims; consistent ones have a higher share of words and less neutral probability.
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
        // It is higher for consistent summaries here, and its sign forbids a positive weight.
        assert_eq!(of(Fact::DenialDiffers), 0.0);
        // A constant fact keeps the weight that it started from.
        assert!(of(Fact::NumbersInDocument) > 0.5 && of(Fact::PairsInDocument) == 0.0, "{weights:?}");
    }

    #[test]
    fn rows_of_one_label_cannot_be_fitted() {
        let rows: Vec<FitRow> = rows(60).into_iter().filter(|row| row.is_consistent).collect();
        assert!(fit(&rows).is_err());
        assert!(fit(&[]).is_err());
    }
}
