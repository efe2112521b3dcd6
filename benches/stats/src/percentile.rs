//! Percentiles of a sample, interpolated between its values: type 7 of Hyndman and Fan (1996), the default of
//! `numpy.percentile`. They agree with it bit for bit, since thresholds depend on them.

use super::undefined::{Undefined, all_finite, all_within, at_least};

/// The value below which `percent` percent of the values lie.
///
/// # Errors
/// When there are no values, a value is not finite, or `percent` is not within 0 and 100.
pub fn percentile(values: &[f64], percent: f64) -> Result<f64, Undefined> {
    Ok(percentiles(values, &[percent])?[0])
}

/// Several percentiles of the same values, which are sorted only once.
///
/// # Errors
/// When there are no values, a value is not finite, or a percent is not within 0 and 100.
pub fn percentiles(values: &[f64], percents: &[f64]) -> Result<Vec<f64>, Undefined> {
    at_least(1, values.len())?;
    all_finite(values)?;
    all_within(percents, 0.0, 100.0)?;
    let sorted = sorted(values);
    Ok(percents.iter().map(|percent| quantile(&sorted, percent / 100.0)).collect())
}

/// The values, the lowest first.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value at a share within 0 and 1 of sorted, finite values, at least one.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = last as f64 * share;
    let below = (place as usize).min(last);
    let weight = place - below as f64;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    // From the nearer value, as in numpy: the last bit depends on it.
    match high - low {
        f64::INFINITY => low * (1.0 - weight) + high * weight,
        step if weight >= 0.5 => high - step * (1.0 - weight),
        step => low + step * weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_interpolated() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(percentiles(&values, &[0.0, 50.0, 100.0]), Ok(vec![1.0, 2.5, 4.0]));
        assert_eq!(percentile(&[7.0], 33.0), Ok(7.0));
        assert_eq!(percentiles(&[f64::MAX, f64::MIN], &[0.0, 50.0]), Ok(vec![f64::MIN, 0.0]));
    }

    #[test]
    fn bad_lists_are_errors() {
        assert!(percentile(&[], 50.0).is_err());
        assert!(percentile(&[f64::NAN], 50.0).is_err());
        assert!(percentile(&[1.0], 100.5).is_err());
        assert!(percentile(&[1.0], f64::NAN).is_err());
    }
}
