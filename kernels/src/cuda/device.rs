//! A GPU, its memory, and matrices in it. Memory that is given up is kept for the next that needs as much: all work is
//! on one stream, so who takes it writes after whoever had it before has read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::Tensor;

use super::arguments::Arguments;
use super::driver::{Driver, Launch, Memory, Reading};
use super::dtype::Dtype;
use super::error::{CudaError, Result};
use crate::host::host_values;

/// Oldest compute capability that has the instructions of our kernels.
const OLDEST: (i32, i32) = (8, 0);

/// An open GPU, and the numbers that are used on it. Clones share the GPU.
#[derive(Clone)]
pub struct Cuda {
    shared: Arc<Shared>,
    dtype: Dtype,
}

struct Shared {
    driver: Driver,
    /// Buffers nobody has, by size.
    free: Mutex<HashMap<usize, Vec<Memory>>>,
}

impl Cuda {
    /// Opens the GPU of that number.
    ///
    /// # Errors
    /// When this machine has no such GPU, it is too old, or CUDA's libraries are not there.
    pub fn open(ordinal: usize, dtype: Dtype) -> Result<Self> {
        let driver = Driver::open(ordinal)?;
        if driver.capability() < OLDEST {
            return Err(CudaError::TooOld {
                name: driver.name().to_owned(),
                capability: driver.capability(),
            });
        }
        Ok(Self::with(driver, dtype))
    }

    /// An emulated GPU whose threads take turns the other way round. What a kernel computes must not depend on it.
    #[cfg(feature = "cuda-emulation")]
    #[must_use]
    pub fn reversed(dtype: Dtype) -> Self {
        Self::with(Driver::reversed(), dtype)
    }

    fn with(driver: Driver, dtype: Dtype) -> Self {
        Self { shared: Arc::new(Shared { driver, free: Mutex::default() }), dtype }
    }

    /// The same GPU with other numbers.
    #[must_use]
    pub fn with_dtype(&self, dtype: Dtype) -> Self {
        Self { shared: Arc::clone(&self.shared), dtype }
    }

