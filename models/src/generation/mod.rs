//! From encoded sequences to generated ones: greedy and beam search over a decoder that is asked for the
//! scores of the next token, row by row. Knows no network and no text.

mod beam;
mod greedy;
mod options;
mod scores;

pub use options::{DEFAULT_NEW_TOKENS, EarlyStopping, GenerationOptions};

use crate::error::Result;
use crate::t5::DecoderRow;

/// Logits of the token after each row's: one list of numbers a row.
pub(crate) type Step<'s> = dyn FnMut(&[DecoderRow]) -> Result<Vec<Vec<f32>>> + 's;

/// What was generated for a sequence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// Tokens, from the start token to the one that ended it.
    pub tokens: Vec<u32>,
    /// Of a beam search: the sum of log-probabilities divided by the length to the penalty's power.
    pub score: Option<f32>,
}

/// Outputs of `count` sequences. `step` stands at the start of each.
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
