//! Matrix products with a right side that is packed once.
//!
//! The right side is stored in panels: a panel holds a few columns, row after row, in the order in which the tile kernel
//! reads them. Each element of the result is one chain of fused multiply-adds over the inner dimension, in the same order
//! for any number of rows and columns. Therefore an element depends only on its row and its column, bit for bit.

mod bf16;
mod int8;
mod left;
mod packed;
mod precision;
mod shapes;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod tile_x86;
mod weight;

pub(crate) use bf16::{Bf16Isa, Bf16Matrix, Bf16Rows};
pub(crate) use int8::{Int8Matrix, Int8Rows};
pub(crate) use packed::{PackedMatrix, whole_tiles};
pub use precision::Precision;
pub(crate) use shapes::Rows;
pub(crate) use weight::{LeftSide, Weight};
