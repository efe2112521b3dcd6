//! Turns scores into decisions, under a threshold that is given, tuned on other rows, or tuned on one half of the documents
//! for the other half; computes the balanced accuracy of decisions.

use veridic_stats::{Confusion, SplitMix64, Undefined, aggrefact_threshold, best_threshold, percentiles};

use super::case::Case;
use super::estimate::Sampled;
use super::groups::by_document;

/// The number of random halvings of the documents; their seeds are 0, 1, ...
pub(crate) const SPLITS: u64 = 5;

/// Scored texts with human labels.
pub(crate) struct Scored<'c, Label> {
    pub(crate) cases: &'c [Case<Label>],
    pub(crate) scores: &'c [f64],
}

impl<'c, Label> Scored<'c, Label> {
    /// Returns what the protocol knows of a text.
    pub(crate) fn label(&self, row: usize) -> &'c Label {
        &self.cases[row].label
    }

    pub(crate) fn labels(&self) -> Vec<bool> {
        self.cases.iter().map(|case| case.is_consistent).collect()
    }

    /// Returns the texts whose labels satisfy `of`.
    pub(crate) fn rows(&self, of: impl Fn(&Label) -> bool) -> Vec<usize> {
        (0..self.cases.len()).filter(|row| of(self.label(*row))).collect()
    }

    /// Returns the scores and binary labels of texts.
    pub(crate) fn pairs(&self, rows: &[usize]) -> (Vec<f64>, Vec<bool>) {
        rows.iter().map(|&row| (self.scores[row], self.cases[row].is_consistent)).unzip()
    }

    pub(crate) fn consistent(&self, rows: &[usize]) -> usize {
        rows.iter().filter(|row| self.cases[**row].is_consistent).count()
    }

    /// Tunes AggreFact's threshold on texts; one label is allowed.
    pub(crate) fn tuned(&self, rows: &[usize]) -> Result<f64, Undefined> {
        let (scores, labels) = self.pairs(rows);
        tuned_threshold(&scores, &labels)
    }

    /// Returns the warning about texts that all have the same label; `what` and `part` name them.
    pub(crate) fn one_label_warning(&self, rows: &[usize], what: &str, part: &str) -> Option<String> {
        let consistent = self.consistent(rows);
        let is_one_label = !rows.is_empty() && (consistent == 0 || consistent == rows.len());
        let (count, label) = (rows.len(), u8::from(consistent > 0));
        is_one_label.then(|| {
            format!(
                "{what}: all {count} {part} rows have label {label}; its recall counts, as in scikit-learn"
            )
        })
    }

    /// Returns balanced accuracy as in scikit-learn.
    pub(crate) fn accuracy(&self, rows: &[usize], threshold: f64) -> Option<f64> {
        let pair = |row: &usize| (self.scores[*row] > threshold, self.cases[*row].is_consistent);
        accuracy_as_scikit_learn(rows.iter().map(pair))
    }

    /// Returns a statistic of the scores and labels of texts, also on bootstrap samples of their documents.
    pub(crate) fn sampled(
        &self,
        rows: &[usize],
        statistic: impl Fn(&[f64], &[bool]) -> Option<f64>,
    ) -> Option<Sampled> {
        Sampled::on_groups(&by_document(self.cases, rows), 0, |rows| {
            let (scores, labels) = self.pairs(rows);
            statistic(&scores, &labels)
        })
    }
}

/// A threshold, and its decisions about the rows that did not tune it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decisions {
    pub(crate) threshold: f64,
    /// `None` for the rows that tuned it.
    rows: Vec<Option<bool>>,
}

impl Decisions {
    /// Decides the rows for which `measures` returns true.
    pub(crate) fn new(threshold: f64, scores: &[f64], measures: impl Fn(usize) -> bool) -> Self {
        let decide = |(row, score): (usize, &f64)| measures(row).then_some(*score > threshold);
        Self { threshold, rows: scores.iter().enumerate().map(decide).collect() }
    }

    pub(crate) fn about(&self, row: usize) -> Option<bool> {
        self.rows[row]
    }

    /// Returns (called consistent, is consistent) for the rows that have a decision.
    pub(crate) fn pairs(&self, rows: &[usize], labels: &[bool]) -> impl Iterator<Item = (bool, bool)> {
        rows.iter().filter_map(|&row| Some((self.rows[row]?, labels[row])))
    }
}

/// Returns the decisions of random halvings: the first half of the documents tunes the threshold, which decides the second
/// half. A halving whose first half lacks a label is skipped.
pub(crate) fn halves(documents: &[Vec<usize>], scores: &[f64], labels: &[bool]) -> Vec<Decisions> {
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

/// Returns the mean over halvings of balanced accuracy on the decided rows; halvings that decide no rows, or rows of one
/// label only, are skipped. `None` if none is left.
pub(crate) fn mean_accuracy(halvings: &[Decisions], rows: &[usize], labels: &[bool]) -> Option<f64> {
    let accuracies = strict_accuracies(halvings, rows, labels);
    (!accuracies.is_empty()).then(|| accuracies.iter().sum::<f64>() / accuracies.len() as f64)
}

/// Returns the balanced accuracy of each halving that decides rows of both labels.
pub(crate) fn strict_accuracies(halvings: &[Decisions], rows: &[usize], labels: &[bool]) -> Vec<f64> {
    let accuracy = |half: &Decisions| Confusion::count(half.pairs(rows, labels)).balanced_accuracy();
    halvings.iter().filter_map(accuracy).collect()
}

/// Returns balanced accuracy as in scikit-learn: with rows of one label only it is that label's recall, which is then the
/// accuracy. `None` without rows.
fn accuracy_as_scikit_learn(pairs: impl IntoIterator<Item = (bool, bool)>) -> Option<f64> {
    let counts = Confusion::count(pairs);
    counts.balanced_accuracy().or_else(|| counts.accuracy())
}

/// Returns AggreFact's threshold; with one label only, the threshold that maximizes its recall.
fn tuned_threshold(scores: &[f64], labels: &[bool]) -> Result<f64, Undefined> {
    match aggrefact_threshold(scores, labels) {
        Err(Undefined::OneClass) if !scores.is_empty() => one_label_threshold(scores, labels[0]),
        threshold => threshold,
    }
}

fn one_label_threshold(scores: &[f64], label: bool) -> Result<f64, Undefined> {
    let percents: Vec<f64> = (0..500).map(|step| f64::from(step) * 0.2).collect();
    let right = |threshold: f64| scores.iter().filter(|score| (**score > threshold) == label).count();
    let candidates = percentiles(scores, &percents)?;
    // On ties `max_by_key` returns the last candidate, as the authors' search does.
    let best = candidates.into_iter().max_by_key(|threshold| right(*threshold));
    best.ok_or(Undefined::OneClass)
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
        // The lowest score is never above a candidate; the last candidate that loses no other score is just below 0.2.
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
