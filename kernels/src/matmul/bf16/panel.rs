//! The layout of a panel in bf16: the order in which kernels read it.

/// Inner indices of one step; they fill 64 bytes of a row.
pub(super) const STEP: usize = 32;
/// Columns of a panel.
pub(super) const WIDTH: usize = 32;
/// Columns side by side in a panel.
pub(super) const HALF: usize = WIDTH / 2;
/// Pairs of inner indices of a step.
pub(super) const PAIRS: usize = STEP / 2;

/// The position of a pair of inner indices in a panel.
pub(super) fn word_index(pair: usize, column: usize) -> usize {
    ((pair / PAIRS * 2 + column / HALF) * PAIRS + pair % PAIRS) * HALF + column % HALF
}
