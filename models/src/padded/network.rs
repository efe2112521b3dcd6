//! What a network on padded batches computes.

use candle_core::Tensor;

use super::batches::PaddedBatch;
use crate::error::Result;

/// A classifier of padded batches.
pub(crate) trait PaddedNetwork: Send + Sync {
    /// A token id that may stand for padding.
    fn padding_id(&self) -> u32 {
        0
    }

    /// Maximum tokens of a sequence, if a table limits it.
    fn token_limit(&self) -> Option<usize>;

    /// Logits, `(sequences, labels)`, and the states before the last layer, `(sequences, longest, hidden)`, both on the
    /// network's device.
    fn forward(&self, batch: &PaddedBatch) -> Result<(Tensor, Tensor)>;
}
