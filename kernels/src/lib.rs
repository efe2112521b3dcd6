//! The operations of Veridic's networks that are worth a kernel of their own.
//!
//! Everything here works on packed batches: the tokens of many sequences end to end, without
//! padding. One condition holds for every operation: a row's result depends on that row (and, in
//! attention, on its own sequence) alone, bit for bit, never on how many other rows there are.
//!
//! Decides how a product, a norm or an attention is computed; knows no model and no text.

mod activation;
mod attention;
mod host;
mod linear;
mod norm;

pub use activation::Activation;
pub use attention::{Attention, Heads, RelativePositions};
pub use linear::Linear;
pub use norm::LayerNorm;
