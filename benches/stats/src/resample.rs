//! A statistic on samples of the rows, to estimate how much it would vary with other data. Row indices are sampled, so
//! any statistic can be used, and a row may be a document with all its claims. Samples on which the statistic is
//! undefined are counted.

use super::interval::{Interval, percentile_interval};
use super::random::SplitMix64;
use super::undefined::{Undefined, at_least};

/// A statistic on many samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampled {
    /// Its values, in the order of the samples.
    pub values: Vec<f64>,
    /// Number of samples on which it is undefined.
    pub undefined: usize,
}

/// The statistic on samples of as many rows as there are, drawn with replacement (Efron 1979). The statistic
/// gets row indices below `rows`, in which a row can occur several times; NaN counts as undefined.
pub fn bootstrap(
    rows: usize,
    resamples: usize,
    seed: u64,
    statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Resampled {
    let mut generator = SplitMix64::new(seed);
    collect(resamples, || generator.sample_with_replacement(rows, rows), statistic)
}

/// The statistic on samples of a share of the rows, rounded down, drawn without replacement.
///
/// # Errors
/// When the share is not within 0 and 1.
pub fn subsample(
    rows: usize,
    share: f64,
    resamples: usize,
    seed: u64,
    statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Result<Resampled, Undefined> {
    if !(0.0..=1.0).contains(&share) {
        return Err(Undefined::Setting("the share of rows must be between 0 and 1"));
    }
    let size = (rows as f64 * share) as usize;
    let mut generator = SplitMix64::new(seed);
    Ok(collect(resamples, || generator.sample_without_replacement(rows, size), statistic))
}

fn collect(
    resamples: usize,
    mut sample: impl FnMut() -> Vec<usize>,
    mut statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Resampled {
    let mut values = Vec::new();
    values.extend((0..resamples).filter_map(|_| statistic(&sample()).filter(|value| !value.is_nan())));
    Resampled { undefined: resamples - values.len(), values }
}

/// The difference of a statistic between two systems on the same rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedDifference {
    /// The first system's statistic minus the second's, on all rows.
    pub difference: f64,
    /// The percentile interval of the difference.
    pub interval: Interval,
    /// Two-sided: 2 (1 + m) / (1 + samples), at most 1, where m counts the samples whose difference is zero or
    /// on the rarer side of it. It is small if even an interval of a high level excludes zero; the added 1 keeps it above
    /// what this many samples can show (Davison and Hinkley 1997, section 4.2).
    pub p_value: f64,
    /// Number of samples on which a statistic is undefined; they are left out.
    pub undefined: usize,
}

/// Paired bootstrap: both statistics on the same samples of rows, so that variation that rows cause in both cancels out
/// (Koehn, EMNLP 2004). `level` is that of the interval, such as 0.95.
///
/// # Errors
/// When there are no rows, a statistic is undefined on all rows or on all samples, or the level is not
/// between 0 and 1.
pub fn paired_bootstrap(
    rows: usize,
    resamples: usize,
    seed: u64,
    level: f64,
    mut first: impl FnMut(&[usize]) -> Option<f64>,
    mut second: impl FnMut(&[usize]) -> Option<f64>,
) -> Result<PairedDifference, Undefined> {
    at_least(1, rows)?;
    let mut difference = |sample: &[usize]| Some(first(sample)? - second(sample)?);
    let all: Vec<usize> = (0..rows).collect();
    let observed = difference(&all)
        .filter(|difference| difference.is_finite())
        .ok_or(Undefined::Degenerate("a statistic is undefined on all rows"))?;
    let Resampled { values, undefined } = bootstrap(rows, resamples, seed, difference);
    let interval = percentile_interval(&values, level)?;
    let count = |side: fn(&f64) -> bool| values.iter().filter(|value| side(value)).count();
    let rarer = count(|value| *value <= 0.0).min(count(|value| *value >= 0.0));
    let p_value = (2.0 * (1 + rarer) as f64 / (1 + values.len()) as f64).min(1.0);
    Ok(PairedDifference { difference: observed, interval, p_value, undefined })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> impl Fn(&[usize]) -> Option<f64> {
        |rows| {
            (!rows.is_empty()).then(|| rows.iter().map(|row| values[*row]).sum::<f64>() / rows.len() as f64)
        }
    }

    #[test]
    fn same_seed_gives_the_same_samples() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(bootstrap(40, 50, 7, mean(&values)), bootstrap(40, 50, 7, mean(&values)));
        assert_ne!(bootstrap(40, 50, 7, mean(&values)), bootstrap(40, 50, 8, mean(&values)));
    }

    /// The standard error of a mean is known.
    #[test]
    fn variance_of_means_matches_theory() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let means = bootstrap(100, 4_000, 1, mean(&values)).values;
        let centre = means.iter().sum::<f64>() / 4_000.0;
        let variance = means.iter().map(|mean| (mean - centre).powi(2)).sum::<f64>() / 4_000.0;
        assert!((centre - 49.5).abs() < 0.2);
        assert!((variance / (833.25 / 100.0) - 1.0).abs() < 0.1);
    }

    #[test]
    fn undefined_samples_are_counted() {
        let both = |rows: &[usize]| (rows.contains(&0) && rows.contains(&1)).then_some(1.0);
        let resampled = bootstrap(2, 1_000, 3, both);
        assert_eq!(resampled.values.len() + resampled.undefined, 1_000);
        assert!(resampled.undefined.abs_diff(500) < 100);
    }

    #[test]
    fn share_is_rounded_down() {
        let sizes = subsample(9, 0.8, 3, 1, |rows| Some(rows.len() as f64)).unwrap();
        assert_eq!(sizes.values, [7.0; 3]);
        assert!(subsample(9, f64::NAN, 3, 1, |_| None).is_err());
    }

    #[test]
    fn system_against_itself_has_no_difference() {
        let values = [0.0, 1.0, 1.0, 0.0, 1.0];
        let same = paired_bootstrap(5, 200, 1, 0.95, mean(&values), mean(&values)).unwrap();
        assert_eq!(
            (same.difference, same.interval, same.p_value),
            (0.0, Interval { low: 0.0, high: 0.0 }, 1.0)
        );
    }

    #[test]
    fn clear_difference_has_the_smallest_p_value() {
        let first: Vec<f64> = (0..50).map(|row| f64::from(row % 3) + 1.0).collect();
        let second: Vec<f64> = (0..50).map(|row| f64::from(row % 3)).collect();
        let found = paired_bootstrap(50, 999, 1, 0.95, mean(&first), mean(&second)).unwrap();
        assert!((found.difference - 1.0).abs() < 1e-12 && found.interval.low > 0.99);
        assert_eq!(found.p_value, 0.002);
        let swapped = paired_bootstrap(50, 999, 1, 0.95, mean(&second), mean(&first)).unwrap();
        assert_eq!(swapped.p_value, found.p_value);
    }

    #[test]
    fn bad_statistics_are_errors() {
        let none = |_: &[usize]| None;
        assert!(paired_bootstrap(0, 9, 1, 0.95, none, none).is_err());
        assert!(paired_bootstrap(3, 9, 1, 0.95, |_| Some(1.0), none).is_err());
        assert!(paired_bootstrap(3, 0, 1, 0.95, |_| Some(1.0), |_| Some(1.0)).is_err());
        assert!(paired_bootstrap(3, 9, 1, 1.0, |_| Some(1.0), |_| Some(1.0)).is_err());
    }
}
