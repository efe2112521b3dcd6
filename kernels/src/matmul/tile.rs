//! One tile of an f32 product: a few rows times one panel, with sums in registers over the whole inner dimension. The tile
//! sizes fill the registers of each instruction set.

use super::left::{Left, Side};
use super::shapes::TileShape;
#[cfg(target_arch = "x86_64")]
use super::tile_x86 as x86;
use crate::isa::{Isa, PORTABLE_FMA, multiply_add};

impl TileShape {
    /// The tile of f32 products.
    pub(crate) fn of(isa: Isa) -> Self {
        match isa {
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Self { rows: 12, columns: 32 },
            // 12 accumulators, 2 of the panel, 1 of the left side: 15 of 16 registers.
            _ => Self { rows: 6, columns: 16 },
        }
    }
}

/// The number of rows that a kernel computes for `count` used rows. The other rows of the tile stay unchanged.
fn computed_rows(isa: Isa, count: usize) -> usize {
    let choices: &[usize] = match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => &[1, 4, 8],
        _ => &[1, 3],
    };
    choices.iter().copied().find(|rows| count <= *rows).unwrap_or(TileShape::of(isa).rows)
}

/// `out[r][c] = sum over k of left[r][k] * panel[k][c]`, one chain of multiply-adds in the order of k. `panel`: `(inner,
/// tile columns)`; `out`: a whole tile, row stride `stride`; rows beyond those of `left` are unspecified.
pub(super) fn multiply(
    isa: Isa,
    inner: usize,
    left: Left<'_>,
    panel: &[f32],
    out: &mut [f32],
    stride: usize,
) {
    let shape = TileShape::of(isa);
    assert!(panel.len() >= inner * shape.columns);
    assert!(stride >= shape.columns && out.len() >= (shape.rows - 1) * stride + shape.columns);
    match left {
        Left::Packed { values, count } => {
            assert!(values.len() >= inner * shape.rows);
            let starts = std::array::from_fn(|row| row);
            let rows = computed_rows(isa, count);
            dispatch::<true>(isa, Side { inner, values, starts, rows }, panel, out, stride);
        }
        Left::Strided { values, stride: left_stride, count } => {
            assert!(count >= 1 && values.len() >= (count - 1) * left_stride + inner);
            let starts = std::array::from_fn(|row| row.min(count - 1) * left_stride);
            let rows = computed_rows(isa, count);
            dispatch::<false>(isa, Side { inner, values, starts, rows }, panel, out, stride);
        }
    }
}

/// Consecutive inner indices of a row are a tile's height apart if the left side is packed, else 1. [`multiply`] has
/// checked all sizes.
fn dispatch<const PACKED: bool>(isa: Isa, left: Side<'_>, panel: &[f32], out: &mut [f32], stride: usize) {
    match isa {
        // SAFETY: `multiply` checked that row starts plus (inner - 1) steps stay in `values`, and that panel and out hold
        // the whole tile. Isa guarantees the instructions.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe {
            match left.rows {
                1 => x86::avx512::<PACKED, 1>(&left, panel, out, stride),
                4 => x86::avx512::<PACKED, 4>(&left, panel, out, stride),
                8 => x86::avx512::<PACKED, 8>(&left, panel, out, stride),
                _ => x86::avx512::<PACKED, 12>(&left, panel, out, stride),
            }
        },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::AvxVnni | Isa::Avx2 => unsafe {
            match left.rows {
                1 => x86::avx2::<PACKED, 1>(&left, panel, out, stride),
                3 => x86::avx2::<PACKED, 3>(&left, panel, out, stride),
                _ => x86::avx2::<PACKED, 6>(&left, panel, out, stride),
            }
        },
        _ => match left.rows {
            1 => portable::<PACKED, 1>(&left, panel, out, stride),
            3 => portable::<PACKED, 3>(&left, panel, out, stride),
            _ => portable::<PACKED, 6>(&left, panel, out, stride),
        },
    }
}

fn portable<const PACKED: bool, const ROWS: usize>(
    left: &Side<'_>,
    panel: &[f32],
    out: &mut [f32],
    stride: usize,
) {
    let mut sums = [[0f32; 16]; ROWS];
    for (k, panel) in panel.as_chunks::<16>().0.iter().take(left.inner).enumerate() {
        for (sums, start) in sums.iter_mut().zip(left.starts) {
            let left = left.values[start + k * if PACKED { 6 } else { 1 }];
            for (sum, right) in sums.iter_mut().zip(panel) {
                *sum = multiply_add::<PORTABLE_FMA>(left, *right, *sum);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        out[row * stride..][..16].copy_from_slice(sums);
    }
}
