//! Generates output sequences: greedy and beam search over a decoder's logits of the next token, row by row. Knows
//! neither networks nor texts.

mod beam;
mod greedy;
mod options;
mod scores;
mod step;

pub use options::{DEFAULT_NEW_TOKENS, EarlyStopping, GenerationOptions, OptionsFile};
use step::Step;
pub use step::{DecoderRow, Output};

use crate::error::Result;

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
