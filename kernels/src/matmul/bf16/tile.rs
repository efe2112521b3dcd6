//! Products of one panel with a few rows at a time in bf16. Sums stay in registers over the whole inner dimension.

use super::isa::Bf16Isa;
#[cfg(test)]
use super::panel::word_index;
use super::panel::{STEP, WIDTH};
#[cfg(target_arch = "x86_64")]
use super::x86;
#[cfg(target_arch = "x86_64")]
use crate::amx;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// Rows in bf16.
pub(super) struct Left<'v> {
    /// (whole tiles of rows, depth)
    pub(super) values: &'v [u16],
    /// A multiple of [`STEP`].
    pub(super) depth: usize,
    /// Rows that are used.
    pub(super) count: usize,
}

/// `out[r][c] = sum over k of left[r][k] * panel[k][c]`, with a panel of [`super::matrix::Bf16Matrix`]. `out`: whole tiles of
/// rows, row stride `stride`; rows beyond `count` are unspecified.
pub(super) fn multiply(isa: Bf16Isa, left: &Left<'_>, panel: &[u32], out: &mut [f32], stride: usize) {
    if left.count == 0 {
        return;
    }
    let shape = isa.shape();
    let rows = left.count.next_multiple_of(shape.rows);
    assert!(left.depth.is_multiple_of(STEP) && left.values.len() >= rows * left.depth);
    assert!(panel.len() >= left.depth / 2 * WIDTH);
    assert!(stride >= WIDTH && out.len() >= (rows - 1) * stride + WIDTH);
    match isa {
        #[cfg(target_arch = "x86_64")]
        Bf16Isa::Amx => amx::multiply(
            &amx::Product {
                dtype: amx::Dtype::Bf16,
                rows: bytes(left.values),
                count: rows,
                depth: left.depth * size_of::<u16>(),
                panel: bytes(panel),
            },
            out,
            stride,
        ),
        #[cfg(target_arch = "x86_64")]
        Bf16Isa::Avx512 => {
            for first in (0..left.count).step_by(shape.rows) {
                let values = &left.values[first * left.depth..];
                let out = &mut out[first * stride..];
                // SAFETY: the sizes are checked above; Bf16Isa guarantees the instructions.
                unsafe {
                    match left.count - first {
                        1 => x86::tile::<1, 1>(values, left.depth, panel, out, stride),
                        2..=4 => x86::tile::<2, 2>(values, left.depth, panel, out, stride),
                        5..=8 => x86::tile::<4, 2>(values, left.depth, panel, out, stride),
                        _ => x86::tile::<4, 3>(values, left.depth, panel, out, stride),
                    }
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        Bf16Isa::Neon => {
            for first in (0..rows).step_by(neon::ROWS) {
                for column in (0..WIDTH).step_by(neon::COLUMNS) {
                    // A step holds the pairs of one half of the columns, then those of the other half, which belong to
                    // another block.
                    let (half, in_half) = (column / (WIDTH / 2), column % (WIDTH / 2));
                    let position = half * STEP / 2 * WIDTH / 2 + in_half;
                    let block = neon::Block {
                        rows: left.values[first * left.depth..].as_ptr().cast(),
                        row_stride: left.depth * size_of::<u16>(),
                        panel: panel[position..].as_ptr().cast(),
                        group_stride: WIDTH / 2 * size_of::<u32>(),
                        steps: STEP * size_of::<u16>() / neon::STEP,
                        jump: STEP / 2 * WIDTH / 2 * size_of::<u32>(),
                        times: left.depth / STEP,
                        out: out[first * stride + column..].as_mut_ptr(),
                        out_stride: stride * size_of::<f32>(),
                    };
                    // SAFETY: the sizes are checked above; Bf16Isa guarantees the instructions.
                    unsafe { neon::bf16(&block) };
                }
            }
        }
        #[cfg(test)]
        Bf16Isa::Plain => plain(left, panel, out, stride),
    }
}

/// The bytes of a slice of `u16` or `u32`.
#[cfg(target_arch = "x86_64")]
fn bytes<N: Copy>(values: &[N]) -> &[u8] {
    // SAFETY: N is u16 or u32, whose bytes are all initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
fn plain(left: &Left<'_>, panel: &[u32], out: &mut [f32], stride: usize) {
    let wide = |value: u16| f64::from(f32::from_bits(u32::from(value) << 16));
    let right = |k: usize, column: usize| panel[word_index(k / 2, column)] >> (16 * (k % 2)) & 0xffff;
    for (row, values) in left.values.chunks_exact(left.depth).take(left.count).enumerate() {
        for column in 0..WIDTH {
            let sum: f64 = values
                .iter()
                .enumerate()
                .map(|(k, value)| wide(*value) * wide(right(k, column) as u16))
                .sum();
            out[row * stride + column] = sum as f32;
        }
    }
}
