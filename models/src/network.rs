//! What a network computes, whatever its architecture and device.

use candle_core::Tensor;

use crate::error::Result;
use crate::generation::{GenerationOptions, Output};
use crate::packed::PackedBatch;
use crate::token_head::TokenHead;

/// A sequence classifier with its weights.
pub(crate) trait Classifier: Send + Sync {
    /// Logits, `(sequences, labels)`.
    fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.0)
    }

    /// Logits, `(sequences, labels)`, and those of all tokens by this head, `(tokens)`.
    fn logits_and_token_logits(&self, batch: &PackedBatch, head: &TokenHead) -> Result<(Tensor, Vec<f64>)> {
        let (logits, states) = self.logits_and_states(batch)?;
        Ok((logits, head.logits(&states)?))
    }

    /// The logits of all tokens by this head, `(tokens)`.
    fn token_logits(&self, batch: &PackedBatch, head: &TokenHead) -> Result<Vec<f64>> {
        head.logits(&self.before_last(batch)?)
    }

    /// Logits, `(sequences, labels)`, and the states of all tokens before the last layer, `(tokens, hidden)`.
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)>;

    /// The states of all tokens before the last layer, `(tokens, hidden)`.
    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.1)
    }
}

/// The network below a head, with its weights.
pub(crate) trait Encoder: Send + Sync {
    /// The last states of all tokens, `(tokens, hidden)`.
    fn states(&self, batch: &PackedBatch) -> Result<Tensor>;
}

/// A text-to-text network with its weights.
pub(crate) trait Generator: Send + Sync {
    /// An output for each sequence, which does not depend on the others.
    ///
    /// # Errors
    /// An empty sequence, a token id outside the vocabulary, or a score that is not a finite number.
    fn generate(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>>;
}

/// Layers of a token classifier between the states and its output layer.
pub(crate) trait TokenLayers: Send + Sync {
    /// `(tokens, hidden)` from `(tokens, hidden)`.
    fn forward(&self, states: &Tensor) -> Result<Tensor>;
}
