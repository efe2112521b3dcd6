//! A T5 that judges on a GPU: the counterpart of `t5/judge.rs`.

use veridic_kernels::cuda::{Cuda, Matrix, ScoreHead, WideLinear};

use super::super::judge::{answer_rows, start_rows};
use super::super::judge_config::{Head, T5JudgeConfig};
use super::super::words;
use super::decoder::Decoder;
use super::encoder::Encoder;
use super::{Encoded, STREAM_SCALE};
use crate::classifier::{Classifier, Logits};
use crate::error::Result;
use crate::packed::PackedBatch;
use crate::tables::check_ids;
use crate::transformer::cuda_first_tokens;
use crate::weights::Weights;

/// A T5 that judges, with its weights on a GPU.
pub(crate) struct T5JudgeOnCuda {
    cuda: Cuda,
    /// (vocabulary, hidden), scaled.
    words: Matrix,
    encoder: Encoder,
    output: Output,
}

enum Output {
    /// On the first token's state.
    FirstToken(ScoreHead),
    /// On the decoder's state after the token `start`.
    Answers { decoder: Box<Decoder>, start: u32, head: WideLinear },
}

impl T5JudgeOnCuda {
    pub(crate) fn load(cuda: Cuda, config: &T5JudgeConfig, weights: &Weights) -> Result<Self> {
        let (network, labels) = (&config.network, config.labels.len());
        let output = match &config.head {
            Head::FirstToken(name) => {
                let weight = weights.tensor(&format!("{name}.weight"), &[labels, network.hidden_size])?;
                let bias = weights.tensor(&format!("{name}.bias"), &[labels])?;
                Output::FirstToken(ScoreHead::new(&cuda, &weight, &bias)?)
            }
            Head::Answers { start, tokens } => Output::Answers {
                decoder: Box::new(Decoder::load(&cuda, network, weights)?),
                start: *start,
                head: WideLinear::new(&cuda, &answer_rows(network, weights, tokens)?)?,
            },
        };
        Ok(Self {
            words: cuda.upload(&(words(network, weights)? * STREAM_SCALE)?)?,
            encoder: Encoder::load(&cuda, network, weights)?,
            output,
            cuda,
        })
    }

    fn check(&self, batch: &PackedBatch) -> Result<()> {
        batch.check_lengths(None)?;
        check_ids(self.words.shape().0, batch.ids(), "token id")
    }
}

impl Classifier for T5JudgeOnCuda {
    fn logits(&self, batch: &PackedBatch) -> Result<Logits> {
        self.check(batch)?;
        let (cuda, offsets) = (&self.cuda, batch.offsets());
        let (states, layout) = self.encoder.forward(cuda, &self.words, batch.ids(), offsets)?; // (tokens, hidden)
        let download = match &self.output {
            Output::FirstToken(head) => head
                .forward(cuda, &cuda_first_tokens(cuda, &states, &layout)?)?
                .download(cuda, head.outputs())?,
            Output::Answers { decoder, start, head } => {
                let mut state = decoder.start(cuda, &Encoded { states, offsets: offsets.to_vec() })?;
                let rows = start_rows(*start, batch);
                let ids: Vec<u32> = rows.iter().map(|row| row.token).collect();
                let states = decoder.forward(cuda, (&self.words, &ids), &mut state, &rows)?; // (sequences, hidden)
                head.forward(cuda, &states)?.download(cuda, head.outputs())?
            }
        };
        Ok(Logits::Pending(download))
    }

    fn before_last(&self, batch: &PackedBatch) -> Result<Vec<f32>> {
        self.check(batch)?;
        let scaled =
            self.encoder.before_last(&self.cuda, &self.words, batch.ids(), batch.offsets())?.wait()?;
        Ok(scaled.into_iter().map(|x| x / STREAM_SCALE as f32).collect())
    }
}
