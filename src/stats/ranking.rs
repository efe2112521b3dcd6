//! How well scores rank the positives above the negatives.

/// Area under the ROC curve: the chance that a positive scores above a negative, ties counting
/// half (Mann-Whitney U). None without both classes.
#[must_use]
pub fn roc_auc(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let groups = tied_groups(scores, labels);
    let positives: f64 = groups.iter().map(|g| g.positives).sum();
    let negatives: f64 = groups.iter().map(|g| g.negatives).sum();
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

/// Average precision: the sum over thresholds of precision times the gain in recall, as
/// scikit-learn's `average_precision_score` defines it. None without a positive.
#[must_use]
pub fn average_precision(scores: &[f64], labels: &[bool]) -> Option<f64> {
    let groups = tied_groups(scores, labels);
    let positives: f64 = groups.iter().map(|g| g.positives).sum();
    if positives == 0.0 {
        return None;
    }
    let (mut found, mut taken, mut sum) = (0.0, 0.0, 0.0);
    for group in &groups {
        found += group.positives;
        taken += group.positives + group.negatives;
        sum += found / taken * group.positives / positives;
    }
    Some(sum)
}

/// Rows of one score.
struct Group {
    positives: f64,
    negatives: f64,
}

/// The rows by score, the highest first.
fn tied_groups(scores: &[f64], labels: &[bool]) -> Vec<Group> {
    let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.chunk_by(|a, b| a.0 == b.0)
        .map(|rows| {
            let positives = rows.iter().filter(|row| row.1).count() as f64;
            Group { positives, negatives: rows.len() as f64 - positives }
        })
        .collect()
}
