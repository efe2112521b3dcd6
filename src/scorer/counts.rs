//! The amount of work on claims, for the ledger of their pair.

use std::ops::AddAssign;

/// The amount of work on a claim, or on several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Premises that the judge read.
    pub(super) computed: usize,
    /// Premises that it did not have to read.
    pub(super) skipped: usize,
    /// Premises that the screen excluded.
    pub(super) left_out: usize,
    /// Pairs that were truncated.
    pub(super) cut: usize,
    /// Rewritten sentences that did not fit into a pair.
    pub(super) too_long: usize,
    /// Premises that the small model of the screen read.
    pub(super) screen_pairs: usize,
    /// Changed claims that the judge read.
    pub(super) contrast_pairs: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.computed += other.computed;
        self.skipped += other.skipped;
        self.left_out += other.left_out;
        self.cut += other.cut;
        self.too_long += other.too_long;
        self.screen_pairs += other.screen_pairs;
        self.contrast_pairs += other.contrast_pairs;
    }
}
