//! The parts of T5 by the names of their tensors: the word embedding, the head and layers without biases.

use candle_core::Tensor;
use veridic_kernels::{Linear, Precision, RmsNorm};

use super::config::T5Config;
use crate::error::Result;
use crate::tables::pick;
use crate::transformer::packed_linear;
use crate::weights::{Matrix, Weights};

/// Name of the head if it does not share the word embedding.
const HEAD: &str = "lm_head.weight";

/// Names of the word embedding, the most common first.
const EMBEDDINGS: [&str; 4] =
    ["shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", HEAD];

/// The table of word embeddings, under any of its names; if none exists, the error has the first.
pub(crate) fn words(config: &T5Config, weights: &Weights) -> Result<Tensor> {
    let names = EMBEDDINGS.map(|name| format!("{}{name}", config.prefix));
    let table = names.iter().find(|name| weights.has(name)).unwrap_or(&names[0]);
    weights.tensor(table, &[config.vocab_size, config.hidden_size])
}

/// Factor on the decoder's states before the head.
pub(crate) fn head_scale(config: &T5Config) -> f64 {
    if config.scaled_head { (config.hidden_size as f64).powf(-0.5) } else { 1.0 }
}

/// The head, `(vocabulary, hidden)`; `words` is the table of word embeddings, which it may share.
pub(crate) fn head(config: &T5Config, weights: &Weights, words: &Tensor) -> Result<Tensor> {
    if weights.has(HEAD) {
        return weights.tensor(HEAD, &[config.vocab_size, config.hidden_size]);
    }
    Ok(words.clone())
}

/// The rows of the head for the answers' tokens, multiplied by the factor before the head: `(labels, hidden)`.
pub(crate) fn answer_rows(
    config: &T5Config,
    weights: &Weights,
    words: &Tensor,
    tokens: &[u32],
) -> Result<Tensor> {
    Ok((pick(&head(config, weights, words)?, tokens, "answer token")? * head_scale(config))?)
}

/// Several layers with the same inputs as one, outputs side by side.
pub(super) fn joint_linear(
    weights: &Weights,
    names: &[String],
    inputs: usize,
    outputs: usize,
    precision: Precision,
) -> Result<Linear> {
    let part = |name: &String| weights.matrix(&format!("{name}.weight"), [outputs, inputs]);
    let parts: Vec<Matrix> = names.iter().map(part).collect::<Result<_>>()?;
    packed_linear(&Matrix::stacked(&parts.iter().collect::<Vec<_>>())?, None, precision)
}

/// The norm `name.weight`.
pub(super) fn rms_norm(weights: &Weights, name: &str, config: &T5Config) -> Result<RmsNorm> {
    let weight = weights.tensor(&format!("{name}.weight"), &[config.hidden_size])?;
    Ok(RmsNorm::new(&weight, config.norm_epsilon)?)
}
