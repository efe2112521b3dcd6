//! Scores to decisions: the best threshold, and balanced accuracy under a threshold.

use super::confusion::Confusion;
use super::undefined::{all_ordered, same_length};

/// The mean of the two classes' recalls, where a row counts as positive if its score is above the
/// threshold (`sklearn.metrics.balanced_accuracy_score`). None without both classes, for a NaN, or for
/// lists of different lengths.
#[must_use]
pub fn balanced_accuracy(scores: &[f64], labels: &[bool], threshold: f64) -> Option<f64> {
    Confusion::at(scores, labels, threshold).ok()?.balanced_accuracy()
}

/// The threshold with the highest balanced accuracy, among the midpoints between neighbouring scores; ties go to the
/// lowest. None without both classes, for a NaN, or for lists of different lengths.
#[must_use]
pub fn best_threshold(scores: &[f64], labels: &[bool]) -> Option<f64> {
    same_length(scores.len(), labels.len()).and_then(|()| all_ordered(scores)).ok()?;
    let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = labels.iter().filter(|label| **label).count() as f64;
    let negatives = labels.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let mut best = (0.5, rows[0].0 - 1.0);
    let (mut lost_positives, mut won_negatives) = (0.0, 0.0);
    for pair in rows.windows(2) {
        lost_positives += f64::from(u8::from(pair[0].1));
        won_negatives += f64::from(u8::from(!pair[0].1));
        let accuracy = ((positives - lost_positives) / positives + won_negatives / negatives) / 2.0;
        if pair[0].0 < pair[1].0 && accuracy > best.0 {
            best = (accuracy, f64::midpoint(pair[0].0, pair[1].0));
        }
    }
    Some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [bool; 5] = [false, true, false, true, true];

    #[test]
    fn best_threshold_separates_the_labels() {
        let scores = [0.1, 0.4, 0.3, 0.6, 0.6];
        let threshold = best_threshold(&scores, &LABELS).unwrap();
        assert!((threshold - 0.35).abs() < 1e-12);
        assert_eq!(balanced_accuracy(&scores, &LABELS, threshold), Some(1.0));
    }

    #[test]
    fn equal_scores_cannot_be_separated() {
        let scores = [0.5; 5];
        let threshold = best_threshold(&scores, &LABELS).unwrap();
        assert_eq!(balanced_accuracy(&scores, &LABELS, threshold), Some(0.5));
    }

    #[test]
    fn one_class_has_no_balanced_accuracy() {
        assert_eq!(best_threshold(&[0.1, 0.2], &[true, true]), None);
        assert_eq!(balanced_accuracy(&[0.1], &[true], 0.0), None);
    }

    #[test]
    fn nan_and_unequal_lists_have_none() {
        assert_eq!(best_threshold(&[0.1, f64::NAN], &[true, false]), None);
        assert_eq!(balanced_accuracy(&[0.1, f64::NAN], &[true, false], 0.0), None);
        assert_eq!(balanced_accuracy(&[0.1, 0.2], &[true], 0.0), None);
    }
}
