//! T5 judges on packed batches: the encoder with a layer on the first token (HHEM-2.1-open), or the whole network for
//! one step, where the logits of a few tokens are those of the labels (MiniCheck-Flan-T5; Tang, Laban, Durrett 2024).

use candle_core::Tensor;
use veridic_kernels::{Linear, Precision};

use super::decoder::Decoder;
use super::encoder::{Encoded, Encoder};
use super::judge_config::{Head, T5JudgeConfig};
use super::parts::{answer_rows, words};
use crate::error::Result;
use crate::generation::DecoderRow;
use crate::network::Classifier;
use crate::packed::PackedBatch;
use crate::tables::pick;
use crate::transformer::{first_tokens, linear};
use crate::weights::Weights;

/// A T5 judge with its weights.
pub(crate) struct T5Judge {
    /// (vocabulary, hidden)
    words: Tensor,
    encoder: Encoder,
    output: Output,
}

enum Output {
    /// On the first token's state: (hidden, labels).
    FirstToken(Linear),
    /// On the decoder's state after the token `start`: (hidden, labels), multiplied by the factor before the head.
    Answers { decoder: Box<Decoder>, start: u32, head: Linear },
}

impl T5Judge {
    /// `precision`: the dtype of the layers' products; the head is computed in f32.
    pub(crate) fn load(config: &T5JudgeConfig, weights: &Weights, precision: Precision) -> Result<Self> {
        let (network, labels) = (&config.network, config.labels.len());
        let words = words(network, weights)?;
        let output = match &config.head {
            Head::FirstToken(name) => {
                Output::FirstToken(linear(weights, name, network.hidden_size, labels, Precision::F32)?)
            }
            Head::Answers { start, tokens } => Output::Answers {
                decoder: Box::new(Decoder::load(network, weights, precision)?),
                start: *start,
                head: Linear::new(&answer_rows(network, weights, &words, tokens)?, None)?,
            },
        };
        Ok(Self { words, encoder: Encoder::load(network, weights, precision)?, output })
    }

    fn embedded(&self, batch: &PackedBatch) -> Result<Tensor> {
        batch.check_lengths(None)?;
        pick(&self.words, batch.ids(), "token id") // (tokens, hidden)
    }
}

impl Classifier for T5Judge {
    fn logits_and_states(&self, batch: &PackedBatch) -> Result<(Tensor, Tensor)> {
        let (states, before) = self.encoder.forward(self.embedded(batch)?, batch.offsets())?;
        let logits = match &self.output {
            Output::FirstToken(output) => output.forward(&first_tokens(&states, batch.offsets())?)?,
            Output::Answers { decoder, start, head } => {
                let mut state = decoder.start(&Encoded { states, offsets: batch.offsets().to_vec() })?;
                let rows = start_rows(*start, batch);
                let ids: Vec<u32> = rows.iter().map(|row| row.token).collect();
                let embedded = pick(&self.words, &ids, "token id")?; // (sequences, hidden)
                head.forward(&decoder.forward(embedded, &mut state, &rows)?)?
            }
        };
        Ok((logits, before))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Tensor> {
        self.encoder.before_last(self.embedded(batch)?, batch.offsets())
    }
}

/// The first row of the decoder for each sequence.
fn start_rows(start: u32, batch: &PackedBatch) -> Vec<DecoderRow> {
    (0..batch.sequences()).map(|sequence| DecoderRow { token: start, continues: sequence }).collect()
}
