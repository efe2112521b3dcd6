//! What a network on padded batches computes.

use candle_core::Tensor;

use super::batches::PaddedBatch;
use crate::error::Result;

/// A network of padded batches with `N` outputs, on its own device: `(sequences, columns)` for each sequence, or
/// `(sequences, longest, hidden)` for each token. A classifier has logits and the states before the last layer, an encoder
/// the last states.
pub(crate) trait PaddedNetwork<const N: usize>: Send + Sync {
    /// A token id that may stand for padding.
    fn padding_id(&self) -> u32 {
        0
    }

    /// Maximum tokens of a sequence, if a table limits it.
    fn token_limit(&self) -> Option<usize>;

    /// The outputs of a batch.
    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; N]>;
}
