//! The risk that a claim's verdict is wrong, and the limit of risk for a rate of abstention.
//!
//! People label summaries, not claims. So the risk is fitted to rows, each with the doubts about its weakest claim: a row's
//! verdict is wrong where it says `supported` and people say inconsistent, or the other way round. It is applied to every
//! claim. Two doubts only, because labelled sets are small and differ from each other; neither may lower the risk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calibration::Calibration;
use super::facts::{Fact, Facts};
use super::weights::sigmoid;
use crate::named;
use veridic_stats::{FitError, Sign, fit_logistic};

/// The penalty on squared weights, in standard deviations of the doubts.
const PENALTY: f64 = 10.0;

/// Smallest standard deviation that a doubt is divided by.
const MIN_DEVIATION: f64 = 0.01;

/// The step from one rate of abstention of a file to the next, and how many there are: 0, 0.05, ..., 0.95.
const RATES: u8 = 20;

/// What speaks against a verdict, 0..=1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// The probability of the opposite verdict: of `supported` the score's distance from 1, of the others from 0.
    ContraryProbability,
    /// The share of the claim's pairs of words that the document lacks if the verdict is `supported`, has if it is another.
    ContraryWording,
}

named!(Doubt, "doubt", {
    ContraryProbability = "contrary_probability",
    ContraryWording = "contrary_wording",
});

/// A number for each doubt, in the order of [`Doubt::ALL`].
pub type Doubts = [f64; Doubt::ALL.len()];

/// A logistic model of the probability that a verdict is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// The log odds where nothing speaks against the verdict.
    pub intercept: f64,
    /// What a unit of each doubt adds to them; none for a doubt without a weight.
    pub weights: BTreeMap<Doubt, f64>,
    /// The limit of risk for each rate of abstention, the rates rising from 0.
    pub limits: Vec<RiskLimit>,
}

/// The limit of risk for a rate of abstention.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskLimit {
    /// The share of the rows of the fit whose risk is above the limit.
    pub rate: f32,
    /// The limit.
    pub risk: f32,
    /// The share of right verdicts among the other rows, each judged by a fit on others.
    pub precision: f32,
}

impl Calibration {
    /// What speaks against the verdict on a claim with this score; its wording counts where facts are known.
    #[must_use]
    pub fn doubts(&self, score: f32, facts: Option<&Facts>) -> Doubts {
        let pairs = facts.map(|facts| facts.get(Fact::PairsInDocument));
        match score >= self.thresholds.supported {
            true => [1.0 - f64::from(score), pairs.map_or(0.0, |found| 1.0 - found)],
            false => [f64::from(score), pairs.unwrap_or(0.0)],
        }
    }

    /// The risk of the verdict on a claim with this score and these facts; none without a model of it.
    #[must_use]
    pub fn risk_at(&self, score: f32, facts: Option<&Facts>) -> Option<f32> {
        self.risk.as_ref().map(|risk| risk.of(&self.doubts(score, facts)))
    }
}

impl Risk {
    /// The rates of abstention that a fit has limits for.
    pub fn rates() -> impl Iterator<Item = f32> {
        (0..RATES).map(|step| f32::from(step) / f32::from(RATES))
    }

    /// Fits the model to doubts about verdicts and whether these are wrong. Its limits have no precision yet.
    ///
    /// # Errors
    /// When all verdicts are right or all wrong.
    pub fn fit(doubts: &[Doubts], is_wrong: &[bool]) -> Result<Self, FitError> {
        let deviations = Doubt::ALL.map(|doubt| deviation(doubts, doubt));
        let scaled =
            |doubts: &Doubts| Doubt::ALL.map(|doubt| doubts[doubt as usize] / deviations[doubt as usize]);
        let features: Vec<Doubts> = doubts.iter().map(scaled).collect();
        let signs = [Sign::NonNegative; Doubt::ALL.len()];
        let fitted = fit_logistic(&features, is_wrong, PENALTY, &signs)?;
        let weight = |doubt: Doubt| (doubt, fitted.coefficients[doubt as usize] / deviations[doubt as usize]);
        let weights = Doubt::ALL.into_iter().map(weight).filter(|(_, weight)| *weight != 0.0).collect();
        let mut risk = Self { intercept: fitted.intercept, weights, limits: Vec::new() };
        let mut risks: Vec<f32> = doubts.iter().map(|doubts| risk.of(doubts)).collect();
        risks.sort_by(|a, b| b.total_cmp(a));
        let limit = |rate: f32| {
            let above = (f64::from(rate) * risks.len() as f64).round() as usize;
            RiskLimit { rate, risk: risks[above.min(risks.len() - 1)], precision: 0.0 }
        };
        risk.limits = Self::rates().map(limit).collect();
        Ok(risk)
    }

    /// The probability that a verdict with these doubts is wrong.
    #[must_use]
    pub fn of(&self, doubts: &Doubts) -> f32 {
        let adds = |(doubt, weight): (&Doubt, &f64)| weight * doubts[*doubt as usize];
        sigmoid(self.intercept + self.weights.iter().map(adds).sum::<f64>()) as f32
    }

