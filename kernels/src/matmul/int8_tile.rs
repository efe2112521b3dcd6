//! One tile of an 8-bit product: a few quantised rows times one panel, 32-bit sums held in registers
//! over the whole inner dimension, then made numbers again.

use super::TileShape;
use super::int8::GROUP;
use crate::isa::Isa;

/// The instructions that 8-bit products use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Int8Isa {
    /// x86-64 with AVX-512 and its 8-bit dot products.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// What the compiler makes of plain code.
    Portable,
}

impl Int8Isa {
    /// The set to use on this machine, within [`Isa::best`].
    pub(crate) fn best() -> Self {
        match Isa::best() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if is_x86_feature_detected!("avx512vnni") => Self::Vnni,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Avx2 => Self::Avx2,
            Isa::Portable => Self::Portable,
        }
    }

    /// Every set that this machine can run.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        match Self::best() {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => vec![Self::Vnni, Self::Avx2, Self::Portable],
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => vec![Self::Avx2, Self::Portable],
            Self::Portable => vec![Self::Portable],
        }
    }

    pub(super) fn shape(self) -> TileShape {
        match self {
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => TileShape { rows: 12, columns: 32 },
            // 8 accumulators, 2 of the panel and their amounts, 1 of the left side, 2 constants, 1 between: 16 of 16.
            _ => TileShape { rows: 4, columns: 16 },
        }
    }
}

/// Quantised rows of one tile.
pub(super) struct Left<'v> {
    /// (tile rows, depth)
    pub(super) integers: &'v [u8],
    /// A multiple of [`GROUP`].
    pub(super) depth: usize,
    pub(super) scales: &'v [f32],
    pub(super) offsets: &'v [f32],
}

/// Quantised weights of one panel.
pub(super) struct Panel<'v> {
    /// (depth / 4, tile columns, 4)
    pub(super) integers: &'v [i8],
    pub(super) scales: &'v [f32],
    pub(super) sums: &'v [f32],
}

