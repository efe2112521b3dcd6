//! T5 judges: the encoder with a layer on the first token, or the whole network for one step.

use candle_core::{DType, Tensor};
use candle_nn::{Linear, Module};

use super::decoder::Decoder;
use super::encoder::Encoder;
use super::parts::Parts;
use crate::error::Result;
use crate::generation::DecoderRow;
use crate::padded::batches::PaddedBatch;
use crate::padded::network::PaddedNetwork;
use crate::padded::parts::{Target, first_states};
use crate::t5::{AnswerHead, T5JudgeConfig, answer_rows, words};
use crate::weights::Weights;

/// A T5 judge.
pub(crate) struct PaddedT5Judge {
    target: Target,
    encoder: Encoder,
    output: Output,
}

enum Output {
    FirstToken(Linear),
    /// On the decoder's state after the token `start`.
    Answers {
        decoder: Box<Decoder>,
        start: u32,
        head: Linear,
    },
}

impl PaddedT5Judge {
    pub(crate) fn load(config: &T5JudgeConfig, weights: &Weights, target: &Target) -> Result<Self> {
        let (network, labels) = (&config.network, config.labels.len());
        let table = words(network, weights)?;
        let (words, in_f32) = (target.place(&table)?, target.in_f32());
        let parts = Parts { config: network, weights, target };
        let output = match &config.head {
            AnswerHead::FirstToken(name) => {
                Output::FirstToken(in_f32.linear(weights, name, network.hidden_size, labels, true)?)
            }
            AnswerHead::Answers { start, tokens } => Output::Answers {
                decoder: Box::new(Decoder::load(&parts, &words)?),
                start: *start,
                head: Linear::new(in_f32.place(&answer_rows(network, weights, &table, tokens)?)?, None),
            },
        };
        Ok(Self { encoder: Encoder::load(&parts, &words)?, output, target: target.clone() })
    }
}

impl PaddedNetwork<2> for PaddedT5Judge {
    fn token_limit(&self) -> Option<usize> {
        None
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let mask = self.target.mask(batch)?;
        let (states, before) = self.encoder.forward(batch, &mask)?;
        let logits = match &self.output {
            Output::FirstToken(output) => output.forward(&first_states(&states)?)?,
            Output::Answers { decoder, start, head } => {
                let rows =
                    (0..batch.shape().0).map(|sequence| DecoderRow { token: *start, continues: sequence });
                let mut state = decoder.start(&states, mask)?;
                let states = decoder.step(&mut state, &rows.collect::<Vec<_>>())?;
                head.forward(&states.squeeze(1)?.to_dtype(DType::F32)?)?
            }
        };
        Ok([logits, before])
    }
}
