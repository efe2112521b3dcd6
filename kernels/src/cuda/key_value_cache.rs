//! A decoder's key-value cache. Rows are appended and keep their index.

use super::device::{Cuda, Matrix};
use super::error::{CudaError, Result};
use super::linear::Linear;

/// Initial capacity in rows.
const INITIAL_ROWS: usize = 256;

/// A growing matrix of keys and values. The capacity doubles when it is full.
pub struct KeyValueCache {
    /// (capacity, columns)
    buffer: Matrix,
    rows: usize,
}

impl KeyValueCache {
    /// An empty cache.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(cuda: &Cuda, columns: usize) -> Result<Self> {
        Ok(Self { buffer: cuda.matrix(INITIAL_ROWS, columns)?, rows: 0 })
    }

    /// Appends a layer's output for `x`.
    ///
    /// # Errors
    /// When the layer has another number of outputs than the cache has columns, or there is no memory.
    pub fn append(&mut self, cuda: &Cuda, layer: &Linear, x: &Matrix) -> Result<()> {
        let ((capacity, columns), rows) = (self.buffer.shape(), self.rows + x.shape().0);
        if layer.outputs() != columns {
            return Err(CudaError::Shape(format!(
                "rows of {} columns cannot be appended to a cache of {columns} columns",
                layer.outputs()
            )));
        }
        if rows > capacity {
            let larger = cuda.matrix(rows.next_power_of_two(), columns)?;
            cuda.driver().copy(
                cuda.memory(&self.buffer)?,
                cuda.memory(&larger)?,
                0,
                self.rows * columns * 2,
            )?;
            self.buffer = larger;
        }
        let out = cuda.address(&self.buffer)? + 2 * (self.rows * columns) as u64;
        // SAFETY: the buffer has capacity for the rows of `x` from `out` on.
        unsafe { layer.multiply(cuda, x, out)? };
        self.rows = rows;
        Ok(())
    }

    /// The cached rows, followed by unused capacity with unspecified contents.
    #[must_use]
    pub fn matrix(&self) -> &Matrix {
        &self.buffer
    }
}
