//! One panel's bf16 products with a few rows at a time, sums held in registers over the whole inner dimension.

use super::TileShape;
use super::bf16::{STEP, WIDTH};
#[cfg(target_arch = "x86_64")]
use crate::amx;
#[cfg(target_arch = "x86_64")]
use crate::isa::Isa;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// The instructions that bf16 products use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bf16Isa {
    /// x86-64 with tiles.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// x86-64 with AVX-512 and its bf16 dot products.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// aarch64 with bf16 products of small blocks.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// The definition, to compare with; slow.
    #[cfg(test)]
    Plain,
}

impl Bf16Isa {
    /// The set to use on this machine, within [`Isa::best`]; none where the processor has no such products.
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

    /// Whether a product takes an eighth of its time in f32 or less, not half.
    pub(crate) fn leaves_f32_far_behind(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Amx {
            return true;
        }
        false
    }

    /// Its short name, as results have it.
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

    /// Every set that this machine can run, tiles emulated where it has none.
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
    pub(super) numbers: &'v [u16],
    /// A multiple of [`STEP`].
    pub(super) depth: usize,
    /// Rows that mean something.
    pub(super) count: usize,
}

/// `out[r][c] = sum over k of left[r][k] * panel[k][c]`, `panel` as [`super::bf16::Bf16Matrix`] has it. `out`: whole tiles
/// of rows, row stride `stride`, of which those beyond `count` mean nothing.
pub(super) fn multiply(isa: Bf16Isa, left: &Left<'_>, panel: &[u32], out: &mut [f32], stride: usize) {
    if left.count == 0 {
        return;
    }
    let shape = isa.shape();
    let rows = left.count.next_multiple_of(shape.rows);
    assert!(left.depth.is_multiple_of(STEP) && left.numbers.len() >= rows * left.depth);
    assert!(panel.len() >= left.depth / 2 * WIDTH);
    assert!(stride >= WIDTH && out.len() >= (rows - 1) * stride + WIDTH);
    match isa {
        #[cfg(target_arch = "x86_64")]
        Bf16Isa::Amx => amx::multiply(
            &amx::Product {
                dtype: amx::Dtype::Bf16,
                rows: bytes(left.numbers),
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
                let numbers = &left.numbers[first * left.depth..];
                let out = &mut out[first * stride..];
                // SAFETY: the sizes are checked above; the instructions are there (see Bf16Isa).
                unsafe {
                    match left.count - first {
                        1 => x86::tile::<1, 1>(numbers, left.depth, panel, out, stride),
                        2..=4 => x86::tile::<2, 2>(numbers, left.depth, panel, out, stride),
                        5..=8 => x86::tile::<4, 2>(numbers, left.depth, panel, out, stride),
                        _ => x86::tile::<4, 3>(numbers, left.depth, panel, out, stride),
                    }
                }
            }
        }
        #[cfg(target_arch = "aarch64")]
        Bf16Isa::Neon => {
            for first in (0..rows).step_by(neon::ROWS) {
                for column in (0..WIDTH).step_by(neon::COLUMNS) {
                    // A step's pairs of one half of the columns, then those of the other, which are another block's.
                    let (half, in_half) = (column / (WIDTH / 2), column % (WIDTH / 2));
                    let place = half * STEP / 2 * WIDTH / 2 + in_half;
                    let block = neon::Block {
                        rows: left.numbers[first * left.depth..].as_ptr().cast(),
                        row_stride: left.depth * size_of::<u16>(),
                        panel: panel[place..].as_ptr().cast(),
                        group_stride: WIDTH / 2 * size_of::<u32>(),
                        steps: STEP * size_of::<u16>() / neon::STEP,
                        jump: STEP / 2 * WIDTH / 2 * size_of::<u32>(),
                        times: left.depth / STEP,
                        out: out[first * stride + column..].as_mut_ptr(),
                        out_stride: stride * size_of::<f32>(),
                    };
                    // SAFETY: the sizes are checked above; the instructions are there (see Bf16Isa).
                    unsafe { neon::bf16(&block) };
                }
            }
        }
        #[cfg(test)]
        Bf16Isa::Plain => plain(left, panel, out, stride),
    }
}

/// The bytes of some numbers.
#[cfg(target_arch = "x86_64")]
fn bytes<N: Copy>(numbers: &[N]) -> &[u8] {
    // SAFETY: numbers are u16 or u32 here; every byte of one is a byte.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

#[cfg(test)]
fn plain(left: &Left<'_>, panel: &[u32], out: &mut [f32], stride: usize) {
    let wide = |number: u16| f64::from(f32::from_bits(u32::from(number) << 16));
    let right = |k: usize, column: usize| panel[super::bf16::place(k / 2, column)] >> (16 * (k % 2)) & 0xffff;
    for (row, numbers) in left.numbers.chunks_exact(left.depth).take(left.count).enumerate() {
        for column in 0..WIDTH {
            let sum: f64 = numbers
                .iter()
                .enumerate()
                .map(|(k, number)| wide(*number) * wide(right(k, column) as u16))
                .sum();
            out[row * stride + column] = sum as f32;
        }
    }
}

/// Under an emulator that has them, what was tested must have been Arm's instructions (scripts/check_arm_kernels.sh).
#[cfg(all(test, target_arch = "aarch64"))]
#[test]
fn the_instructions_that_are_expected_are_there() {
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

    /// Columns of a vector: a word each.
    const VECTOR: usize = 16;

    /// Words of one half of a panel's columns in a step.
    const HALF: usize = STEP / 2 * VECTOR;

    /// The first `GROUPS * ROWS` rows of a tile.
    ///
    /// # Safety
    /// `numbers` holds as many rows of `depth` numbers, `panel` all steps of `depth`, `out` as many rows of 32 columns
    /// at `stride`; the machine has the instructions.
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub(super) unsafe fn tile<const GROUPS: usize, const ROWS: usize>(
        numbers: &[u16],
        depth: usize,
        panel: &[u32],
        out: &mut [f32],
        stride: usize,
    ) {
        let as_bf16 = |vector: __m512i| -> __m512bh {
            // SAFETY: both are 512 bits, any of which are numbers.
            unsafe { transmute(vector) }
        };
        let mut sums = [[[_mm512_setzero_ps(); 2]; ROWS]; GROUPS];
        // A pointer for a few rows: the others are reached by adding the length of a row, which costs nothing.
        let mut rows: [*const u16; GROUPS] =
            std::array::from_fn(|group| numbers.as_ptr().wrapping_add(group * ROWS * depth));
        let mut columns = panel.as_ptr();
        for _ in 0..depth / STEP {
            for _ in 0..STEP / 2 {
                // SAFETY: the caller's promise on `numbers` and `panel`.
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
                // SAFETY: the caller's promise on `out`.
                unsafe {
                    let out = out.as_mut_ptr().add((group * ROWS + row) * stride);
                    _mm512_storeu_ps(out, sums[0]);
                    _mm512_storeu_ps(out.add(VECTOR), sums[1]);
                }
            }
        }
    }
}
