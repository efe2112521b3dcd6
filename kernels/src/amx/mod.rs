//! Intel's Advanced Matrix Extensions (Software Developer's Manual, volume 2; tile registers of 16 rows of 64 bytes):
//! products of a block of rows with a panel of 32 columns, in bf16 and in 8 bits.
//!
//! Written in assembly, because Rust's intrinsics for tiles are not stable. The tile shape is configured once per thread.
//! On Linux a process must request tiles before their first use, and the request may be denied.

#[cfg(all(test, target_os = "linux"))]
mod emulation;

use std::arch::asm;
use std::arch::x86_64::{__cpuid_count, _xgetbv};
use std::cell::Cell;
use std::sync::OnceLock;

/// Rows of a tile.
pub(crate) const ROWS: usize = 16;
/// Bytes of a tile row.
pub(crate) const ROW_BYTES: usize = 64;
/// Columns of a panel: two tiles of 32-bit sums.
pub(crate) const COLUMNS: usize = 32;
/// Bytes of a panel that one step over the inner dimension reads: two tiles.
pub(crate) const STEP_BYTES: usize = 2 * ROWS * ROW_BYTES;

/// Maximum number of steps of a block before the next block of rows repeats them, so that their part of the panel (32 KB)
/// stays in the first-level cache.
const CHUNK: usize = 16;

/// The dtypes that tiles support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiles {
    pub(crate) bf16: bool,
    pub(crate) int8: bool,
}

/// The tile support available to this process, determined once.
pub(crate) fn tiles() -> Tiles {
    static TILES: OnceLock<Tiles> = OnceLock::new();
    *TILES.get_or_init(|| {
        let none = Tiles { bf16: false, int8: false };
        let found = detected();
        if (found.bf16 || found.int8) && request() { found } else { none }
    })
}

/// As [`tiles`]; on Linux without tile support, enables the emulation.
#[cfg(test)]
pub(crate) fn tiles_or_emulation() -> Tiles {
    #[cfg(target_os = "linux")]
    if !tiles().bf16 || !tiles().int8 {
        emulation::begin();
        return Tiles { bf16: true, int8: true };
    }
    tiles()
}

/// The tile support of the processor and the operating system.
fn detected() -> Tiles {
    const OSXSAVE: u32 = 1 << 27;
    const TILE_STATES: u64 = 0b11 << 17;
    const BF16: u32 = 1 << 22;
    const TILE: u32 = 1 << 24;
    const INT8: u32 = 1 << 25;
    let none = Tiles { bf16: false, int8: false };
    if __cpuid_count(0, 0).eax < 7 || __cpuid_count(1, 0).ecx & OSXSAVE == 0 {
        return none;
    }
    #[target_feature(enable = "xsave")]
    fn kept_states() -> u64 {
        // SAFETY: OSXSAVE is set, so the instruction is available.
        unsafe { _xgetbv(0) }
    }
    // SAFETY: OSXSAVE is set, so the instruction is available.
    if unsafe { kept_states() } & TILE_STATES != TILE_STATES {
        return none;
    }
    let features = __cpuid_count(7, 0).edx;
    let has = |feature: u32| features & (TILE | feature) == TILE | feature;
    Tiles { bf16: has(BF16), int8: has(INT8) }
}

/// Requests tiles from Linux for all threads of the process.
#[cfg(target_os = "linux")]
fn request() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XTILEDATA: libc::c_long = 18;
    // SAFETY: the call takes two integers and accesses no memory.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XTILEDATA) == 0 }
}

/// Tiles are used on Linux only.
#[cfg(not(target_os = "linux"))]
fn request() -> bool {
    false
}

/// Tile configuration of a thread (SDM, "palette 1").
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// All eight tiles at their maximum size.
static CONFIGURATION: Configuration = Configuration {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Configures this thread's tiles, once.
fn configure() {
    thread_local! {
        static IS_CONFIGURED: Cell<bool> = const { Cell::new(false) };
    }
    if !IS_CONFIGURED.replace(true) {
        // SAFETY: callers of `multiply` have checked `tiles`.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const CONFIGURATION, options(nostack, readonly)) };
    }
}

/// The dtype of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dtype {
    /// Pairs of bf16, sums in f32.
    Bf16,
    /// Groups of four bytes, unsigned in rows and signed in panels, sums in 32-bit integers.
    Int8,
}

