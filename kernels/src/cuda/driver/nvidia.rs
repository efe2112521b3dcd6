//! NVIDIA's driver and cuBLASLt, found at run time. Everything is queued on one stream of our own.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::sync::Arc;

use cudarc::driver::sys::{
    self, CUdevice_attribute_enum as DeviceAttribute, CUfunction_attribute_enum as Attribute,
};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};

use super::super::arguments::Arguments;
use super::super::error::{CudaError, Result};
use super::pinned::{Pinned, PinnedMemory};
use super::products::{Plan, Products};
use super::{Launch, Operands, ProductShape};

/// Machine code and PTX of every kernel.
static KERNELS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kernels.fatbin"));

/// What the kernels are called, before the name of their numbers.
const NAMES: [&str; 10] = [
    "attention_{}_32",
    "attention_{}_48",
    "attention_{}_64",
    "attention_{}_96",
    "attention_{}_128",
    "sum_rows_{}",
    "activate_{}",
    "score_rows_{}",
    "unfold_{}",
    "step_attention_{}",
];

/// Most bytes of one copy to the device: weights are longer, a batch's numbers are not.
const COPY_BYTES: usize = 8 << 20;

/// An open GPU.
pub(in crate::cuda) struct Driver {
    name: String,
    capability: (i32, i32),
    functions: HashMap<String, Function>,
    products: Products,
    pinned: PinnedMemory,
    /// Bytes of shared memory that a block may have.
    most_shared_bytes: usize,
    stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
}

/// A kernel in a module that stays loaded as long as the process runs.
#[derive(Clone, Copy)]
struct Function(sys::CUfunction);

// SAFETY: the driver's handles may be used on every thread.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A buffer.
pub(in crate::cuda) struct Memory {
    address: u64,
    bytes: usize,
    context: Arc<CudaContext>,
}

/// A copy to the host that is queued.
pub(in crate::cuda) struct Reading {
    pinned: Pinned,
    bytes: usize,
}

/// What the driver was asked to do, for errors.
pub(super) fn doing<T>(what: &'static str, result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| CudaError::Driver { doing: what, error: error.to_string() })
}

impl Driver {
    pub(in crate::cuda) fn open(ordinal: usize) -> Result<Self> {
        // SAFETY: asks only whether the library can be opened.
        if !unsafe { sys::is_culib_present() } {
            let remedy = "--device cuda needs an NVIDIA GPU and its driver, of series 580 or newer";
            return Err(CudaError::NoLibrary { library: "NVIDIA's driver (libcuda)", remedy });
        }
        doing("starting", result::init())?;
        let found = doing("counting devices", CudaContext::device_count())?.max(0) as usize;
        if ordinal >= found {
            return Err(CudaError::NoDevice { ordinal, found });
        }
        let context = doing("opening the device", CudaContext::new(ordinal))?;
        let capability = doing("asking for the compute capability", context.compute_capability())?;
        let name = doing("asking for the device's name", context.name())?;
        if capability < (8, 0) {
            return Err(CudaError::TooOld { name, capability });
        }
        let most_shared = DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
        let most_shared_bytes = doing("asking for shared memory", context.attribute(most_shared))? as usize;
        let stream = doing("making a stream", context.new_stream())?;
        Ok(Self {
            name,
            capability,
            functions: load_functions(most_shared_bytes)?,
            products: Products::new(&context)?,
            pinned: PinnedMemory::new(),
            most_shared_bytes,
            stream,
            context,
        })
    }

    pub(in crate::cuda) fn name(&self) -> &str {
        &self.name
    }

    pub(in crate::cuda) fn capability(&self) -> (i32, i32) {
        self.capability
    }

    pub(in crate::cuda) fn libraries(&self) -> String {
        format!("cublasLt {}", self.products.version())
    }

    pub(in crate::cuda) fn allocate(&self, bytes: usize) -> Result<Memory> {
        self.bind()?;
        // SAFETY: the context is bound; the memory is written before anything reads it.
        let address = doing("allocating memory", unsafe { result::malloc_sync(bytes) })?;
        Ok(Memory { address, bytes, context: Arc::clone(&self.context) })
    }

