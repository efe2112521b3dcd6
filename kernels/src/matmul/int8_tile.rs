//! One tile of an 8-bit product: a few quantised rows times one panel. The 32-bit sums stay in registers over the whole
//! inner dimension and are then dequantised.

use std::cell::RefCell;

use super::TileShape;
use super::int8::QUAD;
#[cfg(target_arch = "x86_64")]
use crate::amx;
use crate::isa::Isa;
#[cfg(target_arch = "x86_64")]
use crate::isa::vectorised;
#[cfg(target_arch = "aarch64")]
use crate::neon;

/// The instruction set of 8-bit products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Int8Isa {
    /// x86-64 with AMX tiles.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// x86-64 with AVX-512 VNNI (8-bit dot products).
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// x86-64 with AVX2 and AVX-VNNI (8-bit dot products).
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// x86-64 with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// aarch64 with 8-bit matrix-multiply instructions.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// Plain code as the compiler vectorises it.
    Portable,
}

impl Int8Isa {
    /// The set to use on this machine, within [`Isa::best`].
    pub(crate) fn best() -> Self {
        match Isa::best() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if amx::tiles().int8 => Self::Amx,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if is_x86_feature_detected!("avx512vnni") => Self::Vnni,
            #[cfg(target_arch = "x86_64")]
            Isa::AvxVnni => Self::AvxVnni,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Avx2 => Self::Avx2,
            #[cfg(target_arch = "aarch64")]
            Isa::Portable if std::arch::is_aarch64_feature_detected!("i8mm") => Self::Neon,
            Isa::Portable => Self::Portable,
        }
    }

    /// All sets that this machine can run, with tiles emulated if it has none.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut sets = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let (avx512, avx2) = (Isa::best() == Isa::Avx512, Isa::best() != Isa::Portable);
            let x86 = [
                (Self::Amx, amx::tiles_or_emulation().int8),
                (Self::Vnni, avx512 && is_x86_feature_detected!("avx512vnni")),
                (Self::AvxVnni, avx2 && is_x86_feature_detected!("avxvnni")),
                (Self::Avx2, avx2),
            ];
            sets.extend(x86.into_iter().filter(|(_, is_there)| *is_there).map(|(set, _)| set));
        }
        #[cfg(target_arch = "aarch64")]
        sets.extend(std::arch::is_aarch64_feature_detected!("i8mm").then_some(Self::Neon));
        sets
    }

    pub(super) fn shape(self) -> TileShape {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => TileShape { rows: amx::ROWS, columns: amx::COLUMNS },
            // 24 accumulators, 2 of the panel, 1 of the left side: 27 of 32 registers.
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => TileShape { rows: 12, columns: 32 },
            // 12 accumulators, 2 of the panel, 1 of the left side: 15 of 16 registers.
            #[cfg(target_arch = "x86_64")]
            Self::AvxVnni => TileShape { rows: 6, columns: 16 },
            #[cfg(target_arch = "aarch64")]
            Self::Neon => TileShape { rows: neon::ROWS, columns: 2 * neon::COLUMNS },
            // 8 accumulators, 2 of the panel and their absolute values, 1 of the left side, 2 constants, 1 temporary: 16 of
            // 16 registers.
            _ => TileShape { rows: 4, columns: 16 },
        }
    }

    /// Bytes of a row of `inner` values: rounded up to whole quads, or to whole tile rows for AMX.
    pub(super) fn depth(self, inner: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => inner.next_multiple_of(amx::ROW_BYTES),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => inner.next_multiple_of(neon::STEP),
            _ => inner.next_multiple_of(QUAD),
        }
    }

    /// Bytes of a row side by side: a tile holds the first such piece of all its rows, then the second, and so on.
    pub(super) fn piece(self, depth: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => amx::ROW_BYTES,
            _ => depth,
        }
    }

    /// The number of rows that are multiplied together.
    fn rows_at_once(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => STAGE_ROWS,
            _ => self.shape().rows,
        }
    }

    /// The position of a column's quad in a panel, in quads.
    pub(super) fn quad_index(self, quad: usize, column: usize) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Amx => {
                let (rows, half) = (amx::ROWS, amx::COLUMNS / 2);
                ((quad / rows * 2 + column / half) * rows + quad % rows) * half + column % half
            }
            _ => quad * self.shape().columns + column,
        }
    }
}

/// Quantised rows, whole tiles.
pub(super) struct Left<'v> {
    /// (tiles of rows, pieces, rows, bytes of a piece), with pieces of [`Int8Isa::piece`].
    pub(super) integers: &'v [u8],
    /// From [`Int8Isa::depth`].
    pub(super) depth: usize,
    /// One per row.
    pub(super) scales: &'v [f32],
    pub(super) offsets: &'v [f32],
}

impl<'v> Left<'v> {
    /// The `count` rows from `first` on; both are whole tiles.
    pub(super) fn part(&self, first: usize, count: usize) -> Left<'v> {
        Left {
            integers: &self.integers[first * self.depth..][..count * self.depth],
            depth: self.depth,
            scales: &self.scales[first..][..count],
            offsets: &self.offsets[first..][..count],
        }
    }
}

/// Quantised weights of one panel.
pub(super) struct Panel<'v> {
    /// Quads of inputs at [`Int8Isa::quad_index`].
    pub(super) integers: &'v [i8],
    pub(super) scales: &'v [f32],
    pub(super) sums: &'v [f32],
}

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
    let at_once = isa.rows_at_once();
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_abs_epi8, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi32_ps,
        _mm256_cvtps_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_mul_ps, _mm256_mullo_epi32, _mm256_set1_epi8, _mm256_set1_epi16,
        _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_sign_epi8, _mm256_storeu_ps,
        _mm256_sub_epi8, _mm512_add_ps, _mm512_cvtepi32_ps, _mm512_dpbusd_epi32, _mm512_loadu_ps,
        _mm512_loadu_si512, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512,
        _mm512_storeu_ps,
    };

    use super::{Left, Panel, QUAD};

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
}
