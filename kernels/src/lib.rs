//! The operations of Veridic's networks that are worth a kernel of their own.
//!
//! Everything here works on packed batches: the tokens of many sequences end to end, without
//! padding. One condition holds for every operation: a row's result depends on that row (and, in
//! attention, on its own sequence) alone, bit for bit, never on how many other rows there are.
//!
//! Decides how a product, a norm or an attention is computed; knows no model and no text.

mod activation;
#[cfg(target_arch = "x86_64")]
mod amx;
mod attention;
#[cfg(feature = "cuda")]
pub mod cuda;
mod distances;
mod functions;
mod host;
mod isa;
mod linear;
mod matmul;
#[cfg(target_arch = "aarch64")]
mod neon;
mod norm;
mod scratch;

pub use activation::Activation;
pub use attention::{Attention, Columns, Heads, Keys, Queries, RelativePositions, StepAttention};
pub use distances::DistanceTable;
pub use isa::Isa;
pub use linear::{FeedForward, Linear};
pub use matmul::Precision;
pub use norm::{LayerNorm, RmsNorm};

/// Numbers in -1..1 for tests, the same for the same seed.
#[cfg(test)]
pub(crate) fn test_numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .collect()
}