/// A block of rows and a panel.
pub(crate) struct Product<'v> {
    pub(crate) dtype: Dtype,
    /// In bf16 `(count, depth bytes)`; in 8 bits by tiles, `(count / 16, depth / 64, 16, 64)`.
    pub(crate) rows: &'v [u8],
    /// A multiple of [`ROWS`].
    pub(crate) count: usize,
    /// Bytes of a row; a multiple of [`ROW_BYTES`].
    pub(crate) depth: usize,
    /// (depth / 64, 2, 16, 16 columns, 4 bytes): each tile row holds one group of 4 bytes per column.
    pub(crate) panel: &'v [u8],
}

/// Multiplies into `out`, `(count, 32 columns)`, row stride `stride`. In 8 bits, the output holds the bits of 32-bit integer
/// sums.
pub(crate) fn multiply(product: &Product<'_>, out: &mut [f32], stride: usize) {
    let Product { dtype, rows, count, depth, panel } = *product;
    let steps = depth / ROW_BYTES;
    assert!(depth.is_multiple_of(ROW_BYTES) && count.is_multiple_of(ROWS) && count > 0);
    assert!(rows.len() >= count * depth && panel.len() >= steps * STEP_BYTES);
    assert!(
        rows.as_ptr().addr().is_multiple_of(ROW_BYTES) && panel.as_ptr().addr().is_multiple_of(ROW_BYTES)
    );
    assert!(stride >= COLUMNS && out.len() >= (count - 1) * stride + COLUMNS);
    configure();
    let chunk = steps.div_ceil(steps.div_ceil(CHUNK).max(1)).max(1);
    for first in (0..steps.max(1)).step_by(chunk) {
        for row in (0..count).step_by(2 * ROWS) {
            // SAFETY: the sizes are checked above: rows from `row` on have `depth` bytes each, the panel has all
            // steps, and `out` has all rows.
            unsafe {
                let (row_stride, step_stride) = match dtype {
                    Dtype::Bf16 => (depth, ROW_BYTES),
                    Dtype::Int8 => (ROW_BYTES, ROWS * ROW_BYTES),
                };
                let block = Block {
                    rows: rows.as_ptr().add(row * depth + first * step_stride),
                    lower_rows: rows.as_ptr().wrapping_add((row + ROWS) * depth + first * step_stride),
                    row_stride,
                    step_stride,
                    panel: panel.as_ptr().add(first * STEP_BYTES),
                    steps: chunk.min(steps - first),
                    out: out.as_mut_ptr().add(row * stride),
                    out_stride: stride * size_of::<f32>(),
                    begins: first == 0,
                };
                match (dtype, count - row >= 2 * ROWS) {
                    (Dtype::Bf16, true) => bf16_32(&block),
                    (Dtype::Bf16, false) => bf16_16(&block),
                    (Dtype::Int8, true) => int8_32(&block),
                    (Dtype::Int8, false) => int8_16(&block),
                }
            }
        }
    }
}

/// A block of 16 or 32 rows, and the output of its sums.
struct Block {
    rows: *const u8,
    /// The second 16 rows, if the block has them.
    lower_rows: *const u8,
    /// From a row to the next one, in bytes.
    row_stride: usize,
    /// From a row's bytes of a step to those of the next step, in bytes.
    step_stride: usize,
    panel: *const u8,
    steps: usize,
    out: *mut f32,
    /// In bytes.
    out_stride: usize,
    /// Whether sums start at zero rather than at the values in `out`.
    begins: bool,
}

