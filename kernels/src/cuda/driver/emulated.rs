//! The emulated driver: buffers are in host memory, kernels run sequentially as host code, and products are plain loops in
//! f32. Guard bytes around each buffer are checked when it is freed.

use std::ffi::{CString, c_char, c_void};
use std::sync::Mutex;

use super::super::arguments::Arguments;
use super::super::dtype::Dtype;
use super::super::error::{CudaError, Result};
use super::{Launch, Operands, ProductShape};

/// Guard bytes on either side of a buffer.
const GUARD_BYTES: usize = 256;
const GUARD: u8 = 0xa5;

/// Serialises kernels: the emulation runs one block at a time.
static KERNEL_LOCK: Mutex<()> = Mutex::new(());

unsafe extern "C" {
    fn veridic_emulate(
        name: *const c_char,
        blocks_x: u32,
        blocks_y: u32,
        threads: u32,
        shared_bytes: usize,
        arguments: *const c_void,
        is_reversed: bool,
    ) -> bool;
    fn veridic_argument_bytes(name: *const c_char) -> usize;
    fn veridic_multiply(
        is_bf16: bool,
        is_wide: bool,
        weight: *const c_void,
        bias: *const c_void,
        x: *const c_void,
        out: *mut c_void,
        rows: usize,
        inputs: usize,
        outputs: usize,
    );
}

/// The emulated GPU.
pub(in crate::cuda) struct Driver {
    is_reversed: bool,
}

/// A buffer. Kernels write to it by address, so no reference to it is kept.
pub(in crate::cuda) struct Memory {
    /// All bytes, including the guards.
    all: *mut [u8],
}

// SAFETY: kernels run one at a time, and the owner of a buffer orders accesses to it, as on a GPU.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// A product's plan.
pub(in crate::cuda) struct Plan(ProductShape);

/// A copy to the host.
pub(in crate::cuda) struct Reading(Vec<u8>);

impl Driver {
    pub(in crate::cuda) fn open(ordinal: usize) -> Result<Self> {
        match ordinal {
            0 => Ok(Self { is_reversed: false }),
            _ => Err(CudaError::NoDevice { ordinal, found: 1 }),
        }
    }

    /// A driver that runs the threads of a block from the last to the first.
    pub(in crate::cuda) fn reversed() -> Self {
        Self { is_reversed: true }
    }

    pub(in crate::cuda) fn name(&self) -> &str {
        "emulated GPU"
    }

    pub(in crate::cuda) fn capability(&self) -> (i32, i32) {
        (8, 0)
    }

    pub(in crate::cuda) fn libraries(&self) -> String {
        "emulated".to_owned()
    }

    pub(in crate::cuda) fn allocate(&self, bytes: usize) -> Result<Memory> {
        // NaN in every dtype, so that reads of uninitialised memory are noticed.
        let mut memory = vec![0xff; bytes + 2 * GUARD_BYTES];
        memory[..GUARD_BYTES].fill(GUARD);
        memory[GUARD_BYTES + bytes..].fill(GUARD);
        Ok(Memory { all: Box::into_raw(memory.into_boxed_slice()) })
    }

    pub(in crate::cuda) fn write(&self, to: &Memory, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= to.len(), "the buffer holds the written bytes");
        // SAFETY: the buffer has as many bytes, and no reference to them exists.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.address() as *mut u8, bytes.len()) };
        Ok(())
    }

    pub(in crate::cuda) fn copy(&self, from: &Memory, to: &Memory, at: usize, bytes: usize) -> Result<()> {
        assert!(bytes <= from.len() && at + bytes <= to.len(), "both buffers hold the copied bytes");
        let (from, to) = (from.address() as *const u8, (to.address() + at as u64) as *mut u8);
        // SAFETY: both buffers have as many bytes, and no reference to them exists.
        unsafe { std::ptr::copy(from, to, bytes) };
        Ok(())
    }

    pub(in crate::cuda) fn read(&self, from: &Memory, bytes: usize) -> Result<Reading> {
        assert!(bytes <= from.len(), "the buffer holds the bytes to read");
        // SAFETY: the buffer has as many bytes, and nothing writes to it during the copy.
        Ok(Reading(unsafe { std::slice::from_raw_parts(from.address() as *const u8, bytes) }.to_vec()))
    }

    /// # Safety
    /// Every address in `arguments` points to a buffer that is large enough for the kernel.
    pub(in crate::cuda) unsafe fn launch<A: Arguments>(
        &self,
        launch: &Launch<'_>,
        arguments: &A,
    ) -> Result<()> {
        let name = CString::new(launch.kernel).expect("kernel names contain no NUL");
        // SAFETY: the name is NUL-terminated.
        let bytes = unsafe { veridic_argument_bytes(name.as_ptr()) };
        assert_eq!(
            bytes,
            size_of::<A>(),
            "the arguments of {} have the same size in Rust and C++",
            launch.kernel
        );
        let _guard = KERNEL_LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the arguments have the kernel's layout, and the caller guarantees their addresses.
        let is_known = unsafe {
            veridic_emulate(
                name.as_ptr(),
                launch.blocks.0 as u32,
                launch.blocks.1 as u32,
                launch.threads as u32,
                launch.shared_bytes,
                std::ptr::from_ref(arguments).cast(),
                self.is_reversed,
            )
        };
        match is_known {
            true => Ok(()),
            false => Err(CudaError::Shape(format!("there is no kernel for {launch:?}"))),
        }
    }

    pub(in crate::cuda) fn plan(&self, shape: ProductShape) -> Result<Plan> {
        Ok(Plan(shape))
    }

    /// # Safety
    /// The addresses point to buffers of the sizes stated by [`Operands`].
    pub(in crate::cuda) unsafe fn multiply(&self, plan: &Plan, operands: &Operands) -> Result<()> {
        let ProductShape { inputs, outputs, has_bias, dtype, is_wide } = plan.0;
        let bias = if has_bias { operands.bias } else { 0 };
        // SAFETY: the caller guarantees the addresses.
        unsafe {
            veridic_multiply(
                dtype == Dtype::Bf16,
                is_wide,
                operands.weight as *const c_void,
                bias as *const c_void,
                operands.x as *const c_void,
                operands.out as *mut c_void,
                operands.rows,
                inputs,
                outputs,
            );
        }
        Ok(())
    }
}

impl Memory {
    pub(in crate::cuda) fn address(&self) -> u64 {
        self.all.cast::<u8>() as u64 + GUARD_BYTES as u64
    }

    pub(in crate::cuda) fn len(&self) -> usize {
        self.all.len() - 2 * GUARD_BYTES
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: `allocate` created it from a box, which is dropped only here.
        let all = unsafe { Box::from_raw(self.all) };
        let is_whole = |guard: &[u8]| guard.iter().all(|byte| *byte == GUARD);
        if !is_whole(&all[..GUARD_BYTES]) || !is_whole(&all[all.len() - GUARD_BYTES..]) {
            eprintln!("an emulated kernel wrote beyond a buffer of {} bytes", all.len() - 2 * GUARD_BYTES);
            std::process::abort();
        }
    }
}

impl Reading {
    pub(in crate::cuda) fn wait(self) -> Result<Vec<u8>> {
        Ok(self.0)
    }
}
