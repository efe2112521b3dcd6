//! One tile of an 8-bit product: a few quantised rows times one panel. The 32-bit sums stay in registers over the whole
//! inner dimension and are then dequantised.

use std::cell::RefCell;

use super::isa::{Int8Isa, QUAD};
use super::sides::{Left, Panel};
#[cfg(target_arch = "x86_64")]
use super::x86;
#[cfg(target_arch = "x86_64")]
use crate::amx;
#[cfg(target_arch = "x86_64")]
use crate::isa::{Isa, vectorised};
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// Columns of a stage: those of a panel.
const STAGE_COLUMNS: usize = if cfg!(target_arch = "aarch64") { 16 } else { 32 };
/// The most rows of a stage.
const STAGE_ROWS: usize = 32;

/// Integer sums before they are dequantised. They stay in the first-level cache.
#[repr(align(64))]
struct Stage([f32; STAGE_ROWS * STAGE_COLUMNS]);

thread_local! {
    static STAGE: RefCell<Stage> = const { RefCell::new(Stage([0.0; STAGE_ROWS * STAGE_COLUMNS])) };
}

/// The number of rows that are multiplied together.
fn rows_at_once(isa: Int8Isa) -> usize {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Int8Isa::Amx => STAGE_ROWS,
        _ => isa.shape().rows,
    }
}

/// `out[r][c] = panel scale[c] * (scale[r] * sum of left[r] * panel[c] + offset[r] * panel sum[c])`.
/// `out`: as many rows as `left` has, row stride `stride`; if `adds`, its values are added.
pub(super) fn multiply(
    isa: Int8Isa,
    left: &Left<'_>,
    panel: &Panel<'_>,
    out: &mut [f32],
    stride: usize,
    adds: bool,
) {
    let shape = isa.shape();
    let rows = left.scales.len();
    assert!(rows >= shape.rows && rows.is_multiple_of(shape.rows) && left.offsets.len() == rows);
    assert!(left.depth.is_multiple_of(QUAD) && left.integers.len() >= rows * left.depth);
    assert!(panel.integers.len() >= left.depth * shape.columns);
    assert!(panel.scales.len() >= shape.columns && panel.sums.len() >= shape.columns);
    assert!(stride >= shape.columns && out.len() >= (rows - 1) * stride + shape.columns);
    let at_once = rows_at_once(isa);
    for first in (0..rows).step_by(at_once) {
        let left = left.part(first, at_once.min(rows - first));
        let out = &mut out[first * stride..];
        match isa {
            #[cfg(target_arch = "x86_64")]
            Int8Isa::Amx => {
                let product = amx::Product {
                    dtype: amx::Dtype::Int8,
                    rows: left.integers,
                    count: left.scales.len(),
                    depth: left.depth,
                    panel: bytes(panel.integers),
                };
                STAGE.with_borrow_mut(|stage| {
                    amx::multiply(&product, &mut stage.0, STAGE_COLUMNS);
                    vectorised!(Isa::best(), dequantise(&left, panel, stage, out, stride, adds));
                });
            }
            // SAFETY: the sizes are checked above; Int8Isa guarantees the instructions.
            #[cfg(target_arch = "x86_64")]
            Int8Isa::Vnni => unsafe { x86::vnni(&left, panel, out, stride, adds) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Int8Isa::AvxVnni => unsafe { x86::avx_vnni(&left, panel, out, stride, adds) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Int8Isa::Avx2 => unsafe { x86::avx2(&left, panel, out, stride, adds) },
            #[cfg(target_arch = "aarch64")]
            Int8Isa::Neon => STAGE.with_borrow_mut(|stage| {
                for column in (0..shape.columns).step_by(neon::COLUMNS) {
                    let block = neon::Block {
                        rows: left.integers.as_ptr(),
                        row_stride: left.depth,
                        panel: panel.integers[column * QUAD..].as_ptr().cast(),
                        group_stride: shape.columns * QUAD,
                        steps: left.depth / neon::STEP,
                        jump: 0,
                        times: 1,
                        out: stage.0[column..].as_mut_ptr(),
                        out_stride: STAGE_COLUMNS * size_of::<f32>(),
                    };
                    // SAFETY: the sizes are checked above; Int8Isa guarantees the instructions.
                    unsafe { neon::int8(&block) };
                }
                dequantise::<false>(&left, panel, stage, out, stride, adds);
            }),
            Int8Isa::Portable => portable(&left, panel, out, stride, adds),
        }
    }
}

/// The integers as bytes.
#[cfg(target_arch = "x86_64")]
fn bytes(integers: &[i8]) -> &[u8] {
    // SAFETY: i8 and u8 have the same layout, and every bit pattern is valid.
    unsafe { std::slice::from_raw_parts(integers.as_ptr().cast(), integers.len()) }
}

/// Dequantises sums, which are stored as the bits of 32-bit integers, into `out`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn dequantise<const FMA: bool>(
    left: &Left<'_>,
    panel: &Panel<'_>,
    stage: &Stage,
    out: &mut [f32],
    stride: usize,
    adds: bool,
) {
    let (weight_scales, weight_sums) = (&panel.scales[..STAGE_COLUMNS], &panel.sums[..STAGE_COLUMNS]);
    let factors = left.scales.iter().zip(left.offsets);
    let rows = out.chunks_mut(stride).zip(stage.0.as_chunks::<STAGE_COLUMNS>().0);
    for ((row, sums), (scale, offset)) in rows.zip(factors) {
        let row = &mut row[..STAGE_COLUMNS];
        for column in 0..STAGE_COLUMNS {
            let sum = sums[column].to_bits().cast_signed() as f32;
            let value = (sum * scale + offset * weight_sums[column]) * weight_scales[column];
            row[column] = if adds { row[column] + value } else { value };
        }
    }
}

fn portable(left: &Left<'_>, panel: &Panel<'_>, out: &mut [f32], stride: usize, adds: bool) {
    for (row, integers) in left.integers.chunks_exact(left.depth).take(4).enumerate() {
        let mut sums = [0i32; 16];
        for (quad, panel) in integers.chunks_exact(QUAD).zip(panel.integers.chunks_exact(16 * QUAD)) {
            for (sum, weights) in sums.iter_mut().zip(panel.chunks_exact(QUAD)) {
                *sum += quad.iter().zip(weights).map(|(q, v)| i32::from(*q) * i32::from(*v)).sum::<i32>();
            }
        }
        for (column, sum) in sums.iter().enumerate() {
            let offset = left.offsets[row] * panel.sums[column];
            let value = (*sum as f32 * left.scales[row] + offset) * panel.scales[column];
            let out = &mut out[row * stride + column];
            *out = if adds { *out + value } else { value };
        }
    }
}
