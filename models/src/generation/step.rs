//! What a search asks of a decoder, and what it finds.

use crate::error::Result;

/// One row of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecoderRow {
    /// The token that it adds.
    pub token: u32,
    /// The row of the last step that it continues; in the first step, the encoded sequence.
    pub continues: usize,
}

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
