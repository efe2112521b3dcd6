//! Confidence intervals from resampled values of a statistic.

use super::percentile::{quantile, sorted};
use super::special::{normal_below, normal_quantile};
use super::undefined::{Undefined, all_finite, at_least};

/// An interval, ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The middle `level` of bootstrap values, with equal tails (`scipy.stats.bootstrap` with
/// `method="percentile"`).
///
/// # Errors
/// When there are no values, a value is not finite, or the level is not between 0 and 1.
pub fn percentile_interval(values: &[f64], level: f64) -> Result<Interval, Undefined> {
    let tail = tail(level)?;
    between(values, tail, 1.0 - tail)
}

/// Efron's interval, corrected for bias and acceleration (Efron and Tibshirani, An Introduction to the
/// Bootstrap, 1993, chapter 14; `scipy.stats.bootstrap` with `method="BCa"`), given the bootstrap values, the
/// statistic on all rows, and its [`jackknife`](super::jackknife) values.
///
/// With z0 the normal quantile of the share of bootstrap values below the statistic (ties half), and a the
/// skewness of the jackknife values over six, the ends are at the shares
/// Phi(z0 + (z0 + z) / (1 - a (z0 + z))), where z are the normal quantiles of the ends of a percentile interval.
///
/// # Errors
/// As [`percentile_interval`], and when all bootstrap values lie on one side of the statistic or all
/// jackknife values are equal.
pub fn bca_interval(
    values: &[f64],
    observed: f64,
    jackknife: &[f64],
    level: f64,
) -> Result<Interval, Undefined> {
    let tail = tail(level)?;
    at_least(1, values.len())?;
    all_finite(&[observed])?;
    let count = |side: fn(f64, f64) -> bool| values.iter().filter(|value| side(**value, observed)).count();
    let share = (count(|a, b| a < b) + count(|a, b| a <= b)) as f64 / (2 * values.len()) as f64;
    if share <= 0.0 || share >= 1.0 {
        return Err(Undefined::Degenerate("all bootstrap values lie on one side of the statistic"));
    }
    let bias = normal_quantile(share);
    let acceleration = acceleration(jackknife)?;
    let corrected = |z: f64| normal_below(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
    let z = normal_quantile(tail);
    between(values, corrected(z), corrected(-z))
}

/// A sixth of the skewness of the influence of single rows.
fn acceleration(jackknife: &[f64]) -> Result<f64, Undefined> {
    at_least(2, jackknife.len())?;
    all_finite(jackknife)?;
    let mean = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
    let moment = |power| jackknife.iter().map(|value| (mean - value).powi(power)).sum::<f64>();
    let acceleration = moment(3) / (6.0 * moment(2).powf(1.5));
    let equal = Undefined::Degenerate("no row makes a difference to the statistic");
    if acceleration.is_finite() { Ok(acceleration) } else { Err(equal) }
}

/// The share in each tail.
fn tail(level: f64) -> Result<f64, Undefined> {
    let sensible = level > 0.0 && level < 1.0;
    if sensible {
        Ok((1.0 - level) / 2.0)
    } else {
        Err(Undefined::Setting("the level must be between 0 and 1"))
    }
}

/// The values at two shares of them.
fn between(values: &[f64], low: f64, high: f64) -> Result<Interval, Undefined> {
    at_least(1, values.len())?;
    all_finite(values)?;
    let sorted = sorted(values);
    Ok(Interval { low: quantile(&sorted, low), high: quantile(&sorted, high) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_is_the_middle_of_values() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        let interval = percentile_interval(&values, 0.9).unwrap();
        assert!((interval.low - 5.0).abs() < 1e-9 && (interval.high - 95.0).abs() < 1e-9);
    }

    #[test]
    fn without_bias_and_skewness_the_correction_does_nothing() {
        let values: Vec<f64> = (0..=1000).map(f64::from).collect();
        let plain = percentile_interval(&values, 0.95).unwrap();
        let corrected = bca_interval(&values, 500.0, &[1.0, 2.0, 3.0], 0.95).unwrap();
        assert!((plain.low - corrected.low).abs() < 1e-9 && (plain.high - corrected.high).abs() < 1e-9);
    }

    #[test]
    fn bad_lists_are_errors() {
        for level in [0.0, 1.0, f64::NAN] {
            assert!(percentile_interval(&[1.0], level).is_err());
        }
        assert!(percentile_interval(&[], 0.9).is_err());
        assert!(percentile_interval(&[f64::INFINITY], 0.9).is_err());
        assert!(matches!(bca_interval(&[1.0, 2.0], 3.0, &[1.0, 2.0], 0.9), Err(Undefined::Degenerate(_))));
        assert!(matches!(bca_interval(&[1.0, 2.0], 1.5, &[1.0, 1.0], 0.9), Err(Undefined::Degenerate(_))));
        assert!(bca_interval(&[1.0, 2.0], 1.5, &[1.0], 0.9).is_err());
        assert!(bca_interval(&[1.0, f64::NAN], 1.5, &[1.0, 2.0], 0.9).is_err());
    }
}
