//! Fused CPU kernels of Veridic's networks.
//!
//! All operations work on packed batches: the tokens of many sequences end to end, without padding. A row's result
//! depends only on that row (in attention, on its sequence), bit for bit, never on the number of other rows.
//!
//! This crate decides how products, norms and attention are computed. It knows nothing of models or texts.

mod activation;
mod aligned;
#[cfg(target_arch = "x86_64")]
mod amx;
mod attention;
mod distances;
mod feed_forward;
mod functions;
mod host;
mod isa;
mod linear;
mod matmul;
#[cfg(target_arch = "aarch64")]
mod neon;
mod norm;
mod rotary;
mod scratch;

pub use activation::Activation;
pub use attention::{Attention, Columns, Heads, Keys, Queries, RelativePositions, StepAttention};
pub use distances::DistanceTable;
pub use feed_forward::FeedForward;
pub use isa::Isa;
pub use linear::Linear;
pub use matmul::Precision;
pub use norm::{LayerNorm, RmsNorm};
pub use rotary::Rotary;

/// Pseudo-random numbers in -1..1 for tests, determined by the seed.
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
