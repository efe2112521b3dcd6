//! A sequence classifier of BERT's family or DeBERTa on padded batches: the encoder, and a head on the first token.

use candle_core::Tensor;
use candle_nn::{Linear, Module};
use veridic_kernels::Activation;

use super::batches::PaddedBatch;
use super::encoder::PaddedEncoder;
use super::network::PaddedNetwork;
use super::parts::{Target, first_states};
use crate::error::Result;
use crate::transformer::{EncoderPlan, HeadPlan};
use crate::weights::Weights;

/// The encoder and its head, which is computed in f32.
pub(crate) struct PaddedClassifier {
    encoder: PaddedEncoder,
    dense: Linear,
    activation: Activation,
    output: Linear,
}

impl PaddedClassifier {
    pub(crate) fn load(plan: EncoderPlan<'_>, weights: &Weights, target: &Target) -> Result<Self> {
        let (HeadPlan { dense, activation, output, labels }, hidden) = (plan.head, plan.embeddings.hidden);
        let in_f32 = target.in_f32();
        Ok(Self {
            dense: in_f32.linear(weights, dense, hidden, hidden, true)?,
            activation,
            output: in_f32.linear(weights, output, hidden, labels, true)?,
            encoder: PaddedEncoder::load(plan, weights, target)?,
        })
    }
}

impl PaddedNetwork<2> for PaddedClassifier {
    fn padding_id(&self) -> u32 {
        self.encoder.padding_id()
    }

    fn token_limit(&self) -> Option<usize> {
        self.encoder.token_limit()
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let [before, states] = self.encoder.run(batch)?;
        let dense = self.activation.apply(&self.dense.forward(&first_states(&states)?)?)?;
        Ok([self.output.forward(&dense)?, before])
    }
}
