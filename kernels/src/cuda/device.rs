//! A GPU, its memory and the matrices in it. Freed buffers are kept and reused. This is safe because all work is on one
//! stream: the next user of a buffer writes after the previous one has read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::Tensor;

use super::arguments::Arguments;
use super::driver::{Driver, Launch, Memory, Reading};
use super::dtype::Dtype;
use super::error::{CudaError, Result};
use crate::host::host_values;

/// An open GPU and the dtype in use on it. Clones share the GPU.
#[derive(Clone)]
pub struct Cuda {
    shared: Arc<Shared>,
    dtype: Dtype,
}

struct Shared {
    driver: Driver,
    /// Free buffers by size.
    free: Mutex<HashMap<usize, Vec<Memory>>>,
}

impl Cuda {
    /// Opens the GPU with this ordinal.
    ///
    /// # Errors
    /// When this machine has no such GPU, the GPU is too old, or CUDA's libraries are missing.
    pub fn open(ordinal: usize, dtype: Dtype) -> Result<Self> {
        Ok(Self::with(Driver::open(ordinal)?, dtype))
    }

    /// An emulated GPU that runs threads in reverse order, on which no result may depend.
    #[cfg(feature = "cuda-emulation")]
    #[must_use]
    pub fn reversed(dtype: Dtype) -> Self {
        Self::with(Driver::reversed(), dtype)
    }

    fn with(driver: Driver, dtype: Dtype) -> Self {
        Self { shared: Arc::new(Shared { driver, free: Mutex::default() }), dtype }
    }

    /// The same GPU with another dtype.
    #[must_use]
    pub fn with_dtype(&self, dtype: Dtype) -> Self {
        Self { shared: Arc::clone(&self.shared), dtype }
    }

    /// The dtype of states and weights.
    #[must_use]
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The name of the GPU.
    #[must_use]
    pub fn name(&self) -> &str {
        self.shared.driver.name()
    }

    /// The compute capability and library versions, on which results may depend.
    #[must_use]
    pub fn arithmetic(&self) -> String {
        let (major, minor) = self.shared.driver.capability();
        format!("{major}.{minor} {}", self.shared.driver.libraries())
    }

    pub(super) fn driver(&self) -> &Driver {
        &self.shared.driver
    }

    /// The device address of `of`, for kernels on this GPU.
    ///
    /// # Errors
    /// When `of` is in another device's memory.
    pub(super) fn address(&self, of: &impl OnDevice) -> Result<u64> {
        Ok(self.memory(of)?.address() + of.first_byte())
    }

    /// As [`Self::address`]; 0 for none.
    pub(super) fn address_of(&self, of: Option<&impl OnDevice>) -> Result<u64> {
        of.map_or(Ok(0), |of| self.address(of))
    }

    /// The memory of `of`, for copies on this GPU.
    pub(super) fn memory<'o>(&self, of: &'o impl OnDevice) -> Result<&'o Memory> {
        let buffer = of.buffer();
        match Arc::ptr_eq(&buffer.owner, &self.shared) {
            true => Ok(buffer.memory()),
            false => Err(CudaError::OtherDevice),
        }
    }

    /// Launches the kernel `name`.
    ///
    /// # Safety
    /// Every address in `arguments` points to a buffer that is large enough for the kernel and is freed only after this
    /// call.
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
        // SAFETY: guaranteed by the caller.
        unsafe { self.driver().launch(&Launch { kernel: name, blocks, threads, shared_bytes }, arguments) }
    }

    /// Allocates a buffer with unspecified contents.
    pub(super) fn allocate(&self, bytes: usize) -> Result<DeviceBuffer> {
        let bytes = size_class(bytes);
        let kept = self.free().get_mut(&bytes).and_then(Vec::pop);
        let memory = match kept {
            Some(memory) => memory,
            None => self.driver().allocate(bytes).or_else(|_| {
                // Free buffers of other sizes may hold the missing memory.
                self.free().clear();
                self.driver().allocate(bytes)
            })?,
        };
        Ok(DeviceBuffer { memory: Some(memory), owner: Arc::clone(&self.shared) })
    }

    fn free(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Vec<Memory>>> {
        self.shared.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn upload_bytes(&self, bytes: &[u8]) -> Result<DeviceBuffer> {
        let buffer = self.allocate(bytes.len())?;
        self.driver().write(buffer.memory(), bytes)?;
        Ok(buffer)
    }

    /// A matrix with unspecified contents.
    pub(super) fn matrix(&self, rows: usize, columns: usize) -> Result<Matrix> {
        let buffer = Arc::new(self.allocate(rows * columns * 2)?);
        Ok(Matrix { buffer, rows, columns, dtype: self.dtype })
    }

    /// Concatenates matrices of equal width by rows.
    ///
    /// # Errors
    /// When there are none, their widths differ, or there is no memory.
    pub fn stack(&self, parts: &[Matrix]) -> Result<Matrix> {
        let columns = parts.first().map_or(0, |part| part.columns);
        if parts.is_empty() || parts.iter().any(|part| part.columns != columns) {
            return Err(CudaError::Shape(format!(
                "{} matrices of different widths cannot be stacked",
                parts.len()
            )));
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

    /// Uploads a tensor as a matrix in the device's dtype; the last dimension becomes the columns.
    ///
    /// # Errors
    /// When it is not a contiguous f32 tensor in host memory, or there is no memory.
    pub fn upload(&self, tensor: &Tensor) -> Result<Matrix> {
        let columns = tensor.dims().last().copied().unwrap_or(1);
        let values = host_values(tensor)?;
        let bytes: Vec<u8> = values.iter().flat_map(|x| self.dtype.round_to_bits(*x).to_le_bytes()).collect();
        let buffer = Arc::new(self.upload_bytes(&bytes)?);
        Ok(Matrix { buffer, rows: values.len() / columns.max(1), columns, dtype: self.dtype })
    }

    /// Uploads a tensor's values in f32.
    ///
    /// # Errors
    /// As [`Cuda::upload`].
    pub(super) fn upload_wide(&self, tensor: &Tensor) -> Result<Vector> {
        self.vector(&host_values(tensor)?)
    }

    /// Uploads values in f32.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn vector(&self, values: &[f32]) -> Result<Vector> {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        Ok(Vector { buffer: Arc::new(self.upload_bytes(&bytes)?), len: values.len() })
    }

    /// A vector with unspecified contents.
    pub(super) fn empty_vector(&self, len: usize) -> Result<Vector> {
        Ok(Vector { buffer: Arc::new(self.allocate(len * 4)?), len })
    }

    /// Uploads several lists of integers in one copy.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn upload_lists(&self, lists: &[&[u32]]) -> Result<IndexLists> {
        // Each list starts at a multiple of 16 bytes.
        let mut spans = Vec::with_capacity(lists.len());
        let mut all: Vec<u32> = Vec::with_capacity(lists.iter().map(|list| list.len() + 4).sum());
        for list in lists {
            let end = list.iter().max().map_or(0, |last| *last as usize + 1);
            spans.push(ListSpan { first: all.len(), count: list.len(), end });
            all.extend_from_slice(list);
            all.resize(all.len().next_multiple_of(4), 0);
        }
        let bytes: Vec<u8> = all.iter().flat_map(|x| x.to_le_bytes()).collect();
        Ok(IndexLists { buffer: Arc::new(self.upload_bytes(&bytes)?), spans })
    }
}

/// Rounds a buffer size up to one of few classes, by at most an eighth.
fn size_class(bytes: usize) -> usize {
    let bytes = bytes.max(256);
    let step = (bytes.next_power_of_two() / 16).max(256);
    bytes.next_multiple_of(step)
}

/// A buffer that returns to its GPU's free buffers when it is dropped.
pub(super) struct DeviceBuffer {
    memory: Option<Memory>,
    owner: Arc<Shared>,
}

impl DeviceBuffer {
    fn memory(&self) -> &Memory {
        self.memory.as_ref().expect("taken only by drop")
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            let mut free = self.owner.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.entry(memory.len()).or_default().push(memory);
        }
    }
}