    /// The numbers of states and weights.
    #[must_use]
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// What the GPU is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.shared.driver.name()
    }

    /// What its results may depend on beside model and pair: compute capability and version of the libraries.
    #[must_use]
    pub fn arithmetic(&self) -> String {
        let (major, minor) = self.shared.driver.capability();
        format!("{major}.{minor} {}", self.shared.driver.libraries())
    }

    pub(super) fn driver(&self) -> &Driver {
        &self.shared.driver
    }

    /// Where something lies, for a kernel on this GPU.
    ///
    /// # Errors
    /// When it lies in another device's memory.
    pub(super) fn address(&self, of: &impl OnDevice) -> Result<u64> {
        Ok(self.memory(of)?.address() + of.first_byte())
    }

    /// The same; 0 for none.
    pub(super) fn address_of(&self, of: Option<&impl OnDevice>) -> Result<u64> {
        of.map_or(Ok(0), |of| self.address(of))
    }

    /// The buffer that something lies in, for copies on this GPU.
    pub(super) fn memory<'o>(&self, of: &'o impl OnDevice) -> Result<&'o Memory> {
        let buffer = of.buffer();
        match Arc::ptr_eq(&buffer.home, &self.shared) {
            true => Ok(buffer.memory()),
            false => Err(CudaError::OtherDevice),
        }
    }

    /// Starts the kernel `name` for our numbers.
    ///
    /// # Safety
    /// Every address in `arguments` is of a buffer that is as large as the kernel asks for and is given up only after
    /// this call.
    pub(super) unsafe fn launch<A: Arguments>(
        &self,
        name: &str,
        (blocks, threads): ((usize, usize), usize),
        shared_bytes: usize,
        arguments: &A,
    ) -> Result<()> {
        if blocks.0 == 0 || blocks.1 == 0 {
            return Ok(());
        }
        // SAFETY: the caller's.
        unsafe { self.driver().launch(&Launch { kernel: name, blocks, threads, shared_bytes }, arguments) }
    }

    /// Memory for so many bytes, holding anything.
    pub(super) fn buffer(&self, bytes: usize) -> Result<DeviceBuffer> {
        let bytes = size_class(bytes);
        let kept = self.free().get_mut(&bytes).and_then(Vec::pop);
        let memory = match kept {
            Some(memory) => memory,
            None => self.driver().allocate(bytes).or_else(|_| {
                // Sizes that nobody needs any more may hold what is missing.
                self.free().clear();
                self.driver().allocate(bytes)
            })?,
        };
        Ok(DeviceBuffer { memory: Some(memory), home: Arc::clone(&self.shared) })
    }

    fn free(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Vec<Memory>>> {
        self.shared.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn filled(&self, bytes: &[u8]) -> Result<DeviceBuffer> {
        let buffer = self.buffer(bytes.len())?;
        self.driver().write(buffer.memory(), bytes)?;
        Ok(buffer)
    }

    /// An empty matrix.
    pub(super) fn matrix(&self, rows: usize, columns: usize) -> Result<Matrix> {
        let buffer = Arc::new(self.buffer(rows * columns * 2)?);
        Ok(Matrix { buffer, rows, columns, dtype: self.dtype })
    }

    /// Matrices of the same columns below each other.
    ///
    /// # Errors
    /// When there are none, or of several columns, or there is no memory.
    pub fn stack(&self, parts: &[Matrix]) -> Result<Matrix> {
        let columns = parts.first().map_or(0, |part| part.columns);
        if parts.is_empty() || parts.iter().any(|part| part.columns != columns) {
            return Err(CudaError::Shape(format!("{} matrices that are no one matrix", parts.len())));
        }
        let all = self.matrix(parts.iter().map(|part| part.rows).sum(), columns)?;
        let mut at = 0;
        for part in parts {
            let bytes = part.rows * columns * 2;
            self.driver().copy(self.memory(part)?, all.buffer.memory(), at, bytes)?;
            at += bytes;
        }
        Ok(all)
    }

    /// A tensor of two or more dimensions as a matrix of our numbers; the last dimension is its columns.
    ///
    /// # Errors
    /// When it is no contiguous f32 tensor in host memory.
    pub fn upload(&self, tensor: &Tensor) -> Result<Matrix> {
        let columns = tensor.dims().last().copied().unwrap_or(1);
        let values = host_values(tensor)?;
        let bytes: Vec<u8> = values.iter().flat_map(|x| self.dtype.round_to_bits(*x).to_le_bytes()).collect();
        let buffer = Arc::new(self.filled(&bytes)?);
        Ok(Matrix { buffer, rows: values.len() / columns.max(1), columns, dtype: self.dtype })
    }

    /// A tensor's values in f32.
    ///
    /// # Errors
    /// As [`Cuda::upload`].
    pub fn upload_wide(&self, tensor: &Tensor) -> Result<Vector> {
        self.vector(&host_values(tensor)?)
    }

    /// Numbers in f32.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn vector(&self, values: &[f32]) -> Result<Vector> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        Ok(Vector { buffer: Arc::new(self.filled(&bytes)?), len: values.len() })
    }

    /// An uninitialized vector.
    pub(super) fn empty_vector(&self, len: usize) -> Result<Vector> {
        Ok(Vector { buffer: Arc::new(self.buffer(len * 4)?), len })
    }

    /// Several lists of whole numbers, in one copy.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn upload_lists(&self, lists: &[&[u32]]) -> Result<Uploaded> {
        // Each list begins at a multiple of 16 bytes.
        let mut starts = Vec::with_capacity(lists.len());
        let mut all: Vec<u32> = Vec::with_capacity(lists.iter().map(|list| list.len() + 4).sum());
        for list in lists {
            let past = list.iter().max().map_or(0, |last| *last as usize + 1);
            starts.push(Stretch { first: all.len(), count: list.len(), past });
            all.extend_from_slice(list);
            all.resize(all.len().next_multiple_of(4), 0);
        }
        let bytes: Vec<u8> = all.iter().flat_map(|x| x.to_le_bytes()).collect();
        Ok(Uploaded { buffer: Arc::new(self.filled(&bytes)?), starts })
    }
}

/// Sizes of buffers: few different ones, at most an eighth too large.
fn size_class(bytes: usize) -> usize {
    let bytes = bytes.max(256);
    let step = (bytes.next_power_of_two() / 16).max(256);
    bytes.next_multiple_of(step)
}

/// Memory that goes back to its GPU's other free memory when it is dropped.
pub(super) struct DeviceBuffer {
    memory: Option<Memory>,
    home: Arc<Shared>,
}

impl DeviceBuffer {
    fn memory(&self) -> &Memory {
        self.memory.as_ref().expect("taken only by drop")
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            let mut free = self.home.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.entry(memory.len()).or_default().push(memory);
        }
    }
}

/// What lies in a GPU's memory. An address of it is given out by [`Cuda::address`] alone, which looks whose it is.
pub(super) trait OnDevice {
    fn buffer(&self) -> &DeviceBuffer;

