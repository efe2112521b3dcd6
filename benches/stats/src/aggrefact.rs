//! Tunes a threshold and computes its interval as the AggreFact benchmark (Tang et al., ACL 2023) does. The rules, including
//! their peculiarities, are the authors', so that figures are comparable; for other uses see
//! [`best_threshold`](super::best_threshold).

use super::confusion::Confusion;
use super::percentile::{percentile, percentiles};
use super::undefined::{Undefined, same_length};

/// The share of rows in each subsample behind an interval.
pub const AGGREFACT_SHARE: f64 = 0.8;

/// The number of subsamples behind an interval.
pub const AGGREFACT_RESAMPLES: usize = 1000;

/// The threshold with the highest balanced accuracy among the percentiles 0, 0.2, ..., 99.8 of the scores; ties
/// go to the **last**. A row is positive if its score is above the threshold, so the lowest score never is.
///
/// # Errors
/// When the lists differ in length, a score is not finite, or a label is missing.
pub fn aggrefact_threshold(scores: &[f64], labels: &[bool]) -> Result<f64, Undefined> {
    same_length(scores.len(), labels.len())?;
    let percents: Vec<f64> = (0..500).map(|step| f64::from(step) * 0.2).collect();
    let mut best = None;
    for threshold in percentiles(scores, &percents)? {
        let accuracy =
            Confusion::at(scores, labels, threshold)?.balanced_accuracy().ok_or(Undefined::OneClass)?;
        if best.is_none_or(|(highest, _)| accuracy >= highest) {
            best = Some((accuracy, threshold));
        }
    }
    best.map(|(_, threshold)| threshold).ok_or(Undefined::OneClass)
}

/// Half the width of the interval around a figure: its distance above the 2.5th percentile of the same figure on
/// [`AGGREFACT_RESAMPLES`] subsamples of [`AGGREFACT_SHARE`] of the rows without replacement
/// ([`subsample`](super::subsample)). On a subsample with one label the figure is undefined here; in scikit-learn it is
/// the recall of that label.
///
/// # Errors
/// When there are no subsamples, or one is not finite.
pub fn aggrefact_half_width(figure: f64, subsamples: &[f64]) -> Result<f64, Undefined> {
    Ok(figure - percentile(subsamples, 2.5)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_of_equal_candidates_is_chosen() {
        // Every candidate from 0.2 to below 0.8 separates the two rows at each end.
        let scores = [0.1, 0.2, 0.8, 0.9];
        let labels = [false, false, true, true];
        let threshold = aggrefact_threshold(&scores, &labels).unwrap();
        assert!(threshold > 0.79 && threshold < 0.8, "{threshold}");
    }

    #[test]
    fn equal_scores_give_that_score() {
        assert_eq!(aggrefact_threshold(&[0.5; 3], &[true, false, true]), Ok(0.5));
    }

    #[test]
    fn one_label_has_no_threshold() {
        assert_eq!(aggrefact_threshold(&[0.1, 0.2], &[true, true]), Err(Undefined::OneClass));
        assert!(aggrefact_threshold(&[], &[]).is_err());
        assert!(aggrefact_threshold(&[0.1, f64::NAN], &[true, false]).is_err());
    }

    #[test]
    fn half_width_is_measured_downwards() {
        let subsamples: Vec<f64> = (0..=1000).map(|i| 0.7 + f64::from(i) / 10_000.0).collect();
        let width = aggrefact_half_width(0.75, &subsamples).unwrap();
        assert!((width - 0.0475).abs() < 1e-12);
    }
}
