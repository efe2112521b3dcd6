//! Scores to decisions, under a threshold that is given, that some rows tuned, or that one half of the documents tuned for
//! the other; and balanced accuracy of decisions.

use veridic_stats::{Confusion, SplitMix64, Undefined, aggrefact_threshold, best_threshold, percentiles};

/// Random halvings of the documents; their seeds are 0, 1, ...
pub(crate) const SPLITS: u64 = 5;

/// Where the threshold comes from if the data have no part to tune it on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// A given threshold.
    Fixed(f64),
    /// Tuned on a random half of the documents and measured on the other, five times.
    Halves,
}

/// A threshold and its decisions about the rows that did not tune it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decisions {
    pub(super) threshold: f64,
    /// None for the rows that tuned it.
    rows: Vec<Option<bool>>,
}

impl Decisions {
    /// The decisions about the rows for which `measures` is true.
    pub(super) fn new(threshold: f64, scores: &[f64], measures: impl Fn(usize) -> bool) -> Self {
        let decide = |(row, score): (usize, &f64)| measures(row).then_some(*score > threshold);
        Self { threshold, rows: scores.iter().enumerate().map(decide).collect() }
    }

    /// The decision about a row.
    pub(super) fn about(&self, row: usize) -> Option<bool> {
        self.rows[row]
    }

    /// (called consistent, is consistent) of the rows that have a decision.
    pub(super) fn pairs(&self, rows: &[usize], labels: &[bool]) -> impl Iterator<Item = (bool, bool)> {
        rows.iter().filter_map(|&row| Some((self.rows[row]?, labels[row])))
    }
}

/// The decisions of random halvings: the first half of the documents tunes, the second is decided. A halving whose first
/// half lacks a label is left out.
pub(super) fn halves(documents: &[Vec<usize>], scores: &[f64], labels: &[bool]) -> Vec<Decisions> {
    (0..SPLITS).filter_map(|seed| half(documents, scores, labels, seed)).collect()
}

fn half(documents: &[Vec<usize>], scores: &[f64], labels: &[bool], seed: u64) -> Option<Decisions> {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    SplitMix64::new(seed).shuffle(&mut order);
    let (tuning, measuring) = order.split_at(documents.len() / 2);
    let rows = tuning.iter().flat_map(|&document| &documents[document]);
    let (tuning_scores, tuning_labels): (Vec<f64>, Vec<bool>) =
        rows.map(|&row| (scores[row], labels[row])).unzip();
    let threshold = best_threshold(&tuning_scores, &tuning_labels)?;
    let mut measures = vec![false; scores.len()];
    measuring.iter().flat_map(|&document| &documents[document]).for_each(|&row| measures[row] = true);
    Some(Decisions::new(threshold, scores, |row| measures[row]))
}

/// The mean over halvings of balanced accuracy on the rows that each decides; halvings that decide no rows, or rows of
/// one label only, are left out. `None` if none is left.
pub(super) fn mean_accuracy(halvings: &[Decisions], rows: &[usize], labels: &[bool]) -> Option<f64> {
    let accuracies = strict_accuracies(halvings, rows, labels);
    (!accuracies.is_empty()).then(|| accuracies.iter().sum::<f64>() / accuracies.len() as f64)
}

/// Balanced accuracy of each halving that decides rows of both labels.
pub(super) fn strict_accuracies(halvings: &[Decisions], rows: &[usize], labels: &[bool]) -> Vec<f64> {
    let accuracy = |half: &Decisions| Confusion::count(half.pairs(rows, labels)).balanced_accuracy();
    halvings.iter().filter_map(accuracy).collect()
}

/// Balanced accuracy as in scikit-learn: with rows of one label only it is that label's recall, which is then the
/// accuracy. `None` without rows.
pub(super) fn accuracy_as_scikit_learn(pairs: impl IntoIterator<Item = (bool, bool)>) -> Option<f64> {
    let counts = Confusion::count(pairs);
    counts.balanced_accuracy().or_else(|| counts.accuracy())
}

/// AggreFact's threshold; with one label only, that which maximizes its recall.
pub(super) fn tuned_threshold(scores: &[f64], labels: &[bool]) -> Result<f64, Undefined> {
    match aggrefact_threshold(scores, labels) {
        Err(Undefined::OneClass) if !scores.is_empty() => one_label_threshold(scores, labels[0]),
        threshold => threshold,
    }
}

fn one_label_threshold(scores: &[f64], label: bool) -> Result<f64, Undefined> {
    let percents: Vec<f64> = (0..500).map(|step| f64::from(step) * 0.2).collect();
    let right = |threshold: f64| scores.iter().filter(|score| (**score > threshold) == label).count();
    let candidates = percentiles(scores, &percents)?;
    // Of equal candidates `max_by_key` returns the last, as the authors' search does.
    let best = candidates.into_iter().max_by_key(|threshold| right(*threshold));
    best.ok_or(Undefined::OneClass)
}

/// Whether all labels are the same; true without labels.
pub(super) fn is_one_label(labels: &[bool]) -> bool {
    labels.windows(2).all(|pair| pair[0] == pair[1])
}

/// The warning for labels that are all the same; there must be one.
pub(super) fn one_label_warning(what: &str, part: &str, labels: &[bool]) -> String {
    let (rows, label) = (labels.len(), u8::from(labels[0]));
    format!("{what}: all {rows} {part} rows have label {label}; its recall counts, as in scikit-learn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_of_one_label_is_its_recall() {
        assert_eq!(accuracy_as_scikit_learn([(true, true), (false, true)]), Some(0.5));
        assert_eq!(accuracy_as_scikit_learn([(true, false)]), Some(0.0));
        assert_eq!(accuracy_as_scikit_learn([(true, true), (true, false), (true, true)]), Some(0.5));
        assert_eq!(accuracy_as_scikit_learn([]), None);
    }

    #[test]
    fn one_label_has_a_threshold() {
        let scores = [0.1, 0.2, 0.3, 0.4];
        // The lowest score is never above a candidate; the last candidate that loses no other lies close below 0.2.
        let threshold = tuned_threshold(&scores, &[true; 4]).unwrap();
        assert!(threshold > 0.19 && threshold < 0.2, "{threshold}");
        let threshold = tuned_threshold(&scores, &[false; 4]).unwrap();
        assert!(threshold > 0.39 && threshold < 0.4, "{threshold}");
        assert!(tuned_threshold(&[], &[]).is_err());
    }

    #[test]
    fn tuning_rows_have_no_decision() {
        let documents: Vec<Vec<usize>> =
            (0..10).map(|document| vec![2 * document, 2 * document + 1]).collect();
        let labels: Vec<bool> = (0..20).map(|row| row % 2 == 0).collect();
        let scores: Vec<f64> = labels.iter().map(|label| f64::from(u8::from(*label))).collect();
        let halvings = halves(&documents, &scores, &labels);
        assert_eq!(halvings.len(), 5);
        let rows: Vec<usize> = (0..20).collect();
        for half in &halvings {
            assert_eq!(half.pairs(&rows, &labels).count(), 10);
            assert_eq!(half.rows[0].is_some(), half.rows[1].is_some());
        }
        assert_eq!(mean_accuracy(&halvings, &rows, &labels), Some(1.0));
        assert_eq!(mean_accuracy(&halvings, &[0, 2], &labels), None);
    }
}