/// Data in a GPU's memory. Only [`Cuda::address`] returns its address, after checking the device.
pub(super) trait OnDevice {
    fn buffer(&self) -> &DeviceBuffer;

    /// The offset of the data in the buffer.
    fn first_byte(&self) -> u64 {
        0
    }
}

/// A row-major matrix of 16-bit values. Clones share its memory.
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

    /// Starts to copy the matrix to the host.
    ///
    /// # Errors
    /// When it is on another device, or the driver fails.
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

/// The columns of a matrix from `first` on.
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
    /// Whether the columns of every row start at a multiple of 16 bytes.
    pub(super) fn is_aligned(&self) -> bool {
        self.first.is_multiple_of(8) && self.matrix.columns.is_multiple_of(8)
    }
}

/// Values in f32. Clones share their memory.
#[derive(Clone)]
pub struct Vector {
    buffer: Arc<DeviceBuffer>,
    len: usize,
}

impl Vector {
    /// The number of values.
    #[must_use]
    pub fn count(&self) -> usize {
        self.len
    }

    /// Starts to copy the values to the host, as rows of `columns` values.
    ///
    /// # Errors
    /// When they are on another device, or the driver fails.
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

/// Lists of integers on the GPU, in one buffer.
pub struct IndexLists {
    buffer: Arc<DeviceBuffer>,
    spans: Vec<ListSpan>,
}

/// The position of a list in its buffer.
#[derive(Clone, Copy)]
struct ListSpan {
    first: usize,
    count: usize,
    /// One more than the largest element.
    end: usize,
}

impl IndexLists {
    /// The list with this index.
    #[must_use]
    pub fn list(&self, index: usize) -> Indices {
        Indices { buffer: Arc::clone(&self.buffer), span: self.spans[index] }
    }
}

/// A list of integers on the GPU.
#[derive(Clone)]
pub struct Indices {
    buffer: Arc<DeviceBuffer>,
    span: ListSpan,
}

impl Indices {
    /// The number of elements.
    #[must_use]
    pub fn count(&self) -> usize {
        self.span.count
    }

    /// One more than the largest element: a table with this many rows contains all indices.
    pub(super) fn end(&self) -> usize {
        self.span.end
    }
}

impl OnDevice for Indices {
    fn buffer(&self) -> &DeviceBuffer {
        &self.buffer
    }

    fn first_byte(&self) -> u64 {
        4 * self.span.first as u64
    }
}

/// A pending copy to the host.
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

    /// Waits for the GPU and returns the values in row-major order.
    ///
    /// # Errors
    /// When previously queued work failed.
    pub fn wait(self) -> Result<Vec<f32>> {
        let bytes = self.reading.wait()?;
        Ok(match self.dtype {
            None => bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Some(dtype) => {
                let value = |bytes: &[u8; 2]| dtype.to_f32(u16::from_le_bytes(*bytes));
                bytes.as_chunks::<2>().0.iter().map(value).collect()
            }
        })
    }
}