    /// The limit for a rate, 0..1: on the line between the two nearest rates of the file, beyond the last its own.
    #[must_use]
    pub fn limit(&self, rate: f32) -> RiskLimit {
        let next = self.limits.iter().position(|limit| limit.rate > rate).unwrap_or(self.limits.len());
        let before = self.limits[next.saturating_sub(1)];
        let Some(after) = self.limits.get(next) else { return RiskLimit { rate, ..before } };
        let share = ((rate - before.rate) / (after.rate - before.rate)).max(0.0);
        let between = |from: f32, to: f32| from + share * (to - from);
        let (risk, precision) =
            (between(before.risk, after.risk), between(before.precision, after.precision));
        RiskLimit { rate, risk, precision }
    }

    /// What is wrong with its limits, if anything is.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let is_share = |value: f32| (0.0..=1.0).contains(&value);
        let rates_rise = self.limits.windows(2).all(|pair| pair[0].rate < pair[1].rate);
        let starts_at_0 = self.limits.first().is_some_and(|limit| limit.rate == 0.0);
        if !starts_at_0 || !rates_rise {
            Some("the rates of `risk` must rise from 0")
        } else if self.limits.windows(2).any(|pair| pair[0].risk < pair[1].risk) {
            Some("the limits of `risk` must fall from rate to rate")
        } else if !self
            .limits
            .iter()
            .all(|limit| [limit.rate, limit.risk, limit.precision].map(is_share) == [true; 3])
        {
            Some("the limits of `risk` must lie between 0 and 1")
        } else {
            None
        }
    }
}

fn deviation(doubts: &[Doubts], doubt: Doubt) -> f64 {
    let count = doubts.len().max(1) as f64;
    let mean = doubts.iter().map(|doubts| doubts[doubt as usize]).sum::<f64>() / count;
    let variance = doubts.iter().map(|doubts| (doubts[doubt as usize] - mean).powi(2)).sum::<f64>() / count;
    variance.sqrt().max(MIN_DEVIATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verdicts whose share of wrong ones is the first doubt; the second one misleads.
    fn fitted() -> (Vec<Doubts>, Vec<bool>, Risk) {
        let row = |number: usize| {
            let doubt = (number % 10) as f64 / 10.0;
            let is_wrong = ((number / 10) % 10) as f64 / 10.0 < doubt;
            ([doubt, if is_wrong { 0.0 } else { 0.5 }], is_wrong)
        };
        let (doubts, is_wrong): (Vec<Doubts>, Vec<bool>) = (0..400).map(row).unzip();
        let risk = Risk::fit(&doubts, &is_wrong).unwrap();
        (doubts, is_wrong, risk)
    }

    #[test]
    fn a_doubt_never_lowers_the_risk() {
        let (_, _, risk) = fitted();
        assert_eq!(risk.weights.keys().collect::<Vec<_>>(), [&Doubt::ContraryProbability]);
        assert!(risk.of(&[0.9, 0.0]) > 0.7 && risk.of(&[0.0, 0.0]) < 0.3, "{risk:?}");
        assert_eq!(risk.of(&[0.4, 0.0]), risk.of(&[0.4, 1.0]));
    }

    #[test]
    fn a_rate_is_the_share_of_rows_above_its_limit() {
        let (doubts, is_wrong, risk) = fitted();
        for limit in risk.limits.iter().filter(|limit| (limit.rate * 10.0).fract() == 0.0) {
            let above = doubts.iter().filter(|doubts| risk.of(doubts) > limit.risk).count();
            assert!((above as f32 / doubts.len() as f32 - limit.rate).abs() < 1e-6, "{limit:?}: {above}");
        }
        assert!(risk.fault().is_none());
        assert!(Risk::fit(&doubts, &vec![false; is_wrong.len()]).is_err());
        assert!(Risk::fit(&[], &[]).is_err());
    }

    #[test]
    fn limits_between_rates_lie_on_a_line() {
        let limits = [(0.0, 0.8, 0.5), (0.5, 0.4, 0.7)].map(|(rate, risk, precision)| RiskLimit {
            rate,
            risk,
            precision,
        });
        let risk = Risk { intercept: 0.0, weights: BTreeMap::new(), limits: limits.to_vec() };
        let at = |rate| {
            let RiskLimit { risk, precision, .. } = risk.limit(rate);
            (risk, precision)
        };
        assert_eq!((at(0.0), at(0.5), at(0.75)), ((0.8, 0.5), (0.4, 0.7), (0.4, 0.7)));
        let (limit, precision) = at(0.25);
        assert!((limit - 0.6).abs() < 1e-6 && (precision - 0.6).abs() < 1e-6);
    }

    #[test]
    fn limits_out_of_order_are_faults() {
        let (_, _, good) = fitted();
        let assert_fault = |change: fn(&mut Risk), part: &str| {
            let mut risk = good.clone();
            change(&mut risk);
            assert!(risk.fault().is_some_and(|fault| fault.contains(part)), "{part}: {:?}", risk.fault());
        };
        assert_fault(|risk| risk.limits.clear(), "rise from 0");
        assert_fault(|risk| risk.limits[3].rate = 0.0, "rise from 0");
        assert_fault(|risk| risk.limits[3].risk = 1.0, "fall");
        assert_fault(|risk| risk.limits[3].precision = 1.5, "between 0 and 1");
    }
}
