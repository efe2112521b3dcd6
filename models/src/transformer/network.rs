//! The network that BERT's family and DeBERTa share: layers over embedded tokens, alone or with a classifier's head on the
//! first token. Each of them decides on its embeddings, distances and tensor names.

use candle_core::Tensor;
use veridic_kernels::{Activation, DistanceTable, Linear, Precision, Queries};

use super::conv::Conv;
use super::embeddings::Embeddings;
use super::layer::{Layer, load_layers};
use super::parts::{all_but_last, first_tokens, linear};
use super::plan::{DistanceSlots, EncoderPlan, HeadPlan};
use crate::error::Result;
use crate::network::{Classifier, Encoder};
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// The encoder with its weights.
pub(crate) struct LayeredEncoder {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// The layers that are computed, in order; a layer occurs several times if weights are shared.
    order: Vec<usize>,
    slots: Option<DistanceSlots>,
    convolution: Option<Conv>,
    /// Rows of the position table.
    token_limit: Option<usize>,
}

impl LayeredEncoder {
    /// `queries`: the tokens whose last states are computed; `precision`: the dtype of the layers' products.
    pub(crate) fn load(
        plan: EncoderPlan<'_>,
        weights: &Weights,
        queries: Queries,
        precision: Precision,
    ) -> Result<Self> {
        let layers = load_layers(plan.layers.len(), |index| {
            let layer = &plan.layers[index];
            Layer::load(weights, layer, queries, precision, |query, key| (plan.relative)(layer, query, key))
        })?;
        Ok(Self {
            embeddings: Embeddings::load(&plan.embeddings, weights)?,
            layers,
            order: plan.order,
            slots: plan.slots,
            convolution: plan.convolution.map(|conv| Conv::load(&conv, weights)).transpose()?,
            token_limit: plan.token_limit,
        })
    }

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
            if let (0, Some(convolution)) = (place, &self.convolution) {
                states = convolution.forward(&embedded, &states, batch.offsets())?;
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
    encoder: LayeredEncoder,
    dense: Linear,
    activation: Activation,
    output: Linear,
}

impl SequenceClassifier {
    /// `precision`: the dtype of the layers' products; the head is computed in f32.
    pub(crate) fn load(plan: EncoderPlan<'_>, weights: &Weights, precision: Precision) -> Result<Self> {
        let (HeadPlan { dense, activation, output, labels }, hidden) = (plan.head, plan.embeddings.hidden);
        Ok(Self {
            encoder: LayeredEncoder::load(plan, weights, Queries::First, precision)?,
            dense: linear(weights, dense, hidden, hidden, Precision::F32)?,
            activation,
            output: linear(weights, output, hidden, labels, Precision::F32)?,
        })
    }

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
