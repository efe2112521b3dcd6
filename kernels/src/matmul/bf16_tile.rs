//! Products of one panel with a few rows at a time in bf16. Sums stay in registers over the whole inner dimension.

use super::TileShape;
use super::bf16::{STEP, WIDTH};
#[cfg(target_arch = "x86_64")]
use crate::amx;
#[cfg(target_arch = "x86_64")]
use crate::isa::Isa;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// The instruction set of bf16 products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bf16Isa {
    /// x86-64 with AMX tiles.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// x86-64 with AVX-512 and its bf16 dot products.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// aarch64 with bf16 matrix-multiply instructions.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// The plain reference.
    #[cfg(test)]
    Plain,
}

impl Bf16Isa {
    /// The set to use on this machine, within [`Isa::best`]; none if the processor has no bf16 products.
    pub(crate) fn best() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if Isa::best() == Isa::Avx512 {
            if amx::tiles().bf16 {
                return Some(Self::Amx);
            }
            if is_x86_feature_detected!("avx512bf16") {
                return Some(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("bf16") {
            return Some(Self::Neon);
        }
        None
    }

    /// Whether products are at least eight times as fast as in f32, rather than twice.
    pub(crate) fn is_much_faster_than_f32(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Amx {
            return true;
        }
        false
    }

    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => "amx",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512_bf16",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon_bf16",
            #[cfg(test)]
            Self::Plain => "plain",
        }
    }

    /// All sets that this machine can run, with tiles emulated if it has none.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut sets = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            if amx::tiles_or_emulation().bf16 {
                sets.push(Self::Amx);
            }
            if Isa::best() == Isa::Avx512 && is_x86_feature_detected!("avx512bf16") {
                sets.push(Self::Avx512);
            }
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(Self::best());
        sets
    }

    pub(super) fn shape(self) -> TileShape {
        let rows = match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::ROWS,
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => 12,
            #[cfg(target_arch = "aarch64")]
            Self::Neon => neon::ROWS,
            #[cfg(test)]
            Self::Plain => 1,
        };
        TileShape { rows, columns: WIDTH }
    }
}

/// Rows in bf16.
pub(super) struct Left<'v> {
    /// (whole tiles of rows, depth)
    pub(super) values: &'v [u16],
    /// A multiple of [`STEP`].
    pub(super) depth: usize,
    /// Rows that are used.
    pub(super) count: usize,
}

/// `out[r][c] = sum over k of left[r][k] * panel[k][c]`, with a panel of [`super::bf16::Bf16Matrix`]. `out`: whole tiles of
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
    let right =
        |k: usize, column: usize| panel[super::bf16::word_index(k / 2, column)] >> (16 * (k % 2)) & 0xffff;
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

/// Fails if an emulator was expected to provide Arm's instructions but does not (scripts/check_arm_kernels.sh).
#[cfg(all(test, target_arch = "aarch64"))]
#[test]
fn expected_instructions_are_available() {
    use super::int8_tile::Int8Isa;

    if std::env::var_os("VERIDIC_EXPECT_NEON").is_some() {
        assert!(
            Bf16Isa::available().contains(&Bf16Isa::Neon) && Int8Isa::available().contains(&Int8Isa::Neon)
        );
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_ps,
        _mm512_storeu_ps,
    };
    use std::mem::transmute;

    use super::STEP;

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
}
