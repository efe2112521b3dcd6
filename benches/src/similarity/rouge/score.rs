//! Precision, recall and their mean, from counts.

/// One ROUGE score: shares from 0 to 1, not percents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RougeScore {
    /// The shared part of the candidate.
    pub precision: f64,
    /// The shared part of the reference.
    pub recall: f64,
    /// The harmonic mean of precision and recall; 0 if both are 0.
    pub f1: f64,
}

impl RougeScore {
    /// From the counts of shared items and of all items of the reference and the candidate.
    pub(super) fn new(shared: usize, in_reference: usize, in_candidate: usize) -> Self {
        let share = |whole: usize| shared as f64 / whole.max(1) as f64;
        let (precision, recall) = (share(in_candidate), share(in_reference));
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }
}
