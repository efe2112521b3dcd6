//! One tile of a product: a few rows times one panel, held in registers over the whole inner
//! dimension. The sizes fill the registers of each instruction set.

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
    /// Tile rows side by side for each inner index: `(inner, tile rows)`.
    Packed(&'v [f32]),
    /// `count` rows with a stride; missing rows of the tile repeat the last one.
    Strided { values: &'v [f32], stride: usize, count: usize },
}

/// `out[r][c] = sum over k of left[r][k] * panel[k][c]`, one chain of multiply-adds in the order of
/// k. `panel`: `(inner, tile columns)`; `out`: a whole tile, row stride `stride`.
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
        Left::Packed(values) => {
            assert!(values.len() >= inner * shape.rows);
            let starts = std::array::from_fn(|row| row);
            dispatch::<true>(isa, inner, values, &starts, panel, out, stride);
        }
        Left::Strided { values, stride: left_stride, count } => {
            assert!(count >= 1 && values.len() >= (count - 1) * left_stride + inner);
            let starts = std::array::from_fn(|row| row.min(count - 1) * left_stride);
            dispatch::<false>(isa, inner, values, &starts, panel, out, stride);
        }
    }
}

/// The step from one inner index of a row to the next is the tile's height when the left side is
/// packed, 1 when it is not. [`multiply`] has checked all sizes.
fn dispatch<const PACKED: bool>(
    isa: Isa,
    inner: usize,
    values: &[f32],
    starts: &Starts,
    panel: &[f32],
    out: &mut [f32],
    stride: usize,
) {
    match isa {
        // SAFETY: `multiply` checked that row starts plus (inner - 1) steps stay in `values`, and
        // that panel and out hold the whole tile. The instructions are there (see Isa).
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { x86::avx512::<PACKED>(inner, values, starts, panel, out, stride) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { x86::avx2::<PACKED>(inner, values, starts, panel, out, stride) },
        _ => portable::<PACKED>(inner, values, starts, panel, out, stride),
    }
}

/// Starts of the rows of the largest tile.
type Starts = [usize; 12];

fn portable<const PACKED: bool>(
    inner: usize,
    values: &[f32],
    starts: &Starts,
    panel: &[f32],
    out: &mut [f32],
    stride: usize,
) {
    let mut sums = [[0f32; 16]; 6];
    for (k, panel) in panel.as_chunks::<16>().0.iter().take(inner).enumerate() {
        for (sums, start) in sums.iter_mut().zip(starts) {
            let left = values[start + k * if PACKED { 6 } else { 1 }];
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

    use super::Starts;

    /// A tile of `$rows` rows and two vectors of `$lanes` columns.
    macro_rules! tile {
        ($name:ident, $features:literal, $rows:literal, $lanes:literal,
         $zero:ident, $load:ident, $splat:ident, $multiply_add:ident, $store:ident) => {
            /// # Safety
            /// `values[starts[r] + (inner - 1) * step]` exists for every row, with the tile's rows as step if
            /// `PACKED` and 1 if not, and `starts[r]` is `r` if `PACKED`; `panel` holds `inner` rows of the
            /// tile's columns, `out` all of the tile's rows at `stride`; the machine has the instructions.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name<const PACKED: bool>(
                inner: usize,
                values: &[f32],
                starts: &Starts,
                panel: &[f32],
                out: &mut [f32],
                stride: usize,
            ) {
                let mut sums = [[$zero(); 2]; $rows];
                let mut right = panel.as_ptr();
                let packed = values.as_ptr();
                let rows: [*const f32; $rows] = std::array::from_fn(|row| packed.wrapping_add(starts[row]));
                for k in 0..inner {
                    // SAFETY: the caller's promise on `panel` and `values`.
                    unsafe {
                        let columns = [$load(right), $load(right.add($lanes))];
                        for row in 0..$rows {
                            let left = if PACKED { packed.add(k * $rows + row) } else { rows[row].add(k) };
                            let value = $splat(*left);
                            sums[row][0] = $multiply_add(value, columns[0], sums[row][0]);
                            sums[row][1] = $multiply_add(value, columns[1], sums[row][1]);
                        }
                        right = right.add(2 * $lanes);
                    }
                }
                for (row, sums) in sums.iter().enumerate() {
                    // SAFETY: the caller's promise on `out`.
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