macro_rules! blocks {
    ($sixteen:ident, $thirty_two:ident, $dot:literal) => {
        /// 16 rows times 32 columns.
        ///
        /// # Safety
        /// The block's pointers are valid for its rows, steps and 32 columns; tiles are available and configured.
        unsafe fn $sixteen(block: &Block) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                asm!(
                    "test {begins:e}, {begins:e}",
                    "jnz 3f",
                    "tileloadd tmm0, [{out} + {out_stride}*1]",
                    "tileloadd tmm1, [{out} + {out_stride}*1 + 64]",
                    "jmp 4f",
                    "3:",
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "4:",
                    "test {steps}, {steps}",
                    "jz 5f",
                    "2:",
                    "tileloaddt1 tmm4, [{rows} + {row_stride}*1]",
                    "tileloadd tmm6, [{panel} + {panel_stride}*1]",
                    "tileloadd tmm7, [{panel} + {panel_stride}*1 + 1024]",
                    concat!($dot, " tmm0, tmm4, tmm6"),
                    concat!($dot, " tmm1, tmm4, tmm7"),
                    "add {rows}, {step_stride}",
                    "add {panel}, 2048",
                    "dec {steps}",
                    "jnz 2b",
                    "5:",
                    "tilestored [{out} + {out_stride}*1], tmm0",
                    "tilestored [{out} + {out_stride}*1 + 64], tmm1",
                    begins = in(reg) i32::from(block.begins),
                    rows = inout(reg) block.rows => _,
                    row_stride = in(reg) block.row_stride,
                    step_stride = in(reg) block.step_stride,
                    panel = inout(reg) block.panel => _,
                    panel_stride = in(reg) ROW_BYTES,
                    steps = inout(reg) block.steps => _,
                    out = in(reg) block.out,
                    out_stride = in(reg) block.out_stride,
                    options(nostack),
                );
            }
        }

        /// 32 rows times 32 columns: four tiles of sums, each loaded tile used twice.
        ///
        /// # Safety
        /// As for 16 rows.
        unsafe fn $thirty_two(block: &Block) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                asm!(
                    "test {begins:e}, {begins:e}",
                    "jnz 3f",
                    "tileloadd tmm0, [{out} + {out_stride}*1]",
                    "tileloadd tmm1, [{out} + {out_stride}*1 + 64]",
                    "tileloadd tmm2, [{lower_out} + {out_stride}*1]",
                    "tileloadd tmm3, [{lower_out} + {out_stride}*1 + 64]",
                    "jmp 4f",
                    "3:",
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "4:",
                    "test {steps}, {steps}",
                    "jz 5f",
                    "2:",
                    "tileloadd tmm6, [{panel} + {panel_stride}*1]",
                    "tileloaddt1 tmm4, [{rows} + {row_stride}*1]",
                    "tileloadd tmm7, [{panel} + {panel_stride}*1 + 1024]",
                    concat!($dot, " tmm0, tmm4, tmm6"),
                    "tileloaddt1 tmm5, [{lower_rows} + {row_stride}*1]",
                    concat!($dot, " tmm1, tmm4, tmm7"),
                    concat!($dot, " tmm2, tmm5, tmm6"),
                    concat!($dot, " tmm3, tmm5, tmm7"),
                    "add {rows}, {step_stride}",
                    "add {lower_rows}, {step_stride}",
                    "add {panel}, 2048",
                    "dec {steps}",
                    "jnz 2b",
                    "5:",
                    "tilestored [{out} + {out_stride}*1], tmm0",
                    "tilestored [{out} + {out_stride}*1 + 64], tmm1",
                    "tilestored [{lower_out} + {out_stride}*1], tmm2",
                    "tilestored [{lower_out} + {out_stride}*1 + 64], tmm3",
                    begins = in(reg) i32::from(block.begins),
                    rows = inout(reg) block.rows => _,
                    lower_rows = inout(reg) block.lower_rows => _,
                    row_stride = in(reg) block.row_stride,
                    step_stride = in(reg) block.step_stride,
                    panel = inout(reg) block.panel => _,
                    panel_stride = in(reg) ROW_BYTES,
                    steps = inout(reg) block.steps => _,
                    out = in(reg) block.out,
                    lower_out = in(reg) block.out.byte_add(ROWS * block.out_stride),
                    out_stride = in(reg) block.out_stride,
                    options(nostack),
                );
            }
        }
    };
}

blocks!(bf16_16, bf16_32, "tdpbf16ps");
blocks!(int8_16, int8_32, "tdpbusd");
