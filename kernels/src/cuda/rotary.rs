//! Rotary positions on a GPU (`source/rotary.h`).

use super::arguments::RotaryArguments;
use super::device::{Cuda, Indices, Matrix, Vector};
use super::error::{CudaError, Result};
use crate::attention::Heads;

const THREADS: usize = 128;
const ROWS_PER_BLOCK: usize = THREADS / 32;

/// The rotation of a layer's queries and keys.
pub struct Rotary {
    heads: Heads,
    /// Angles of position 1: (head size / 2).
    steps: Vector,
}

impl Rotary {
    /// Uploads the angles of a rotation on the host.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn new(cuda: &Cuda, rotary: &crate::Rotary) -> Result<Self> {
        Ok(Self { heads: rotary.heads(), steps: cuda.vector(rotary.steps())? })
    }

    /// Turns queries and keys in place: the first `2 * heads * head size` columns of `projections`. `positions`: one a row.
    ///
    /// # Errors
    /// When shapes do not fit together.
    pub fn turn(&self, cuda: &Cuda, projections: &mut Matrix, positions: &Indices) -> Result<()> {
        let ((rows, columns), heads) = (projections.shape(), 2 * self.heads.count);
        if rows != positions.count() || columns < heads * self.heads.size {
            return Err(CudaError::Shape(format!(
                "rotary positions of {:?} were given {rows} rows of {columns} columns and {} positions",
                self.heads,
                positions.count()
            )));
        }
        let arguments = RotaryArguments {
            x: cuda.address(projections)?,
            positions: cuda.address(positions)?,
            steps: cuda.address(&self.steps)?,
            rows: rows as i32,
            stride: columns as i32,
            heads: heads as i32,
            size: self.heads.size as i32,
        };
        let name = format!("rotary_{}", cuda.dtype().name());
        let blocks = (rows.div_ceil(ROWS_PER_BLOCK), 1);
        // SAFETY: the shapes are checked above, and there is a step for each pair of a head's columns.
        unsafe { cuda.launch(&name, (blocks, THREADS), 0, &arguments) }
    }
}
