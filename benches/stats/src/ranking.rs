//! How well scores rank positives above negatives.

use super::undefined::{Undefined, all_ordered, same_length};

/// Area under the ROC curve: the probability that a positive scores above a negative, ties counting
/// half (Mann-Whitney U; `sklearn.metrics.roc_auc_score`). None without both classes, for a NaN, or for
/// lists of different lengths.
#[must_use]
pub fn roc_auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let groups = tied_groups(scores, labels).ok()?;
    let (positives, negatives) = totals(&groups);
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let mut negatives_above = 0.0;
    let mut lost = 0.0;
    for group in &groups {
        lost += group.positives * (negatives_above + group.negatives / 2.0);
        negatives_above += group.negatives;
    }
    Some(1.0 - lost / (positives * negatives))
}

/// Average precision: the sum over thresholds of precision times the gain in recall
/// (`sklearn.metrics.average_precision_score`). None without a positive, for a NaN, or for lists
/// of different lengths.
#[must_use]
pub fn average_precision(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let groups = tied_groups(scores, labels).ok()?;
    let (positives, _) = totals(&groups);
    if positives == 0.0 {
        return None;
    }
    let (mut found, mut taken, mut sum) = (0.0, 0.0, 0.0);
    for group in &groups {
        found += group.positives;
        taken += group.positives + group.negatives;
        sum += found / taken * group.positives;
    }
    Some(sum / positives)
}

/// A point of a ROC curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RocPoint {
    /// Rows with this score or a higher one are called positive; infinite at the start of the curve. Only here is the
    /// threshold inclusive, since every point of the curve has a different score.
    pub from_score: f64,
    /// The share of the negatives that are called positive.
    pub false_positive_rate: f64,
    /// The share of the positives that are called positive.
    pub true_positive_rate: f64,
}

/// The ROC curve from (0, 0) to (1, 1), a point for each distinct score, the highest first
/// (`sklearn.metrics.roc_curve` with `drop_intermediate=False`).
///
/// # Errors
/// When the lists differ in length, a score is NaN, or a label is missing.
pub fn roc_curve(scores: &[f64], labels: &[bool]) -> Result<Vec<RocPoint>, Undefined> {
    let groups = tied_groups(scores, labels)?;
    let (positives, negatives) = totals(&groups);
    if positives == 0.0 || negatives == 0.0 {
        return Err(Undefined::OneClass);
    }
    let (mut found, mut mistaken) = (0.0, 0.0);
    let start = RocPoint { from_score: f64::INFINITY, false_positive_rate: 0.0, true_positive_rate: 0.0 };
    let points = groups.iter().map(|group| {
        found += group.positives;
        mistaken += group.negatives;
        RocPoint {
            from_score: group.score,
            false_positive_rate: mistaken / negatives,
            true_positive_rate: found / positives,
        }
    });
    Ok(std::iter::once(start).chain(points).collect())
}

/// Rows with equal scores.
struct Group {
    score: f64,
    positives: f64,
    negatives: f64,
}

/// The groups of equal scores, the highest first.
fn tied_groups(scores: &[f64], labels: &[bool]) -> Result<Vec<Group>, Undefined> {
    same_length(scores.len(), labels.len())?;
    all_ordered(scores)?;
    let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let groups = rows.chunk_by(|a, b| a.0 == b.0).map(|rows| {
        let positives = rows.iter().filter(|row| row.1).count() as f64;
        Group { score: rows[0].0, positives, negatives: rows.len() as f64 - positives }
    });
    Ok(groups.collect())
}

/// Positives and negatives of all groups.
fn totals(groups: &[Group]) -> (f64, f64) {
    groups.iter().fold((0.0, 0.0), |(positives, negatives), group| {
        (positives + group.positives, negatives + group.negatives)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix64;

    /// The area under straight lines between the points is the area that ranks give.
    #[test]
    fn area_under_the_curve_is_roc_auc() {
        let mut generator = SplitMix64::new(5);
        for rows in 2..60 {
            let scores: Vec<f64> = (0..rows).map(|_| generator.below(10) as f64).collect();
            let labels: Vec<bool> =
                (0..rows).map(|row| row == 0 || (row > 1 && generator.below(2) == 0)).collect();
            let curve = roc_curve(&scores, &labels).unwrap();
            let area: f64 = curve
                .windows(2)
                .map(|pair| {
                    let width = pair[1].false_positive_rate - pair[0].false_positive_rate;
                    width * f64::midpoint(pair[0].true_positive_rate, pair[1].true_positive_rate)
                })
                .sum();
            assert!((area - roc_auc(&scores, &labels).unwrap()).abs() < 1e-12);
        }
    }

    #[test]
    fn only_the_order_of_scores_matters() {
        let mut generator = SplitMix64::new(6);
        let scores: Vec<f64> = (0..200).map(|_| generator.below(50) as f64 / 50.0).collect();
        let labels: Vec<bool> = (0..200).map(|_| generator.below(3) == 0).collect();
        let bent: Vec<f64> = scores.iter().map(|score| (7.0 * score).exp() - 3.0).collect();
        let negated: Vec<f64> = scores.iter().map(|score| -score).collect();
        let area = roc_auc(&scores, &labels).unwrap();
        assert_eq!(roc_auc(&bent, &labels), Some(area));
        assert_eq!(average_precision(&bent, &labels), average_precision(&scores, &labels));
        assert!((roc_auc(&negated, &labels).unwrap() - (1.0 - area)).abs() < 1e-12);
    }

    #[test]
    fn nan_and_unequal_lists_have_none() {
        assert_eq!(roc_auc(&[0.1, f64::NAN], &[true, false]), None);
        assert_eq!(average_precision(&[0.1, 0.2], &[true]), None);
        assert_eq!(roc_curve(&[0.1, 0.2], &[true, true]), Err(Undefined::OneClass));
    }
}
