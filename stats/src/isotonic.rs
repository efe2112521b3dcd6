//! Isotonic regression: scores to probabilities by the best non-decreasing curve. It assumes no shape and overfits few rows.

use super::ranks::for_each_tie;
use super::undefined::{Undefined, all_finite, at_least, same_length};

/// A non-decreasing curve: linear between its points, constant outside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Isotonic {
    /// Ascending, distinct scores with their values, which never decrease.
    pub points: Vec<(f64, f64)>,
}

impl Isotonic {
    /// The value at a score; outside the fitted range that of the nearest end. NaN for NaN.
    #[must_use]
    pub fn predict(&self, score: f64) -> f64 {
        if score.is_nan() {
            return f64::NAN;
        }
        let after = self.points.partition_point(|(at, _)| *at < score);
        match (after.checked_sub(1).and_then(|before| self.points.get(before)), self.points.get(after)) {
            (Some((low, from)), Some((high, to))) => from + (to - from) * ((score - low) / (high - low)),
            (Some((_, value)), None) | (None, Some((_, value))) => *value,
            (None, None) => f64::NAN,
        }
    }
}

/// The curve with the least squared distance to the targets (0 and 1 for labels), by pooling adjacent
/// violators (Ayer et al. 1955); rows with equal scores count as their mean
/// (`sklearn.isotonic.IsotonicRegression` with `out_of_bounds="clip"`, which also treats scores as equal that
/// differ by less than 1e-15).
///
/// # Errors
/// When the lists differ in length or are empty, or a value is not finite.
pub fn fit_isotonic(scores: &[f64], targets: &[f64]) -> Result<Isotonic, Undefined> {
    same_length(scores.len(), targets.len())?;
    at_least(1, scores.len())?;
    all_finite(scores)?;
    all_finite(targets)?;
    let mut blocks: Vec<Block> = Vec::new();
    for_each_tie(scores, |rows| {
        let score = scores[rows[0]];
        let sum = rows.iter().map(|row| targets[*row]).sum();
        let mut block = Block { first: score, last: score, sum, rows: rows.len() as f64 };
        while let Some(before) = blocks.pop_if(|before| before.mean() >= block.mean()) {
            block = Block {
                first: before.first,
                sum: before.sum + block.sum,
                rows: before.rows + block.rows,
                ..block
            };
        }
        blocks.push(block);
    });
    let mut points: Vec<(f64, f64)> =
        blocks.iter().flat_map(|block| [(block.first, block.mean()), (block.last, block.mean())]).collect();
    points.dedup();
    Ok(Isotonic { points })
}

/// Neighbouring scores with one value.
struct Block {
    first: f64,
    last: f64,
    sum: f64,
    rows: f64,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    #[test]
    fn violators_are_pooled() {
        let curve = fit_isotonic(&[1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, 0.0, 1.0]).unwrap();
        assert_eq!(curve.points, [(1.0, 0.0), (2.0, 0.5), (3.0, 0.5), (4.0, 1.0)]);
        let values = [0.0, 1.5, 2.5, 9.0].map(|score| curve.predict(score));
        assert_eq!(values, [0.0, 0.25, 0.5, 1.0]);
        assert!(curve.predict(f64::NAN).is_nan());
        assert_eq!(curve.predict(f64::INFINITY), 1.0);
    }

    #[test]
    fn one_score_is_one_point() {
        let curve = fit_isotonic(&[0.5; 4], &[1.0, 0.0, 0.0, 1.0]).unwrap();
        assert_eq!(curve.points, [(0.5, 0.5)]);
        assert_eq!(curve.predict(-3.0), 0.5);
    }

    #[test]
    fn mean_is_kept_and_curve_never_decreases() {
        let mut generator = SplitMix64::new(12);
        for rows in 1..80 {
            let [scores, targets] =
                [20, 2].map(|bound| (0..rows).map(|_| generator.below(bound) as f64).collect::<Vec<_>>());
            let curve = fit_isotonic(&scores, &targets).unwrap();
            assert!(curve.points.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
            let fitted: f64 = scores.iter().map(|score| curve.predict(*score)).sum();
            assert!((fitted - targets.iter().sum::<f64>()).abs() < 1e-9);
        }
    }

    #[test]
    fn bad_lists_are_errors() {
        assert!(fit_isotonic(&[], &[]).is_err());
        assert!(fit_isotonic(&[1.0], &[]).is_err());
        assert!(fit_isotonic(&[f64::INFINITY], &[1.0]).is_err());
        assert!(fit_isotonic(&[1.0], &[f64::NAN]).is_err());
    }
}
