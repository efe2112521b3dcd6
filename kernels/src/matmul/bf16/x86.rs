//! Tiles of bf16 products with the vector instructions of x86-64.

use std::arch::x86_64::{
    __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_ps,
    _mm512_storeu_ps,
};
use std::mem::transmute;

use super::panel::STEP;

/// Columns of a vector, one word each.
const VECTOR: usize = 16;

/// Words of one half of a panel's columns in a step.
const HALF: usize = STEP / 2 * VECTOR;

/// The first `GROUPS * ROWS` rows of a tile.
///
/// # Safety
/// `values` holds as many rows of `depth` values, `panel` all steps of `depth`, `out` as many rows of 32 columns at
/// `stride`; the machine supports the instructions.
#[target_feature(enable = "avx512f,avx512bf16")]
pub(super) unsafe fn tile<const GROUPS: usize, const ROWS: usize>(
    values: &[u16],
    depth: usize,
    panel: &[u32],
    out: &mut [f32],
    stride: usize,
) {
    let as_bf16 = |vector: __m512i| -> __m512bh {
        // SAFETY: both are 512 bits, and every bit pattern is valid.
        unsafe { transmute(vector) }
    };
    let mut sums = [[[_mm512_setzero_ps(); 2]; ROWS]; GROUPS];
    // One pointer per group of rows; addressing the other rows of the group costs no instruction.
    let mut rows: [*const u16; GROUPS] =
        std::array::from_fn(|group| values.as_ptr().wrapping_add(group * ROWS * depth));
    let mut columns = panel.as_ptr();
    for _ in 0..depth / STEP {
        for _ in 0..STEP / 2 {
            // SAFETY: guaranteed by the caller for `values` and `panel`.
            unsafe {
                let right = [
                    as_bf16(_mm512_loadu_si512(columns.cast())),
                    as_bf16(_mm512_loadu_si512(columns.add(HALF).cast())),
                ];
                for group in 0..GROUPS {
                    for row in 0..ROWS {
                        let pair = rows[group].add(row * depth).cast::<i32>().read_unaligned();
                        let pair = as_bf16(_mm512_set1_epi32(pair));
                        let sums = &mut sums[group][row];
                        sums[0] = _mm512_dpbf16_ps(sums[0], right[0], pair);
                        sums[1] = _mm512_dpbf16_ps(sums[1], right[1], pair);
                    }
                    rows[group] = rows[group].add(2);
                }
                columns = columns.add(VECTOR);
            }
        }
        columns = columns.wrapping_add(HALF);
    }
    for (group, sums) in sums.iter().enumerate() {
        for (row, sums) in sums.iter().enumerate() {
            // SAFETY: guaranteed by the caller for `out`.
            unsafe {
                let out = out.as_mut_ptr().add((group * ROWS + row) * stride);
                _mm512_storeu_ps(out, sums[0]);
                _mm512_storeu_ps(out.add(VECTOR), sums[1]);
            }
        }
    }
}
