//! Rows that are kept while more are added: a decoder's keys and values. A row stays at its place.

use super::device::{Cuda, Matrix};
use super::error::{CudaError, Result};
use super::linear::Linear;

/// Rows that there is room for at first.
const LEAST_ROWS: usize = 256;

/// Kept rows. Their room doubles when it is full.
pub struct KeyValueCache {
    /// (room, columns)
    buffer: Matrix,
    rows: usize,
}

impl KeyValueCache {
    /// None yet.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(cuda: &Cuda, columns: usize) -> Result<Self> {
        Ok(Self { buffer: cuda.matrix(LEAST_ROWS, columns)?, rows: 0 })
    }

    /// Adds what a layer makes of `x`: row i of it is at the place of the rows before, plus i.
    ///
    /// # Errors
    /// When the layer makes rows of other columns, or there is no memory.
    pub fn append(&mut self, cuda: &Cuda, layer: &Linear, x: &Matrix) -> Result<()> {
        let ((capacity, columns), rows) = (self.buffer.shape(), self.rows + x.shape().0);
        if layer.outputs() != columns {
            return Err(CudaError::Shape(format!("rows of {} beside those of {columns}", layer.outputs())));
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
        // SAFETY: from there on there is room for the rows of `x`.
        unsafe { layer.multiply(cuda, x, out)? };
        self.rows = rows;
        Ok(())
    }

    /// The rows, and room behind them that holds anything.
    #[must_use]
    pub fn matrix(&self) -> &Matrix {
        &self.buffer
    }
}
