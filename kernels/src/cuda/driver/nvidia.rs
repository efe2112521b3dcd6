//! NVIDIA's driver and cuBLASLt, loaded at run time. All work is queued on one stream.

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

/// The names of the kernels, with `{}` for the dtype.
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

/// The oldest compute capability that supports the kernels' instructions.
const MIN_CAPABILITY: (i32, i32) = (8, 0);

/// Maximum bytes of one copy to the device. Weights are larger; a batch's inputs are not.
const COPY_BYTES: usize = 8 << 20;

/// An open GPU.
pub(in crate::cuda) struct Driver {
    name: String,
    capability: (i32, i32),
    functions: HashMap<String, Function>,
    products: Products,
    pinned: PinnedMemory,
    /// Maximum bytes of shared memory per block.
    most_shared_bytes: usize,
    stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
}

/// A kernel of a module that stays loaded until the process ends.
#[derive(Clone, Copy)]
struct Function(sys::CUfunction);

// SAFETY: the driver's handles may be used on any thread.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A buffer.
pub(in crate::cuda) struct Memory {
    address: u64,
    bytes: usize,
    context: Arc<CudaContext>,
}

/// A queued copy to the host.
pub(in crate::cuda) struct Reading {
    pinned: Pinned,
    bytes: usize,
}

/// Adds the failed operation to a driver error.
pub(super) fn doing<T>(what: &'static str, result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| CudaError::Driver { doing: what, error: error.to_string() })
}

impl Driver {
    pub(in crate::cuda) fn open(ordinal: usize) -> Result<Self> {
        // SAFETY: only checks whether the library can be opened.
        if !unsafe { sys::is_culib_present() } {
            let remedy = "the device `cuda` needs an NVIDIA GPU and its driver, version 580 or newer";
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
        if capability < MIN_CAPABILITY {
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
        // SAFETY: the context is bound; the memory is written before it is read.
        let address = doing("allocating memory", unsafe { result::malloc_sync(bytes) })?;
        Ok(Memory { address, bytes, context: Arc::clone(&self.context) })
    }

    /// Queues a copy; `bytes` may be reused when this returns. Large copies are split.
    pub(in crate::cuda) fn write(&self, to: &Memory, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= to.bytes, "the buffer holds the written bytes");
        self.bind()?;
        for (piece, part) in bytes.chunks(COPY_BYTES).enumerate() {
            let mut pinned = self.pinned.take(&self.context, part.len())?;
            pinned.bytes_mut()[..part.len()].copy_from_slice(part);
            let address = to.address + (piece * COPY_BYTES) as u64;
            let stream = self.stream.cu_stream();
            pinned.copy(&self.stream, |pinned| {
                // SAFETY: both buffers have as many bytes; the pinned one is not reused before its event.
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

    /// Queues a copy of the first `bytes` of one buffer to offset `at` of another.
    pub(in crate::cuda) fn copy(&self, from: &Memory, to: &Memory, at: usize, bytes: usize) -> Result<()> {
        assert!(bytes <= from.bytes && at + bytes <= to.bytes, "both buffers hold the copied bytes");
        self.bind()?;
        let (from, to) = (from.address, to.address + at as u64);
        // SAFETY: both buffers have as many bytes.
        let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream.cu_stream()) };
        doing("copying on the device", copied)
    }

    pub(in crate::cuda) fn read(&self, from: &Memory, bytes: usize) -> Result<Reading> {
        assert!(bytes <= from.bytes, "the buffer holds the bytes to read");
        self.bind()?;
        let mut pinned = self.pinned.take(&self.context, bytes)?;
        let stream = self.stream.cu_stream();
        pinned.copy(&self.stream, |pinned| {
            let target = &mut pinned.bytes_mut()[..bytes];
            // SAFETY: both buffers have as many bytes; the pinned one is read only after its event.
            let copied = unsafe { result::memcpy_dtoh_async(target, from.address, stream) };
            doing("copying from the device", copied)
        })?;
        Ok(Reading { pinned, bytes })
    }

    /// # Safety
    /// Every address in `arguments` points to a buffer that is large enough for the kernel, and that is reused only by work
    /// queued later.
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
            return Err(CudaError::Shape(format!("there is no kernel for {launch:?}")));
        };
        self.bind()?;
        let mut parameters = [std::ptr::from_ref(arguments).cast_mut().cast::<c_void>()];
        // SAFETY: the kernel takes this structure, and the caller guarantees its addresses.
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
    /// The addresses point to buffers of the sizes stated by [`Operands`], which are reused only by work queued later.
    pub(in crate::cuda) unsafe fn multiply(&self, plan: &Plan, operands: &Operands) -> Result<()> {
        self.bind()?;
        // SAFETY: guaranteed by the caller.
        unsafe { self.products.multiply(plan, operands, &self.stream) }
    }

    fn bind(&self) -> Result<()> {
        doing("using the device", self.context.bind_to_thread())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Queued work must not outlive its memory; an error of the wait cannot be handled here.
        let _ = self.stream.synchronize();
    }
}

/// Loads all kernels, with the device's maximum of shared memory.
fn load_functions(most_shared_bytes: usize) -> Result<HashMap<String, Function>> {
    // SAFETY: nvcc's output, which contains its own length.
    let module = doing("loading the kernels", unsafe { result::module::load_data(KERNELS.as_ptr().cast()) })?;
    let mut functions = HashMap::new();
    for name in NAMES.iter().flat_map(|name| ["f16", "bf16"].map(|dtype| name.replace("{}", dtype))) {
        let symbol = CString::new(name.as_str()).expect("kernel names contain no NUL");
        // SAFETY: the module is never unloaded.
        let function = doing("finding a kernel", unsafe { result::module::get_function(module, symbol) })?;
        let shared = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function handle is valid.
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
            // SAFETY: allocated by `allocate` and freed only here; the driver waits for work that uses it.
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
