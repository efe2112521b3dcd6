//! Tiles of 8-bit products with the vector instructions of x86-64.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_abs_epi8, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi32_ps,
    _mm256_cvtps_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_mul_ps, _mm256_mullo_epi32, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_sign_epi8, _mm256_storeu_ps,
    _mm256_sub_epi8, _mm512_add_ps, _mm512_cvtepi32_ps, _mm512_dpbusd_epi32, _mm512_loadu_ps,
    _mm512_loadu_si512, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512,
    _mm512_storeu_ps,
};

use super::isa::QUAD;
use super::sides::{Left, Panel};

/// Defines the kernel of a tile of `$rows` rows and two vectors of `$lanes` columns.
macro_rules! tile {
    ($name:ident, $features:literal, $rows:literal, $lanes:literal, $integers:ident,
     $start:ident, $load:ident, $splat:ident, $dot:ident,
     $to_floats:ident, $load_floats:ident, $splat_float:ident, $multiply:ident, $add:ident, $store:ident) => {
        /// # Safety
        /// The sizes are as checked by `multiply`; the machine supports the instructions.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $name(
            left: &Left<'_>,
            panel: &Panel<'_>,
            out: &mut [f32],
            stride: usize,
            adds: bool,
        ) {
            // SAFETY: guaranteed by the caller for `panel`.
            let start = unsafe { [$start(panel.sums.as_ptr()), $start(panel.sums.as_ptr().add($lanes))] };
            let mut sums: [[$integers; 2]; $rows] = [start; $rows];
            let rows: [*const u8; $rows] =
                std::array::from_fn(|row| left.integers.as_ptr().wrapping_add(row * left.depth));
            let mut weights = panel.integers.as_ptr();
            for input in (0..left.depth).step_by(QUAD) {
                // SAFETY: guaranteed by the caller for `left` and `panel`.
                unsafe {
                    let columns = [$load(weights.cast()), $load(weights.add($lanes * QUAD).cast())];
                    for row in 0..$rows {
                        let values = $splat(rows[row].add(input).cast::<i32>().read_unaligned());
                        sums[row][0] = $dot(sums[row][0], values, columns[0]);
                        sums[row][1] = $dot(sums[row][1], values, columns[1]);
                    }
                    weights = weights.add(2 * $lanes * QUAD);
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                let (scale, offset) = ($splat_float(left.scales[row]), $splat_float(left.offsets[row]));
                for (half, sum) in sums.iter().enumerate() {
                    let column = half * $lanes;
                    // SAFETY: guaranteed by the caller for `panel` and `out`.
                    unsafe {
                        let offset = $multiply(offset, $load_floats(panel.sums.as_ptr().add(column)));
                        let sum = $add($multiply($to_floats(*sum), scale), offset);
                        let value = $multiply(sum, $load_floats(panel.scales.as_ptr().add(column)));
                        let out = out.as_mut_ptr().add(row * stride + column);
                        $store(out, if adds { $add($load_floats(out), value) } else { value });
                    }
                }
            }
        }
    };
}

/// Initial sums of zero.
#[target_feature(enable = "avx512f")]
fn zeros(_: *const f32) -> __m512i {
    _mm512_setzero_si512()
}

/// Initial sums of zero.
#[target_feature(enable = "avx2")]
fn zeros_256(_: *const f32) -> __m256i {
    _mm256_setzero_si256()
}

/// The middle of the range of quantised values.
const MIDDLE: i8 = 127;

/// Initial sums that compensate for [`centred`]: the middle times the sum of each column's weights.
///
/// # Safety
/// Eight sums are readable.
#[target_feature(enable = "avx2")]
unsafe fn compensation(sums: *const f32) -> __m256i {
    // SAFETY: guaranteed by the caller. The sums are integers.
    let sums = _mm256_cvtps_epi32(unsafe { _mm256_loadu_ps(sums) });
    _mm256_mullo_epi32(sums, _mm256_set1_epi32(i32::from(MIDDLE)))
}

/// A quad of values minus the middle of their range, in all lanes.
#[target_feature(enable = "avx2")]
fn centred(values: i32) -> __m256i {
    _mm256_sub_epi8(_mm256_set1_epi32(values), _mm256_set1_epi8(MIDDLE))
}

/// Adds the products of four values and four weights to each 32-bit sum.
#[target_feature(enable = "avx2")]
fn dot_of_bytes(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    // |weight| * (value with the weight's sign). Values are within -127..=127, and 2 * 128 * 127 fits into 16 bits,
    // so that nothing saturates.
    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(values, weights));
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

tile!(
    vnni,
    "avx512f,avx512vnni",
    12,
    16,
    __m512i,
    zeros,
    _mm512_loadu_si512,
    _mm512_set1_epi32,
    _mm512_dpbusd_epi32,
    _mm512_cvtepi32_ps,
    _mm512_loadu_ps,
    _mm512_set1_ps,
    _mm512_mul_ps,
    _mm512_add_ps,
    _mm512_storeu_ps
);
tile!(
    avx_vnni,
    "avx2,avxvnni",
    6,
    8,
    __m256i,
    zeros_256,
    _mm256_loadu_si256,
    _mm256_set1_epi32,
    _mm256_dpbusd_avx_epi32,
    _mm256_cvtepi32_ps,
    _mm256_loadu_ps,
    _mm256_set1_ps,
    _mm256_mul_ps,
    _mm256_add_ps,
    _mm256_storeu_ps
);
tile!(
    avx2,
    "avx2",
    4,
    8,
    __m256i,
    compensation,
    _mm256_loadu_si256,
    centred,
    dot_of_bytes,
    _mm256_cvtepi32_ps,
    _mm256_loadu_ps,
    _mm256_set1_ps,
    _mm256_mul_ps,
    _mm256_add_ps,
    _mm256_storeu_ps
);