    /// Queues a copy; the bytes are the caller's again at once. What is long goes piece by piece.
    pub(in crate::cuda) fn write(&self, to: &Memory, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= to.bytes, "room for what is written");
        self.bind()?;
        for (piece, part) in bytes.chunks(COPY_BYTES).enumerate() {
            let mut pinned = self.pinned.take(&self.context, part.len())?;
            pinned.bytes_mut()[..part.len()].copy_from_slice(part);
            let address = to.address + (piece * COPY_BYTES) as u64;
            let stream = self.stream.cu_stream();
            pinned.copy(&self.stream, |pinned| {
                // SAFETY: both buffers have as many bytes; the pinned one is not used again before its event.
                let copied =
                    unsafe { result::memcpy_htod_async(address, &pinned.bytes()[..part.len()], stream) };
                doing("copying to the device", copied)
            })?;
            if bytes.len() > COPY_BYTES {
                pinned.wait()?;
            }
        }
        Ok(())
    }

    /// Queues a copy of the first `bytes` of one buffer into another, from its byte `at` on.
    pub(in crate::cuda) fn copy(&self, from: &Memory, to: &Memory, at: usize, bytes: usize) -> Result<()> {
        assert!(bytes <= from.bytes && at + bytes <= to.bytes, "room for what is copied");
        self.bind()?;
        let (from, to) = (from.address, to.address + at as u64);
        // SAFETY: both buffers have as many bytes.
        let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream()) };
        doing("copying on the device", copied)
    }

    pub(in crate::cuda) fn read(&self, from: &Memory, bytes: usize) -> Result<Reading> {
        assert!(bytes <= from.bytes, "what is read is there");
        self.bind()?;
        let mut pinned = self.pinned.take(&self.context, bytes)?;
        let stream = self.stream.cu_stream();
        pinned.copy(&self.stream, |pinned| {
            let buffer = &mut pinned.bytes_mut()[..bytes];
            // SAFETY: both buffers have as many bytes; the pinned one is read only after its event.
            let copied = unsafe { result::memcpy_dtoh_async(room, from.address, stream) };
            doing("copying from the device", copied)
        })?;
        Ok(Reading { pinned, bytes })
    }

    /// # Safety
    /// Every address in `arguments` is of a buffer that is as large as the kernel asks for, and that is given up only
    /// to work that is queued later.
    pub(in crate::cuda) unsafe fn launch<A: Arguments>(
        &self,
        launch: &Launch<'_>,
        arguments: &A,
    ) -> Result<()> {
        if launch.shared_bytes > self.most_shared_bytes {
            let (needed, most) = (launch.shared_bytes, self.most_shared_bytes);
            let kernel = launch.kernel;
            return Err(CudaError::Shape(format!(
                "{kernel} needs {needed} bytes of shared memory, {} has {most}",
                self.name
            )));
        }
        let Some(Function(function)) = self.functions.get(launch.kernel) else {
            return Err(CudaError::Shape(format!("there is no kernel {launch:?}")));
        };
        self.bind()?;
        let mut parameters = [std::ptr::from_ref(arguments).cast_mut().cast::<c_void>()];
        // SAFETY: the kernel takes this one structure, and the caller answers for its addresses.
        let launched = unsafe {
            result::launch_kernel(
                *function,
                (launch.blocks.0 as u32, launch.blocks.1 as u32, 1),
                (launch.threads as u32, 1, 1),
                launch.shared_bytes as u32,
                self.stream.cu_stream(),
                &mut parameters,
            )
        };
        doing("starting a kernel", launched)
    }

    pub(in crate::cuda) fn plan(&self, shape: ProductShape) -> Result<Plan> {
        self.bind()?;
        self.products.plan(shape)
    }

    /// # Safety
    /// The addresses are of buffers of the sizes that [`Operands`] states, given up only to work that is queued later.
    pub(in crate::cuda) unsafe fn multiply(&self, plan: &Plan, operands: &Operands) -> Result<()> {
        self.bind()?;
        // SAFETY: the caller's.
        unsafe { self.products.multiply(plan, operands, &self.stream) }
    }

    fn bind(&self) -> Result<()> {
        doing("using the device", self.context.bind_to_thread())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Nothing that is queued may outlive its memory; if even waiting fails, there is nothing left to do.
        let _ = self.stream.synchronize();
    }
}

/// Every kernel, with as much shared memory as the device allows.
fn load_functions(most_shared_bytes: usize) -> Result<HashMap<String, Function>> {
    // SAFETY: what nvcc made, which carries its own length.
    let module = doing("loading the kernels", unsafe { result::module::load_data(KERNELS.as_ptr().cast()) })?;
    let mut functions = HashMap::new();
    for name in NAMES.iter().flat_map(|name| ["f16", "bf16"].map(|dtype| name.replace("{}", dtype))) {
        let symbol = CString::new(name.as_str()).expect("kernels have plain names");
        // SAFETY: the module is never unloaded.
        let function = doing("finding a kernel", unsafe { result::module::get_function(module, symbol) })?;
        let shared = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function was just found.
        let set =
            unsafe { result::function::set_function_attribute(function, shared, most_shared_bytes as i32) };
        doing("giving a kernel shared memory", set)?;
        functions.insert(name, Function(function));
    }
    Ok(functions)
}

impl Memory {
    pub(in crate::cuda) fn address(&self) -> u64 {
        self.address
    }

    pub(in crate::cuda) fn len(&self) -> usize {
        self.bytes
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: allocated by `allocate`, freed only here; the driver waits for what still uses it.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}

impl Reading {
    pub(in crate::cuda) fn wait(self) -> Result<Vec<u8>> {
        self.pinned.wait()?;
        Ok(self.pinned.bytes()[..self.bytes].to_vec())
    }
}
