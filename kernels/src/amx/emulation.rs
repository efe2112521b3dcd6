//! Emulates tiles for tests on processors without them: a tile instruction raises SIGILL, and the signal handler performs
//! it in software and continues behind it. Tests therefore run the same instructions as on a processor with tiles.
//!
//! Follows the pseudo-code of Intel's Software Developer's Manual, volume 2, for the instructions that `amx` uses.

use std::cell::RefCell;
use std::sync::Once;

/// Rows, and bytes per row, of the largest tile.
const ROWS: usize = 16;
const BYTES: usize = 64;

struct State {
    /// Whether `ldtilecfg` has configured all eight tiles at full size.
    is_configured: bool,
    tiles: [[[u8; BYTES]; ROWS]; 8],
}

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State { is_configured: false, tiles: [[[0; BYTES]; ROWS]; 8] }) };
}

/// Enables the emulation for this process.
pub(super) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the action is fully initialised: a handler with three arguments and an empty mask.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO;
            libc::sigaction(libc::SIGILL, &raw const action, std::ptr::null_mut());
        }
    });
}

/// The saved registers in the order of their encoding, 0 to 15.
const REGISTERS: [i32; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

extern "C" fn handle(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes the thread's context, whose instruction pointer is at the instruction; the code under test
    // provides valid memory operands.
    unsafe {
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        let code = registers[libc::REG_RIP as usize] as *const u8;
        let value = |number: usize| registers[REGISTERS[number] as usize].cast_unsigned();
        match Instruction::read(code, value) {
            Some(instruction) => {
                STATE.with_borrow_mut(|state| state.execute(&instruction));
                registers[libc::REG_RIP as usize] += instruction.length;
            }
            // Not a tile instruction: with the default handler restored, it ends the process when it is retried.
            None => _ = libc::signal(libc::SIGILL, libc::SIG_DFL),
        }
    }
}

/// A decoded tile instruction (VEX, map 0F38, W0).
struct Instruction {
    length: i64,
    opcode: u8,
    /// 0: none, 1: 66, 2: F3, 3: F2.
    prefix: u8,
    /// The `reg` field.
    register: usize,
    /// The `rm` field, if it is a register.
    other: Option<usize>,
    /// The register in `vvvv`.
    third: usize,
    address: u64,
    /// The scaled index register: the distance between rows.
    stride: u64,
}

impl Instruction {
    /// # Safety
    /// `code` points to an instruction.
    unsafe fn read(code: *const u8, value: impl Fn(usize) -> u64) -> Option<Self> {
        // SAFETY: guaranteed by the caller; no byte beyond the instruction is read, since each byte determines whether
        // another follows.
        let byte = |index: usize| unsafe { *code.add(index) };
        if byte(0) != 0xc4 || byte(1) & 0x1f != 2 || byte(2) & 0x84 != 0 {
            return None;
        }
        // The inverted extension bits of index and base.
        let (high_index, high_base) =
            (usize::from(byte(1) & 0x40 == 0) * 8, usize::from(byte(1) & 0x20 == 0) * 8);
        let (opcode, fields) = (byte(3), byte(4));
        let (mode, register, low) = (fields >> 6, usize::from(fields >> 3 & 7), usize::from(fields & 7));
        let third = usize::from(!(byte(2) >> 3) & 7);
        let mut instruction = Self {
            length: 5,
            opcode,
            prefix: byte(2) & 3,
            register,
            other: (mode == 3).then_some(low),
            third,
            address: 0,
            stride: 0,
        };
        if mode == 3 {
            return Some(instruction);
        }
        let mut next = 5;
        let base = if low == 4 {
            let sib = byte(next);
            next += 1;
            let index = usize::from(sib >> 3 & 7) + high_index;
            instruction.stride = if index == 4 { 0 } else { value(index) << (sib >> 6) };
            usize::from(sib & 7)
        } else {
            low
        };
        let relative_to_code = mode == 0 && low == 5;
        assert!(
            mode != 0 || base != 5 || relative_to_code,
            "addresses without a base register are not emulated"
        );
        let displacement = match mode {
            1 => i64::from(byte(next).cast_signed()),
            2 => i64::from(i32::from_le_bytes(std::array::from_fn(|index| byte(next + index)))),
            _ if relative_to_code => {
                i64::from(i32::from_le_bytes(std::array::from_fn(|index| byte(next + index))))
            }
            _ => 0,
        };
        next += match mode {
            1 => 1,
            0 if !relative_to_code => 0,
            _ => 4,
        };
        instruction.length = next as i64;
        let base = if relative_to_code { code as u64 + next as u64 } else { value(base + high_base) };
        instruction.address = base.wrapping_add_signed(displacement);
        Some(instruction)
    }

    /// The memory of a tile row.
    fn row(&self, row: usize) -> *mut u8 {
        self.address.wrapping_add(self.stride.wrapping_mul(row as u64)) as *mut u8
    }
}

impl State {
    /// # Safety
    /// The memory operands of the instruction are valid.
    unsafe fn execute(&mut self, instruction: &Instruction) {
        let register = instruction.register;
        // SAFETY: guaranteed by the caller.
        unsafe {
            match (instruction.opcode, instruction.prefix, instruction.other) {
                (0x49, 0, None) => {
                    self.configure(std::slice::from_raw_parts(instruction.address as *const u8, 64))
                }
                _ if !self.is_configured => panic!("a tile was used before `ldtilecfg`"),
                (0x49, 3, Some(0)) => self.tiles[register] = [[0; BYTES]; ROWS],
                // With prefix 1, a hint that the data is not used again soon.
                (0x4b, 3 | 1, None) => {
                    for (row, bytes) in self.tiles[register].iter_mut().enumerate() {
                        bytes.copy_from_slice(std::slice::from_raw_parts(instruction.row(row), BYTES));
                    }
                }
                (0x4b, 2, None) => {
                    for (row, bytes) in self.tiles[register].iter().enumerate() {
                        std::ptr::copy_nonoverlapping(bytes.as_ptr(), instruction.row(row), BYTES);
                    }
                }
                (0x5c, 2, Some(left)) => self.dot_bf16(register, left, instruction.third),
                (0x5e, 1, Some(left)) => self.dot_unsigned_signed(register, left, instruction.third),
                (opcode, prefix, _) => {
                    panic!("tile instruction {opcode:x} with prefix {prefix} is not emulated")
                }
            }
        }
    }

    fn configure(&mut self, settings: &[u8]) {
        assert_eq!(settings[..2], [1, 0], "palette 1, start row 0");
        let row_bytes = settings[16..48].as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        let expected = |tile: usize, full: usize| if tile < 8 { full } else { 0 };
        assert!(row_bytes.enumerate().all(|(tile, bytes)| usize::from(bytes) == expected(tile, BYTES)));
        assert!(
            settings[48..].iter().enumerate().all(|(tile, rows)| usize::from(*rows) == expected(tile, ROWS))
        );
        self.is_configured = true;
    }

    /// TDPBF16PS: sums even and odd positions separately, then adds both to the tile.
    fn dot_bf16(&mut self, sums: usize, left: usize, right: usize) {
        let number = |bytes: &[u8; BYTES], place: usize| {
            flush_subnormal(f32::from_bits(
                u32::from(u16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]])) << 16,
            ))
        };
        let (left, right) = (self.tiles[left], self.tiles[right]);
        for (row, left) in self.tiles[sums].iter_mut().zip(&left) {
            let mut halves = [[0f32; 2]; ROWS];
            for (k, right) in right.iter().enumerate() {
                for (column, halves) in halves.iter_mut().enumerate() {
                    for (part, half) in halves.iter_mut().enumerate() {
                        let product = (number(left, 2 * k + part), number(right, 2 * column + part));
                        *half = flush_subnormal(product.0.mul_add(product.1, *half));
                    }
                }
            }
            for (sum, [even, odd]) in row.as_chunks_mut::<4>().0.iter_mut().zip(halves) {
                let before = flush_subnormal(f32::from_le_bytes(*sum));
                *sum = flush_subnormal(before + flush_subnormal(even + odd)).to_le_bytes();
            }
        }
    }

    /// TDPBUSD.
    fn dot_unsigned_signed(&mut self, sums: usize, left: usize, right: usize) {
        let (left, right) = (self.tiles[left], self.tiles[right]);
        for (row, left) in self.tiles[sums].iter_mut().zip(&left) {
            for (column, sum) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let mut total = i32::from_le_bytes(*sum);
                for (k, right) in right.iter().enumerate() {
                    for part in 0..4 {
                        let right = i32::from(right[4 * column + part].cast_signed());
                        total = total.wrapping_add(i32::from(left[4 * k + part]) * right);
                    }
                }
                *sum = total.to_le_bytes();
            }
        }
    }
}

/// Tiles treat subnormal numbers as zero.
fn flush_subnormal(number: f32) -> f32 {
    if number.is_subnormal() { 0.0_f32.copysign(number) } else { number }
}
