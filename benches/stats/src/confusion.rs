//! Decisions against labels: the four counts and the rates derived from them. A rate without rows is `None`, where
//! scikit-learn returns 0 with a warning (or NaN with `zero_division=nan`).

use super::undefined::{Undefined, all_ordered, same_length};

/// The numbers of rows of each label that were called positive and negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Confusion {
    /// Positive rows, called positive.
    pub true_positives: usize,
    /// Negative rows, called positive.
    pub false_positives: usize,
    /// Negative rows, called negative.
    pub true_negatives: usize,
    /// Positive rows, called negative.
    pub false_negatives: usize,
}

impl Confusion {
    /// Counts rows, calling a row positive if its score is above the threshold.
    ///
    /// # Errors
    /// If the lists differ in length or a score is NaN.
    pub fn at(scores: &[f64], labels: &[bool], threshold: f64) -> Result<Self, Undefined> {
        same_length(scores.len(), labels.len())?;
        all_ordered(scores)?;
        Ok(Self::count(scores.iter().map(|score| *score > threshold).zip(labels.iter().copied())))
    }

    /// Counts pairs of (called positive, is positive).
    pub fn count(rows: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counts = Self::default();
        for (called, label) in rows {
            *match (called, label) {
                (true, true) => &mut counts.true_positives,
                (true, false) => &mut counts.false_positives,
                (false, false) => &mut counts.true_negatives,
                (false, true) => &mut counts.false_negatives,
            } += 1;
        }
        counts
    }

    /// The share of right calls. `None` without rows.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        let right = self.true_positives + self.true_negatives;
        share(right, right + self.false_positives + self.false_negatives)
    }

    /// The share of the positive rows that are called positive. None without positive rows.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The share of the negative rows that are called positive. None without negative rows.
    #[must_use]
    pub fn false_positive_rate(&self) -> Option<f64> {
        share(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// The share of the positive rows that are called negative. None without positive rows.
    #[must_use]
    pub fn false_negative_rate(&self) -> Option<f64> {
        share(self.false_negatives, self.false_negatives + self.true_positives)
    }

    /// The mean of the two labels' recalls. None without both labels.
    #[must_use]
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let of_negatives = share(self.true_negatives, self.true_negatives + self.false_positives);
        Some((of_negatives? + self.recall()?) / 2.0)
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_at_the_threshold_is_negative() {
        let counts = Confusion::at(&[0.5, 0.6, 0.4, 0.9], &[true, true, false, false], 0.5).unwrap();
        let expected =
            Confusion { true_positives: 1, false_positives: 1, true_negatives: 1, false_negatives: 1 };
        assert_eq!(counts, expected);
    }

    #[test]
    fn rates_without_rows_are_none() {
        let nothing = Confusion::default();
        assert_eq!(nothing.accuracy(), None);
        let only_negative = Confusion::at(&[0.1], &[false], 0.5).unwrap();
        assert_eq!(only_negative.recall(), None);
        assert_eq!(only_negative.false_positive_rate(), Some(0.0));
        assert_eq!(only_negative.balanced_accuracy(), None);
    }

    #[test]
    fn bad_lists_are_errors() {
        assert!(Confusion::at(&[0.1], &[], 0.5).is_err());
        assert!(Confusion::at(&[f64::NAN], &[true], 0.5).is_err());
    }
}
