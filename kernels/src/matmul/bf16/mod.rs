//! Matrix products in bf16.

mod isa;
mod matrix;
mod panel;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use isa::Bf16Isa;
pub(crate) use matrix::{Bf16Matrix, Bf16Rows};
