//! Calibration of probabilities: whether 80 of 100 rows with probability 0.8 are positive. Probabilities are those of the
//! positive label; values outside 0 to 1 are refused, not clipped.

use super::percentile::percentiles;
use super::undefined::{Undefined, all_within, at_least, same_length};

/// The rows of one bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityBin {
    /// Number of rows.
    pub rows: usize,
    /// The mean of their probabilities.
    pub mean_probability: f64,
    /// The share of positives among them.
    pub positive_share: f64,
}

/// Returns the bins that contain rows, in order, of `bins` between percentiles of the probabilities. A bin excludes its lower
/// edge and includes its upper one; the first includes both. Equal probabilities share a bin, so bins can differ in size or be
/// empty (`sklearn.calibration.calibration_curve` with `strategy="quantile"`).
///
/// # Errors
/// If the lists differ in length or are empty, a probability is outside 0 to 1, or the number of bins is 0.
pub fn reliability_curve(
    probabilities: &[f64],
    labels: &[bool],
    bins: usize,
) -> Result<Vec<ReliabilityBin>, Undefined> {
    same_length(probabilities.len(), labels.len())?;
    at_least(1, labels.len())?;
    all_within(probabilities, 0.0, 1.0)?;
    if bins == 0 {
        return Err(Undefined::Setting("at least one bin is needed"));
    }
    // Computed as by numpy.linspace, since a probability can equal an edge.
    let percents: Vec<f64> = (1..bins).map(|edge| edge as f64 * (1.0 / bins as f64) * 100.0).collect();
    let edges = percentiles(probabilities, &percents)?;
    // rows, sum of probabilities, positives
    let mut sums = vec![(0, 0.0, 0.0); edges.len() + 1];
    for (probability, label) in probabilities.iter().zip(labels) {
        let (rows, sum, positives) = &mut sums[edges.partition_point(|edge| edge < probability)];
        *rows += 1;
        *sum += probability;
        *positives += f64::from(u8::from(*label));
    }
    let filled = sums.into_iter().filter(|(rows, ..)| *rows > 0);
    Ok(filled
        .map(|(rows, sum, positives)| ReliabilityBin {
            rows,
            mean_probability: sum / rows as f64,
            positive_share: positives / rows as f64,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_bin_below() {
        let curve = reliability_curve(&[0.0, 0.5, 0.5, 1.0], &[false, true, true, true], 2);
        let bins: Vec<_> = curve.unwrap().iter().map(|bin| (bin.rows, bin.mean_probability)).collect();
        assert_eq!(bins, [(3, 1.0 / 3.0), (1, 1.0)]);
    }

    #[test]
    fn bad_probabilities_are_errors() {
        let beyond = reliability_curve(&[1.1], &[true], 2);
        assert!(matches!(beyond, Err(Undefined::OutOfRange { index: 0, .. })));
        assert!(reliability_curve(&[f64::NAN], &[true], 2).is_err());
        assert!(reliability_curve(&[], &[], 2).is_err());
        assert!(reliability_curve(&[0.5], &[], 2).is_err());
        assert!(reliability_curve(&[0.5], &[true], 0).is_err());
    }
}
