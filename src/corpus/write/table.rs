//! A table to which rows are written, whatever its format.

use std::io::Write;

use super::error::Cause;
use super::value::Value;

/// The destination of the bytes.
pub(super) type Output = Box<dyn Write + Send>;

/// The size of the buffers before it.
pub(super) const BUFFER_BYTES: usize = 1 << 16;

/// A table with a header.
pub(super) trait Table: Send {
    /// Writes a row, one cell per column.
    fn write(&mut self, cells: Vec<Value>) -> Result<(), Cause>;

    /// Writes the rest and the end of the format.
    fn finish(self: Box<Self>) -> Result<(), Cause>;
}
