//! T5 on a GPU: the counterpart of the network on the host, with the same tensors. A forward pass and a step of the decoder
//! each upload their integers in one copy and queue all work; the host waits only for the logits of a step, since it
//! chooses the tokens and so the next step's rows.
//!
//! The residual stream is f32 and scaled, since T5's sums exceed f16, in published models even before the first norm. Norms
//! divide by the root mean square, so that a factor on all summands does not change their output.

mod decoder;
mod encoder;
mod judge;
mod parts;

use veridic_kernels::cuda::{Cuda, Matrix, WideLinear};

use self::decoder::{Decoder, DecoderState};
use self::encoder::Encoder;
pub(crate) use self::judge::T5JudgeOnCuda;
use super::{HEAD, T5Config, head_scale, offsets, words};
use crate::error::{ModelError, Result};
use crate::generation::{GenerationOptions, Output, generate};
use crate::t5::DecoderRow;
use crate::tables::check_ids;
use crate::weights::Weights;

/// Factor on the residual stream: a power of two, so that it rounds only the smallest values.
const STREAM_SCALE: f64 = 1.0 / 16.0;

/// A T5 with its weights on a GPU.
pub(crate) struct T5OnCuda {
    cuda: Cuda,
    /// (vocabulary, hidden), scaled.
    words: Matrix,
    encoder: Encoder,
    decoder: Decoder,
    /// Multiplied by the factor before the head.
    head: WideLinear,
    weights_file: String,
}

/// Encoded sequences.
struct Encoded {
    /// (tokens, hidden)
    states: Matrix,
    offsets: Vec<usize>,
}

impl T5OnCuda {
    pub(crate) fn load(cuda: Cuda, config: &T5Config, weights: &Weights) -> Result<Self> {
        let words = words(config, weights)?;
        let head = match weights.has(HEAD) {
            true => &weights.tensor(HEAD, &[config.vocab_size, config.hidden_size])?,
            false => &words,
        };
        Ok(Self {
            encoder: Encoder::load(&cuda, config, weights)?,
            decoder: Decoder::load(&cuda, config, weights)?,
            head: WideLinear::new(&cuda, &(head * head_scale(config))?)?,
            words: cuda.upload(&(&words * STREAM_SCALE)?)?,
            weights_file: weights.file().to_owned(),
            cuda,
        })
    }

    /// Generates an output for each sequence; it does not depend on the others.
    pub(crate) fn generate(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>> {
        if sequences.is_empty() {
            return Ok(Vec::new());
        }
        let mut state = self.decoder.start(&self.cuda, &self.encode(sequences)?)?;
        generate(options, sequences.len(), &mut |rows| {
            let logits = self.step(&mut state, rows)?;
            match logits.iter().position(|row| row.iter().any(|score| !score.is_finite())) {
                Some(row) => Err(ModelError::NotFinite {
                    file: self.weights_file.clone(),
                    sequence: state.histories.rows()[row].sequence,
                }),
                None => Ok(logits),
            }
        })
    }

    fn encode(&self, sequences: &[&[u32]]) -> Result<Encoded> {
        let (offsets, ids) = (offsets(sequences)?, sequences.concat());
        check_ids(self.words.shape().0, &ids, "token id")?;
        let (states, _) = self.encoder.forward(&self.cuda, &self.words, &ids, &offsets)?;
        Ok(Encoded { states, offsets })
    }

    /// Logits of each row's next token.
    fn step(&self, state: &mut DecoderState, rows: &[DecoderRow]) -> Result<Vec<Vec<f32>>> {
        let ids: Vec<u32> = rows.iter().map(|row| row.token).collect();
        check_ids(self.words.shape().0, &ids, "token id")?;
        let states = self.decoder.forward(&self.cuda, (&self.words, &ids), state, rows)?; // (rows, hidden)
        let columns = self.head.outputs();
        let logits = self.head.forward(&self.cuda, &states)?.download(&self.cuda, columns)?.wait()?;
        Ok(logits.chunks_exact(columns).map(<[f32]>::to_vec).collect())
    }
}

#[cfg(test)]
mod tests;
