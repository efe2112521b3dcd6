//! Tiles of f32 products with the vector instructions of x86-64.

use std::arch::x86_64::{
    _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps, _mm512_fmadd_ps,
    _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
};

use super::left::Side;

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
            let rows: [*const f32; ROWS] = std::array::from_fn(|row| packed.wrapping_add(left.starts[row]));
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
