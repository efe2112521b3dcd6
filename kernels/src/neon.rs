//! Arm's matrix-multiply instructions (FEAT_BF16, FEAT_I8MM): a register holds two rows or two columns of four bf16
//! values or eight bytes, and an instruction adds their four dot products to a register of sums.
//!
//! Written in assembly, because Rust's intrinsics for these instructions are not stable. The layouts of rows and panels
//! are those of the other instruction sets; two groups of four columns are zipped into column registers as they are read.

use std::arch::asm;

/// Rows of a block.
pub(crate) const ROWS: usize = 8;
/// Columns of a block.
pub(crate) const COLUMNS: usize = 8;
/// Bytes of a row that one step reads: two groups of four.
pub(crate) const STEP: usize = 8;

/// Eight rows, eight columns and the output of their products.
pub(crate) struct Block {
    pub(crate) rows: *const u8,
    /// In bytes.
    pub(crate) row_stride: usize,
    /// The first word of the columns; each group of four bytes holds one word a column.
    pub(crate) panel: *const u8,
    /// Distance between groups, in bytes.
    pub(crate) group_stride: usize,
    /// Steps between jumps.
    pub(crate) steps: usize,
    /// Bytes that a jump skips in the panel.
    pub(crate) jump: usize,
    /// Number of runs of `steps`, each followed by a jump.
    pub(crate) times: usize,
    pub(crate) out: *mut f32,
    /// In bytes.
    pub(crate) out_stride: usize,
}