/// `out[r][c] = panel scale[c] * (scale[r] * sum of left[r] * panel[c] + offset[r] * panel sum[c])`.
/// `out`: a whole tile, row stride `stride`.
pub(super) fn multiply(isa: Int8Isa, left: &Left<'_>, panel: &Panel<'_>, out: &mut [f32], stride: usize) {
    let shape = isa.shape();
    assert!(left.depth.is_multiple_of(GROUP) && left.integers.len() >= shape.rows * left.depth);
    assert!(left.scales.len() >= shape.rows && left.offsets.len() >= shape.rows);
    assert!(panel.integers.len() >= left.depth * shape.columns);
    assert!(panel.scales.len() >= shape.columns && panel.sums.len() >= shape.columns);
    assert!(stride >= shape.columns && out.len() >= (shape.rows - 1) * stride + shape.columns);
    match isa {
        // SAFETY: the sizes are checked above; the instructions are there (see Int8Isa).
        #[cfg(target_arch = "x86_64")]
        Int8Isa::Vnni => unsafe { x86::vnni(left, panel, out, stride) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Int8Isa::Avx2 => unsafe { x86::avx2(left, panel, out, stride) },
        Int8Isa::Portable => portable(left, panel, out, stride),
    }
}

fn portable(left: &Left<'_>, panel: &Panel<'_>, out: &mut [f32], stride: usize) {
    for (row, integers) in left.integers.chunks_exact(left.depth).take(4).enumerate() {
        let mut sums = [0i32; 16];
        for (group, panel) in integers.chunks_exact(GROUP).zip(panel.integers.chunks_exact(16 * GROUP)) {
            for (sum, weights) in sums.iter_mut().zip(panel.chunks_exact(GROUP)) {
                *sum += group.iter().zip(weights).map(|(q, v)| i32::from(*q) * i32::from(*v)).sum::<i32>();
            }
        }
        for (column, sum) in sums.iter().enumerate() {
            let offset = left.offsets[row] * panel.sums[column];
            out[row * stride + column] = (*sum as f32 * left.scales[row] + offset) * panel.scales[column];
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_abs_epi8, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi32_ps,
        _mm256_cvtps_epi32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
        _mm256_mul_ps, _mm256_mullo_epi32, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
        _mm256_set1_ps, _mm256_sign_epi8, _mm256_storeu_ps, _mm256_sub_epi8, _mm512_add_ps,
        _mm512_cvtepi32_ps, _mm512_dpbusd_epi32, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mul_ps,
        _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512, _mm512_storeu_ps,
    };

    use super::{GROUP, Left, Panel};

    /// A tile of `$rows` rows and two vectors of `$lanes` columns.
    macro_rules! tile {
        ($name:ident, $features:literal, $rows:literal, $lanes:literal, $integers:ident,
         $start:ident, $load:ident, $splat:ident, $dot:ident,
         $numbers:ident, $load_numbers:ident, $splat_number:ident, $multiply:ident, $add:ident, $store:ident) => {
            /// # Safety
            /// The sizes are those that `multiply` checks; the machine has the instructions.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name(left: &Left<'_>, panel: &Panel<'_>, out: &mut [f32], stride: usize) {
                // SAFETY: the caller's promise on `panel`.
                let start = unsafe { [$start(panel.sums.as_ptr()), $start(panel.sums.as_ptr().add($lanes))] };
                let mut sums: [[$integers; 2]; $rows] = [start; $rows];
                let rows: [*const u8; $rows] =
                    std::array::from_fn(|row| left.integers.as_ptr().wrapping_add(row * left.depth));
                let mut weights = panel.integers.as_ptr();
                for group in (0..left.depth).step_by(GROUP) {
                    // SAFETY: the caller's promise on `left` and `panel`.
                    unsafe {
                        let columns = [$load(weights.cast()), $load(weights.add($lanes * GROUP).cast())];
                        for row in 0..$rows {
                            let values = $splat(rows[row].add(group).cast::<i32>().read_unaligned());
                            sums[row][0] = $dot(sums[row][0], values, columns[0]);
                            sums[row][1] = $dot(sums[row][1], values, columns[1]);
                        }
                        weights = weights.add(2 * $lanes * GROUP);
                    }
                }
                for (row, sums) in sums.iter().enumerate() {
                    let (scale, offset) = ($splat_number(left.scales[row]), $splat_number(left.offsets[row]));
                    for (half, sum) in sums.iter().enumerate() {
                        let column = half * $lanes;
                        // SAFETY: the caller's promise on `panel` and `out`.
                        unsafe {
                            let offset = $multiply(offset, $load_numbers(panel.sums.as_ptr().add(column)));
                            let sum = $add($multiply($numbers(*sum), scale), offset);
                            let number = $multiply(sum, $load_numbers(panel.scales.as_ptr().add(column)));
                            $store(out.as_mut_ptr().add(row * stride + column), number);
                        }
                    }
                }
            }
        };
    }

    /// Sums begin at nothing.
    #[target_feature(enable = "avx512f")]
    fn nothing(_: *const f32) -> __m512i {
        _mm512_setzero_si512()
    }

    /// What values lie above zero in the middle of their range.
    const MIDDLE: i8 = 127;

    /// Sums begin at what [`about_zero`] takes off the values: the middle times the sum of each column's weights.
    ///
    /// # Safety
    /// Eight sums can be read.
    #[target_feature(enable = "avx2")]
    unsafe fn middles(sums: *const f32) -> __m256i {
        // SAFETY: the caller's promise. Sums of weights are whole numbers.
        let sums = _mm256_cvtps_epi32(unsafe { _mm256_loadu_ps(sums) });
        _mm256_mullo_epi32(sums, _mm256_set1_epi32(i32::from(MIDDLE)))
    }

    /// Four values beside each other in all lanes, less the middle of their range.
    #[target_feature(enable = "avx2")]
    fn about_zero(values: i32) -> __m256i {
        _mm256_sub_epi8(_mm256_set1_epi32(values), _mm256_set1_epi8(MIDDLE))
    }

    /// Adds the products of four values and four weights to each 32-bit sum.
    #[target_feature(enable = "avx2")]
    fn dot_of_bytes(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
        // |weight| * (value with the weight's sign): values are within -127..=127, and 2 * 128 * 127 fits into 16
        // bits, so that nothing saturates.
        let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(values, weights));
        _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    tile!(
        vnni,
        "avx512f,avx512vnni",
        12,
        16,
        __m512i,
        nothing,
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
        avx2,
        "avx2",
        4,
        8,
        __m256i,
        middles,
        _mm256_loadu_si256,
        about_zero,
        dot_of_bytes,
        _mm256_cvtepi32_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_mul_ps,
        _mm256_add_ps,
        _mm256_storeu_ps
    );
}
