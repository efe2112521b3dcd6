//! Generates output sequences: greedy and beam search over a decoder's logits of the next token, row by row. Knows
//! neither networks nor texts.

mod beam;
mod greedy;
mod options;
mod scores;

pub use options::{DEFAULT_NEW_TOKENS, EarlyStopping, GenerationOptions};

use crate::error::Result;
use crate::t5::DecoderRow;

/// A step of the decoder: for each row, the logits of the next token.
pub(crate) type Step<'s> = dyn FnMut(&[DecoderRow]) -> Result<Vec<Vec<f32>>> + 's;

/// The output for a sequence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// Tokens, from the start token to the last.
    pub tokens: Vec<u32>,
    /// With beam search: the sum of log-probabilities divided by the length to the power of the length penalty.
    pub score: Option<f32>,
}

/// Outputs of `count` sequences; `step` is at the start of each.
pub(crate) fn generate(
    options: &GenerationOptions,
    count: usize,
    step: &mut Step<'_>,
) -> Result<Vec<Output>> {
    match options.num_beams {
        1 => greedy::search(options, count, step),
        _ => beam::search(options, count, step),
    }
}