macro_rules! block {
    ($name:ident, $features:literal, $dot:literal, $lanes:literal) => {
        /// Multiplies eight rows by eight columns. In 8 bits, the output holds the bits of 32-bit integer sums.
        ///
        /// # Safety
        /// The block's pointers are valid for its rows, columns and sums, `steps` and `times` are not zero, and the
        /// processor supports the instructions.
        #[target_feature(enable = $features)]
        pub(crate) unsafe fn $name(block: &Block) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let row = |index: usize| block.rows.byte_add(index * block.row_stride);
                asm!(
                    "movi v16.4s, #0", "movi v17.4s, #0", "movi v18.4s, #0", "movi v19.4s, #0",
                    "movi v20.4s, #0", "movi v21.4s, #0", "movi v22.4s, #0", "movi v23.4s, #0",
                    "movi v24.4s, #0", "movi v25.4s, #0", "movi v26.4s, #0", "movi v27.4s, #0",
                    "movi v28.4s, #0", "movi v29.4s, #0", "movi v30.4s, #0", "movi v31.4s, #0",
                    "2:",
                    "mov {left}, {steps}",
                    "3:",
                    "ldp q4, q5, [{panel}]",
                    "add {panel}, {panel}, {group_stride}",
                    "ldr d0, [{row0}], #8", "ld1 {{v0.d}}[1], [{row1}], #8",
                    "ldp q6, q7, [{panel}]",
                    "add {panel}, {panel}, {group_stride}",
                    "ldr d1, [{row2}], #8", "ld1 {{v1.d}}[1], [{row3}], #8",
                    "ldr d2, [{row4}], #8", "ld1 {{v2.d}}[1], [{row5}], #8",
                    "ldr d3, [{row6}], #8", "ld1 {{v3.d}}[1], [{row7}], #8",
                    "zip1 v8.4s, v4.4s, v6.4s", "zip2 v9.4s, v4.4s, v6.4s",
                    "zip1 v10.4s, v5.4s, v7.4s", "zip2 v11.4s, v5.4s, v7.4s",
                    concat!($dot, " v16.4s, v0.", $lanes, ", v8.", $lanes),
                    concat!($dot, " v17.4s, v0.", $lanes, ", v9.", $lanes),
                    concat!($dot, " v18.4s, v0.", $lanes, ", v10.", $lanes),
                    concat!($dot, " v19.4s, v0.", $lanes, ", v11.", $lanes),
                    concat!($dot, " v20.4s, v1.", $lanes, ", v8.", $lanes),
                    concat!($dot, " v21.4s, v1.", $lanes, ", v9.", $lanes),
                    concat!($dot, " v22.4s, v1.", $lanes, ", v10.", $lanes),
                    concat!($dot, " v23.4s, v1.", $lanes, ", v11.", $lanes),
                    concat!($dot, " v24.4s, v2.", $lanes, ", v8.", $lanes),
                    concat!($dot, " v25.4s, v2.", $lanes, ", v9.", $lanes),
                    concat!($dot, " v26.4s, v2.", $lanes, ", v10.", $lanes),
                    concat!($dot, " v27.4s, v2.", $lanes, ", v11.", $lanes),
                    concat!($dot, " v28.4s, v3.", $lanes, ", v8.", $lanes),
                    concat!($dot, " v29.4s, v3.", $lanes, ", v9.", $lanes),
                    concat!($dot, " v30.4s, v3.", $lanes, ", v10.", $lanes),
                    concat!($dot, " v31.4s, v3.", $lanes, ", v11.", $lanes),
                    "subs {left}, {left}, #1",
                    "b.ne 3b",
                    "add {panel}, {panel}, {jump}",
                    "subs {times}, {times}, #1",
                    "b.ne 2b",
                    // A register of sums holds two columns of two rows.
                    "zip1 v0.2d, v16.2d, v17.2d", "zip1 v1.2d, v18.2d, v19.2d",
                    "zip2 v2.2d, v16.2d, v17.2d", "zip2 v3.2d, v18.2d, v19.2d",
                    "stp q0, q1, [{out}]", "add {out}, {out}, {out_stride}",
                    "stp q2, q3, [{out}]", "add {out}, {out}, {out_stride}",
                    "zip1 v0.2d, v20.2d, v21.2d", "zip1 v1.2d, v22.2d, v23.2d",
                    "zip2 v2.2d, v20.2d, v21.2d", "zip2 v3.2d, v22.2d, v23.2d",
                    "stp q0, q1, [{out}]", "add {out}, {out}, {out_stride}",
                    "stp q2, q3, [{out}]", "add {out}, {out}, {out_stride}",
                    "zip1 v0.2d, v24.2d, v25.2d", "zip1 v1.2d, v26.2d, v27.2d",
                    "zip2 v2.2d, v24.2d, v25.2d", "zip2 v3.2d, v26.2d, v27.2d",
                    "stp q0, q1, [{out}]", "add {out}, {out}, {out_stride}",
                    "stp q2, q3, [{out}]", "add {out}, {out}, {out_stride}",
                    "zip1 v0.2d, v28.2d, v29.2d", "zip1 v1.2d, v30.2d, v31.2d",
                    "zip2 v2.2d, v28.2d, v29.2d", "zip2 v3.2d, v30.2d, v31.2d",
                    "stp q0, q1, [{out}]", "add {out}, {out}, {out_stride}",
                    "stp q2, q3, [{out}]",
                    row0 = inout(reg) row(0) => _,
                    row1 = inout(reg) row(1) => _,
                    row2 = inout(reg) row(2) => _,
                    row3 = inout(reg) row(3) => _,
                    row4 = inout(reg) row(4) => _,
                    row5 = inout(reg) row(5) => _,
                    row6 = inout(reg) row(6) => _,
                    row7 = inout(reg) row(7) => _,
                    panel = inout(reg) block.panel => _,
                    group_stride = in(reg) block.group_stride,
                    steps = in(reg) block.steps,
                    left = out(reg) _,
                    jump = in(reg) block.jump,
                    times = inout(reg) block.times => _,
                    out = inout(reg) block.out => _,
                    out_stride = in(reg) block.out_stride,
                    out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
                    out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v16") _, out("v17") _,
                    out("v18") _, out("v19") _, out("v20") _, out("v21") _, out("v22") _, out("v23") _, out("v24") _,
                    out("v25") _, out("v26") _, out("v27") _, out("v28") _, out("v29") _, out("v30") _, out("v31") _,
                    options(nostack),
                );
            }
        }
    };
}

block!(bf16, "neon,bf16", "bfmmla", "8h");
block!(int8, "neon,i8mm", "usmmla", "16b");
