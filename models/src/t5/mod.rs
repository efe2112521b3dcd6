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

use candle_core::Tensor;
use veridic_kernels::{Linear, Precision, RmsNorm};

pub use config::T5Config;
pub use decoder::DecoderState;
pub use history::DecoderRow;
#[cfg(feature = "candle")]
pub(crate) use judge::answer_rows;
#[cfg(feature = "candle")]
pub(crate) use judge_config::Head as AnswerHead;
pub(crate) use judge_config::T5JudgeConfig;

use self::decoder::Decoder;
use self::encoder::Encoder;
use crate::error::{ModelError, Result};
use crate::generation::{GenerationOptions, Output, generate};
use crate::tables::pick;
use crate::transformer::packed_linear;
use crate::weights::{Matrix, Weights};

/// Name of the head if it does not share the word embedding.
const HEAD: &str = "lm_head.weight";

/// Names of the word embedding, the most common first.
const EMBEDDINGS: [&str; 4] =
    ["shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", HEAD];

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

/// Encoded sequences.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// States of all tokens, `(tokens, hidden)`.
    pub states: Tensor,
    /// The first token of each sequence, and the number of all tokens.
    pub offsets: Vec<usize>,
}

impl T5 {
    /// Builds the network.
    ///
    /// # Errors
    /// When a tensor is missing or has another shape than the configuration asks for.
    pub fn load(config: &T5Config, weights: &Weights) -> Result<Self> {
        let shape = [config.vocab_size, config.hidden_size];
        let words = words(config, weights)?;
        let head = match weights.has(HEAD) {
            true => Linear::new(&weights.tensor(HEAD, &shape)?, None)?,
            false => Linear::new(&words, None)?,
        };
        Ok(Self {
            words,
            encoder: Encoder::load(config, weights, Precision::F32)?,
            decoder: Decoder::load(config, weights, Precision::F32)?,
            head,
            head_scale: head_scale(config),
            weights_file: weights.file().to_owned(),
        })
    }

    /// The encoder's states; each depends on its own sequence only.
    ///
    /// # Errors
    /// An empty sequence, or a token id outside the vocabulary.
    pub fn encode(&self, sequences: &[&[u32]]) -> Result<Encoded> {
        let offsets = offsets(sequences)?;
        let embedded = pick(&self.words, &sequences.concat(), "token id")?; // (tokens, hidden)
        Ok(Encoded { states: self.encoder.forward(embedded, &offsets)?, offsets })
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

/// The table of word embeddings, under any of its names; if none exists, the error has the first.
pub(crate) fn words(config: &T5Config, weights: &Weights) -> Result<Tensor> {
    let names = EMBEDDINGS.map(|name| format!("{}{name}", config.prefix));
    let table = names.iter().find(|name| weights.has(name)).unwrap_or(&names[0]);
    weights.tensor(table, &[config.vocab_size, config.hidden_size])
}

/// Factor on the decoder's states before the head.
fn head_scale(config: &T5Config) -> f64 {
    if config.scaled_head { (config.hidden_size as f64).powf(-0.5) } else { 1.0 }
}

/// The first token of each sequence, and the number of all tokens.
fn offsets(sequences: &[&[u32]]) -> Result<Vec<usize>> {
    if let Some(sequence) = sequences.iter().position(|ids| ids.is_empty()) {
        return Err(ModelError::Empty { sequence });
    }
    let mut offsets = vec![0];
    offsets.extend(sequences.iter().scan(0, |end, ids| {
        *end += ids.len();
        Some(*end)
    }));
    Ok(offsets)
}

/// The layer `name.weight`, `(inputs, outputs)`, without a bias.
fn linear(
    weights: &Weights,
    name: &str,
    (inputs, outputs): (usize, usize),
    precision: Precision,
) -> Result<Linear> {
    packed_linear(&weights.matrix(&format!("{name}.weight"), [outputs, inputs])?, None, precision)
}

/// Several layers with the same inputs as one, outputs side by side.
fn joint_linear(
    weights: &Weights,
    names: &[String],
    (inputs, outputs): (usize, usize),
    precision: Precision,
) -> Result<Linear> {
    let part = |name: &String| weights.matrix(&format!("{name}.weight"), [outputs, inputs]);
    let parts: Vec<Matrix> = names.iter().map(part).collect::<Result<_>>()?;
    packed_linear(&Matrix::stacked(&parts.iter().collect::<Vec<_>>())?, None, precision)
}

/// The norm `name.weight`.
fn rms_norm(weights: &Weights, name: &str, config: &T5Config) -> Result<RmsNorm> {
    let weight = weights.tensor(&format!("{name}.weight"), &[config.hidden_size])?;
    Ok(RmsNorm::new(&weight, config.norm_epsilon)?)
}
