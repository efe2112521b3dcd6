//! Matrix products in 8-bit integers.

mod isa;
mod matrix;
mod quantise;
mod sides;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use isa::Int8Isa;
pub(crate) use matrix::{Int8Matrix, Int8Rows};