    /// Where in the buffer it begins.
    fn first_byte(&self) -> u64 {
        0
    }
}

/// A matrix of 16-bit numbers, row by row. Clones share its memory.
#[derive(Clone)]
pub struct Matrix {
    buffer: Arc<DeviceBuffer>,
    rows: usize,
    columns: usize,
    dtype: Dtype,
}

impl Matrix {
    /// `(rows, columns)`.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The columns from `first` on.
    #[must_use]
    pub fn from_column(&self, first: usize) -> Columns<'_> {
        Columns { matrix: self, first }
    }

    /// Begins to copy it to the host.
    ///
    /// # Errors
    /// When it is of another device, or the driver fails.
    pub fn download(&self, cuda: &Cuda) -> Result<Download> {
        let count = self.rows * self.columns;
        let reading = cuda.driver().read(cuda.memory(self)?, count * 2)?;
        Ok(Download { reading, shape: (self.rows, self.columns), dtype: Some(self.dtype) })
    }
}

impl OnDevice for Matrix {
    fn buffer(&self) -> &DeviceBuffer {
        &self.buffer
    }
}

/// A matrix of which the columns from `first` on are meant.
#[derive(Clone, Copy)]
pub struct Columns<'m> {
    pub(super) matrix: &'m Matrix,
    pub(super) first: usize,
}

impl OnDevice for Columns<'_> {
    fn buffer(&self) -> &DeviceBuffer {
        &self.matrix.buffer
    }

    fn first_byte(&self) -> u64 {
        2 * self.first as u64
    }
}

impl Columns<'_> {
    /// Whether every row from there on begins at a multiple of 16 bytes.
    pub(super) fn is_aligned(&self) -> bool {
        self.first.is_multiple_of(8) && self.matrix.columns.is_multiple_of(8)
    }
}

/// Numbers in f32. Clones share their memory.
#[derive(Clone)]
pub struct Vector {
    buffer: Arc<DeviceBuffer>,
    len: usize,
}

impl Vector {
    /// How many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.len
    }

    /// Begins to copy them to the host, as rows of so many columns.
    ///
    /// # Errors
    /// When they are of another device, or the driver fails.
    pub fn download(&self, cuda: &Cuda, columns: usize) -> Result<Download> {
        let reading = cuda.driver().read(cuda.memory(self)?, self.len * 4)?;
        Ok(Download { reading, shape: (self.len / columns.max(1), columns), dtype: None })
    }
}

impl OnDevice for Vector {
    fn buffer(&self) -> &DeviceBuffer {
        &self.buffer
    }
}

/// Lists of whole numbers on the GPU.
pub struct Uploaded {
    buffer: Arc<DeviceBuffer>,
    starts: Vec<Stretch>,
}

/// Where a list stands among others.
#[derive(Clone, Copy)]
struct Stretch {
    first: usize,
    count: usize,
    /// Above every number of it.
    past: usize,
}

impl Uploaded {
    /// The list of that index.
    #[must_use]
    pub fn list(&self, index: usize) -> Indices {
        Indices { buffer: Arc::clone(&self.buffer), stretch: self.starts[index] }
    }
}

/// One list of whole numbers on the GPU.
#[derive(Clone)]
pub struct Indices {
    buffer: Arc<DeviceBuffer>,
    stretch: Stretch,
}

impl Indices {
    /// How many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.stretch.count
    }

    /// A number above each of them, as they were uploaded: a table of so many rows has all rows that they ask for.
    pub(super) fn past(&self) -> usize {
        self.stretch.past
    }
}

impl OnDevice for Indices {
    fn buffer(&self) -> &DeviceBuffer {
        &self.buffer
    }

    fn first_byte(&self) -> u64 {
        4 * self.stretch.first as u64
    }
}

/// Numbers on their way to the host.
pub struct Download {
    reading: Reading,
    shape: (usize, usize),
    /// f32 if none.
    dtype: Option<Dtype>,
}

impl Download {
    /// `(rows, columns)`.
    #[must_use]
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// Waits for the GPU: the numbers, row by row.
    ///
    /// # Errors
    /// When work that was queued before failed.
    pub fn wait(self) -> Result<Vec<f32>> {
        let bytes = self.reading.wait()?;
        Ok(match self.dtype {
            None => bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Some(dtype) => {
                let number = |bytes: &[u8; 2]| dtype.to_f32(u16::from_le_bytes(*bytes));
                bytes.as_chunks::<2>().0.iter().map(number).collect()
            }
        })
    }
}
