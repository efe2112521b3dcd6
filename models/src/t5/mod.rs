//! T5 (Raffel et al. 2020; v1.0 and v1.1): an encoder over packed batches, and a decoder that generates one token per
//! step, or a head that judges.
//!
//! Tensor names and behaviour follow `T5ForConditionalGeneration` and `T5ForTokenClassification` of Python's `transformers`; all numbers are tested
//! against these. Attention scores are not scaled; a bias by distance, shared by all layers, is added; norms precede each
//! part and divide by the root mean square.

mod config;
mod decoder;
mod encoder;
mod feed_forward;
mod history;
mod judge;
mod judge_config;
mod parts;

use candle_core::Tensor;
use veridic_kernels::{Linear, Precision};

pub use config::T5Config;
pub use decoder::DecoderState;
pub use encoder::Encoded;
pub(crate) use judge::T5Judge;
#[cfg(feature = "candle")]
pub(crate) use judge_config::Head as AnswerHead;
pub(crate) use judge_config::T5JudgeConfig;
#[cfg(feature = "candle")]
pub(crate) use parts::answer_rows;
pub(crate) use parts::{head, head_scale, words};

use self::decoder::Decoder;
use self::encoder::Encoder;
use crate::error::{ModelError, Result};
use crate::generation::{DecoderRow, GenerationOptions, Output, generate};
use crate::network::Generator;
use crate::packed::PackedBatch;
use crate::tables::pick;
use crate::weights::Weights;

/// A T5 with its weights.
pub struct T5 {
    /// (vocabulary, hidden)
    words: Tensor,
    encoder: Encoder,
    decoder: Decoder,
    head: Linear,
    /// Factor on the decoder's states before the head.
    head_scale: f64,
    weights_file: String,
}

impl T5 {
    /// Builds the network.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &T5Config, weights: &Weights) -> Result<Self> {
        let words = words(config, weights)?;
        Ok(Self {
            head: Linear::new(&head(config, weights, &words)?, None)?,
            words,
            encoder: Encoder::load(config, weights, Precision::F32)?,
            decoder: Decoder::load(config, weights, Precision::F32)?,
            head_scale: head_scale(config),
            weights_file: weights.file().to_owned(),
        })
    }

    /// The encoder's states; each depends on its own sequence only.
    ///
    /// # Errors
    /// An empty sequence, or a token id outside the vocabulary.
    pub fn encode(&self, sequences: &[&[u32]]) -> Result<Encoded> {
        let batch = PackedBatch::of_one_type(sequences.iter().copied());
        batch.check_lengths(None)?;
        let embedded = pick(&self.words, batch.ids(), "token id")?; // (tokens, hidden)
        let states = self.encoder.forward(embedded, batch.offsets())?.0;
        Ok(Encoded { states, offsets: batch.offsets().to_vec() })
    }

    /// Generates an output for each sequence; it does not depend on the others.
    ///
    /// # Errors
    /// An empty sequence, a token id outside the vocabulary, or a score that is not a finite number.
    pub fn generate(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>> {
        if sequences.is_empty() {
            return Ok(Vec::new());
        }
        // On a thread of rayon's pool: submitting a hundred small products per step from outside costs 5%.
        rayon::join(|| self.generate_here(options, sequences), || ()).0
    }

    fn generate_here(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>> {
        let encoded = self.encode(sequences)?;
        let mut state = self.start(&encoded)?;
        generate(options, sequences.len(), &mut |rows| {
            let logits = self.step(&mut state, rows)?.to_vec2::<f32>()?;
            match logits.iter().position(|row| row.iter().any(|score| !score.is_finite())) {
                Some(row) => Err(ModelError::NotFinite {
                    file: self.weights_file.clone(),
                    sequence: state.sequence(row),
                }),
                None => Ok(logits),
            }
        })
    }

    /// The decoder's state for encoded sequences, before its first token.
    ///
    /// # Errors
    /// When a kernel fails.
    pub fn start(&self, encoded: &Encoded) -> Result<DecoderState> {
        self.decoder.start(encoded)
    }

    /// Logits of each row's next token, `(rows, vocabulary)`. All rows are at the same position, which each call
    /// advances by one.
    ///
    /// # Errors
    /// A row that continues a missing row or sequence, or a token id outside the vocabulary.
    pub fn step(&self, state: &mut DecoderState, rows: &[DecoderRow]) -> Result<Tensor> {
        let ids: Vec<u32> = rows.iter().map(|row| row.token).collect();
        let embedded = pick(&self.words, &ids, "token id")?; // (rows, hidden)
        let states = self.decoder.forward(embedded, state, rows)?;
        let scaled = if self.head_scale == 1.0 { states } else { (states * self.head_scale)? };
        Ok(self.head.forward(&scaled)?)
    }
}

impl Generator for T5 {
    fn generate(&self, options: &GenerationOptions, sequences: &[&[u32]]) -> Result<Vec<Output>> {
        Self::generate(self, options, sequences)
    }
}
