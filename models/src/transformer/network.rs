//! The network that BERT's family and DeBERTa share: layers over embedded tokens, alone or with a classifier's head on the
//! first token. Each of them decides on its embeddings, distances and tensor names.

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, Linear};

use super::layer::Layer;
use super::parts::{all_but_last, first_tokens};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
use crate::packed::PackedBatch;

/// From a batch to the states before the first layer, `(tokens, hidden)`.
pub(crate) trait Embeddings: Send + Sync {
    fn forward(&self, batch: &PackedBatch) -> Result<Tensor>;
}

/// The slots of all distances between the tokens of sequences up to a length.
pub(crate) type DistanceSlots = Box<dyn Fn(usize) -> Vec<u32> + Send + Sync>;

/// The first layer's states from the embedded tokens, these states, both `(tokens, hidden)`, and the sequences' offsets.
pub(crate) type AfterFirst = Box<dyn Fn(&Tensor, &Tensor, &[usize]) -> Result<Tensor> + Send + Sync>;

/// The encoder with its weights.
pub(crate) struct LayeredEncoder {
    pub(crate) embeddings: Box<dyn Embeddings>,
    pub(crate) layers: Vec<Layer>,
    /// The layers that are computed, in order; a layer occurs several times if weights are shared.
    pub(crate) order: Vec<usize>,
    pub(crate) slots: Option<DistanceSlots>,
    pub(crate) after_first: Option<AfterFirst>,
    /// Rows of the position table.
    pub(crate) token_limit: Option<usize>,
}

impl LayeredEncoder {
    /// Whether the last layer returns the states of first tokens only.
    fn returns_first_tokens(&self) -> bool {
        self.order.last().is_some_and(|last| self.layers[*last].returns_first_tokens())
    }

    /// The states of all tokens before the last of these layers, `(tokens, hidden)`, and after it, `(tokens, hidden)` or
    /// `(sequences, hidden)`. Each depends on its own sequence only.
    fn run(&self, order: &[usize], batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        batch.check_lengths(self.token_limit)?;
        let distances = match &self.slots {
            Some(slots) => DistanceTable::new(slots(batch.longest()))?,
            None => DistanceTable::default(),
        };
        let embedded = self.embeddings.forward(batch)?; // (tokens, hidden)
        let (mut before, mut states) = (embedded.clone(), embedded.clone());
        for (place, layer) in order.iter().enumerate() {
            before = states;
            states = self.layers[*layer].forward(&before, batch.offsets(), &distances)?;
            if let (0, Some(after)) = (place, &self.after_first) {
                states = after(&embedded, &states, batch.offsets())?;
            }
        }
        Ok((before, states))
    }
}

impl Encoder for LayeredEncoder {
    fn states(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.run(&self.order, batch)?.1)
    }
}

/// A sequence classifier: an encoder, a layer on the first token and the output.
pub struct SequenceClassifier {
    pub(crate) encoder: LayeredEncoder,
    pub(crate) dense: Linear,
    pub(crate) activation: Activation,
    pub(crate) output: Linear,
}

impl SequenceClassifier {
    /// Logits of every sequence, `(sequences, labels)`. Each row depends on its own sequence only.
    ///
    /// # Errors
    /// A sequence that is empty or longer than a position table, or a token id outside the vocabulary.
    pub fn logits(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.logits_and_states(batch)?.0)
    }
}

impl Classifier for SequenceClassifier {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (before, mut first) = self.encoder.run(&self.encoder.order, batch)?; // (sequences, hidden)
        if !self.encoder.returns_first_tokens() {
            first = first_tokens(&first, batch.offsets())?;
        }
        let pooled = self.dense.forward_activated(&first, self.activation)?;
        Ok((self.output.forward(&pooled)?, before))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        Ok(self.encoder.run(all_but_last(&self.encoder.order), batch)?.1)
    }
}
