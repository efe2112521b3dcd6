//! Confidence intervals from resampled values of a statistic.

use super::percentile::{quantile, sorted};
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

/// The share in each tail.
fn tail(level: f64) -> Result<f64, Undefined> {
    let sensible = level > 0.0 && level < 1.0;
    if sensible {
        Ok((1.0 - level) / 2.0)
    } else {
        Err(Undefined::Setting("the level must be between 0 and 1"))
    }
}

/// Returns the values at two quantiles.
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
    fn bad_lists_are_errors() {
        for level in [0.0, 1.0, f64::NAN] {
            assert!(percentile_interval(&[1.0], level).is_err());
        }
        assert!(percentile_interval(&[], 0.9).is_err());
        assert!(percentile_interval(&[f64::INFINITY], 0.9).is_err());
    }
}
