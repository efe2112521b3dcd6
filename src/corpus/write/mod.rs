//! Writes the rows of `run` as JSON Lines, or as tables for spreadsheets, data frames and databases: CSV, TSV and Parquet;
//! one row per pair, or one per claim. Tables have fixed columns for the fields of `run`, few or all, and one for each field
//! that passed through; values without a column are kept as JSON in the columns `other` and `input`, so that a table with all
//! columns has everything that the JSON has. The same rows give the same bytes. Refuses rows that are not JSON objects.
//!
//! In a table, texts are written as they are, and other values as their JSON. Null and missing fields are null in Parquet
//! and an empty cell in CSV and TSV, where an empty text is `""`.

mod back;
mod columns;
mod delimited;
mod error;
mod explode;
mod format;
mod layout;
#[cfg(feature = "parquet")]
mod parquet;
mod summed;
mod table;
mod table_writer;
#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;
use std::io::{BufWriter, Write};

pub use self::back::{TableFault, is_of_table, row_of_table};
pub use self::columns::{Columns, Shape};
pub use self::error::WriteError;
use self::error::{Cause, Part};
pub use self::format::OutputFormat;
use self::table::{BUFFER_BYTES, Output};
use self::table_writer::TableWriter;

/// Writes rows one by one through a buffer; the output is complete only after [`RowWriter::finish`].
pub struct RowWriter {
    explode: bool,
    rows: u64,
    sink: Sink,
}

enum Sink {
    Lines(BufWriter<Output>),
    Table(Box<TableWriter>),
}

impl RowWriter {
    /// Creates a writer to `out`.
    #[must_use]
    pub fn new(format: OutputFormat, shape: Shape, out: Box<dyn Write + Send>) -> Self {
        let sink = match format {
            OutputFormat::JsonLines => Sink::Lines(BufWriter::with_capacity(BUFFER_BYTES, out)),
            format => Sink::Table(Box::new(TableWriter::new(format, shape, out))),
        };
        Self { explode: shape.explode, rows: 0, sink }
    }

    /// Writes a row, a JSON object that `run` produced.
    ///
    /// # Errors
    /// If the output fails, as on a full disk, or the row is not an object. After an error of the output, nothing more can
    /// be written.
    pub fn write(&mut self, row: &str) -> Result<(), WriteError> {
        self.rows += 1;
        let row = &in_one_line(row);
        let sink = &mut self.sink;
        let written =
            if self.explode { explode::each_claim(row, |row| sink.write(row)) } else { sink.write(row) };
        written.map_err(|cause| WriteError { part: Part::Row(self.rows), cause })
    }

    /// Flushes the buffered lines, so that they can be read during the run. Tables are written in blocks.
    ///
    /// # Errors
    /// If the output fails, as on a full disk or a closed pipe.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        match &mut self.sink {
            Sink::Lines(out) => out
                .flush()
                .map_err(|error| WriteError { part: Part::Row(self.rows), cause: Cause::Io(error) }),
            Sink::Table(_) => Ok(()),
        }
    }

    /// Writes the rest of the buffer and the end of the format.
    ///
    /// # Errors
    /// If the output fails, as on a full disk.
    pub fn finish(self) -> Result<(), WriteError> {
        let finished = match self.sink {
            Sink::Lines(mut out) => out.flush().map_err(Cause::Io),
            Sink::Table(table) => table.finish(),
        };
        finished.map_err(|cause| WriteError { part: Part::End, cause })
    }
}

impl Sink {
    fn write(&mut self, row: &str) -> Result<(), Cause> {
        match self {
            Self::Lines(out) => {
                out.write_all(row.as_bytes())?;
                Ok(out.write_all(b"\n")?)
            }
            Self::Table(table) => table.write(row),
        }
    }
}

/// Joins the lines of a field from indented JSON; between JSON tokens, line ends are white space.
fn in_one_line(row: &str) -> Cow<'_, str> {
    if row.contains('\n') || row.contains('\r') { row.replace(['\n', '\r'], " ").into() } else { row.into() }
}
