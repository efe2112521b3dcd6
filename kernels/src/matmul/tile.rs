//! One tile of an f32 product: a few rows times one panel, with sums in registers over the whole inner dimension. The tile
//! sizes fill the registers of each instruction set.

use crate::isa::{Isa, PORTABLE_FMA, multiply_add};

/// Rows and columns of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TileShape {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl TileShape {
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

/// The left side of a tile.
#[derive(Clone, Copy)]
pub(crate) enum Left<'v> {
    /// Tile rows side by side for each inner index, `(inner, tile rows)`, of which the first `count` are used.
    Packed { values: &'v [f32], count: usize },
    /// `count` rows at a stride.
    Strided { values: &'v [f32], stride: usize, count: usize },
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
pub(crate) fn multiply(
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

/// The left side in the form that kernels take.
struct Side<'v> {
    inner: usize,
    values: &'v [f32],
    /// The start of each row of the largest tile.
    starts: [usize; 12],
    /// The rows to compute.
    rows: usize,
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    use super::Side;

    /// Defines the kernel of the first `ROWS` rows of a tile of `$rows` rows and two vectors of `$lanes` columns.
    macro_rules! tile {
        ($name:ident, $features:literal, $rows:literal, $lanes:literal,
         $zero:ident, $load:ident, $splat:ident, $multiply_add:ident, $store:ident) => {
            /// # Safety
            /// `values[starts[r] + (inner - 1) * step]` exists for every row, where `step` is the tile's rows if `PACKED`,
            /// else 1; `starts[r]` is `r` if `PACKED`; `panel` holds `inner` rows of the tile's columns, `out` all of the
            /// tile's rows at `stride`; `ROWS` is at most the tile's rows; the machine supports the instructions.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name<const PACKED: bool, const ROWS: usize>(
                left: &Side<'_>,
                panel: &[f32],
                out: &mut [f32],
                stride: usize,
            ) {
                let mut sums = [[$zero(); 2]; ROWS];
                let mut right = panel.as_ptr();
                let packed = left.values.as_ptr();
                let rows: [*const f32; ROWS] =
                    std::array::from_fn(|row| packed.wrapping_add(left.starts[row]));
                for k in 0..left.inner {
                    // SAFETY: guaranteed by the caller for `panel` and `values`.
                    unsafe {
                        let columns = [$load(right), $load(right.add($lanes))];
                        for row in 0..ROWS {
                            let left = if PACKED { packed.add(k * $rows + row) } else { rows[row].add(k) };
                            let value = $splat(*left);
                            sums[row][0] = $multiply_add(value, columns[0], sums[row][0]);
                            sums[row][1] = $multiply_add(value, columns[1], sums[row][1]);
                        }
                        right = right.add(2 * $lanes);
                    }
                }
                for (row, sums) in sums.iter().enumerate() {
                    // SAFETY: guaranteed by the caller for `out`.
                    unsafe {
                        let out = out.as_mut_ptr().add(row * stride);
                        $store(out, sums[0]);
                        $store(out.add($lanes), sums[1]);
                    }
                }
            }
        };
    }

    tile!(
        avx512,
        "avx512f",
        12,
        16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_storeu_ps
    );
    tile!(
        avx2,
        "avx2,fma",
        6,
        8,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_storeu_ps
    );
}
