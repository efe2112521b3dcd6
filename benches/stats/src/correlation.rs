//! Correlation of two lists: linear (Pearson) or of ranks (Spearman).

use super::ranks::average_ranks;
use super::undefined::{Undefined, all_finite, at_least, same_length};

/// Pearson's r: the covariance over both standard deviations, as in
/// `scipy.stats.pearsonr`.
///
/// # Errors
/// When the lists differ in length, have fewer than two rows, a value is not finite, or all values of a list
/// are equal.
pub fn pearson(first: &[f64], second: &[f64]) -> Result<f64, Undefined> {
    same_length(first.len(), second.len())?;
    at_least(2, first.len())?;
    let (first, second) = (centred(first)?, centred(second)?);
    let length = (dot(&first, &first) * dot(&second, &second)).sqrt();
    Ok((dot(&first, &second) / length).clamp(-1.0, 1.0))
}

/// Spearman's rho: Pearson's r of the average ranks. (`scipy.stats.spearmanr`).
///
/// # Errors
/// When the lists differ in length, have fewer than two rows, a value is NaN, or all values of a list are
/// equal.
pub fn spearman(first: &[f64], second: &[f64]) -> Result<f64, Undefined> {
    same_length(first.len(), second.len())?;
    pearson(&average_ranks(first)?, &average_ranks(second)?)
}

/// The values minus their mean, divided by the largest power of two up to the largest absolute value, so that sums of
/// squares stay in range. Refuses values that are not finite and values that are all equal.
fn centred(values: &[f64]) -> Result<Vec<f64>, Undefined> {
    all_finite(values)?;
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    // Division by a power of two is exact, so results for ranks are exact too.
    let unit = f64::from_bits(largest.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE);
    if values.iter().all(|value| *value == values[0]) {
        return Err(Undefined::Constant);
    }
    let scaled: Vec<f64> = values.iter().map(|value| value / unit).collect();
    let mean = scaled.iter().sum::<f64>() / scaled.len() as f64;
    let values: Vec<f64> = scaled.iter().map(|value| value - mean).collect();
    // Values that differ only in the last bits can become equal in another unit.
    if dot(&values, &values) > 0.0 { Ok(values) } else { Err(Undefined::Constant) }
}

/// The sum of products.
fn dot(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn line_has_perfect_correlation() {
        let rows = [1.0, 2.0, 4.0, 8.0];
        let falling = rows.map(|row| 3.0 - 0.5 * row);
        assert!((pearson(&rows, &falling).unwrap() + 1.0).abs() < 1e-15);
        assert_eq!(spearman(&rows, &rows.map(f64::exp)), Ok(1.0));
        assert_eq!(spearman(&rows, &falling), Ok(-1.0));
        assert_eq!(pearson(&[1.0, 2.0], &[5.0, 3.0]), Ok(-1.0));
    }

    #[test]
    fn huge_and_tiny_values_stay_in_range() {
        let rows = [-1e308, 2.0, 1e308, 5e307];
        let tiny = rows.map(|row| row / 1e308 * 1e-300);
        assert!((pearson(&rows, &tiny).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn unit_and_row_order_do_not_matter() {
        let mut generator = SplitMix64::new(2);
        let mut rows: Vec<(f64, f64)> =
            (0..90).map(|_| (generator.below(40) as f64, generator.below(7) as f64)).collect();
        let split = |rows: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { rows.iter().copied().unzip() };
        let (first, second) = split(&rows);
        let moved: Vec<f64> = first.iter().map(|value| value * 1e5 - 77.0).collect();
        let expected = pearson(&first, &second).unwrap();
        generator.shuffle(&mut rows);
        let (first, shuffled) = split(&rows);
        for ours in [pearson(&moved, &second), pearson(&first, &shuffled), pearson(&second, &moved)] {
            assert!((ours.unwrap() - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn bad_lists_are_errors() {
        assert_eq!(pearson(&[1.0], &[1.0]), Err(Undefined::TooFew { rows: 1, needed: 2 }));
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), Err(Undefined::Constant));
        assert_eq!(pearson(&[0.0, -0.0], &[1.0, 2.0]), Err(Undefined::Constant));
        assert_eq!(pearson(&[1.0, f64::INFINITY], &[1.0, 2.0]), Err(Undefined::NotFinite { index: 1 }));
        assert_eq!(spearman(&[1.0, f64::NAN], &[1.0, 2.0]), Err(Undefined::NotFinite { index: 1 }));
        assert!(spearman(&[1.0, f64::INFINITY], &[1.0, 2.0]).is_ok());
        assert_eq!(spearman(&[1.0], &[]), Err(Undefined::Lengths { first: 1, second: 0 }));
    }
}
