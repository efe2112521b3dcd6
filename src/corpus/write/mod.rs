//! What `run` writes: its rows as JSON Lines, as they are, or as tables for spreadsheets, data frames and
//! databases: CSV, TSV and Parquet. One row a pair, or one a claim. Tables have fixed columns for what
//! `run` says and one for each field that passed through; what finds no column is kept as JSON in the
//! columns `other` and `input`, so that a table holds what the JSON holds. The same rows give the same
//! bytes. Refuses what is no JSON object, and a cell that Parquet cannot hold.
//!
//! In a table, texts stand as they are, and other values as their JSON; null and what a row lacks are no
//! value: a null of Parquet, and in CSV and TSV an empty cell, where an empty text is `""`.

mod back;
mod columns;
mod delimited;
mod error;
mod explode;
mod format;
mod layout;
mod members;
#[cfg(feature = "parquet")]
mod parquet;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;
use std::io::{BufWriter, Write};

pub use self::back::{is_of_table, row_of_table};
pub use self::error::{Cause, Part, WriteError};
pub use self::format::{OutputFormat, OutputFormatError};

use self::table::{TableKind, TableWriter};

/// Where the bytes go.
type Output = Box<dyn Write + Send>;

const BUFFER_BYTES: usize = 1 << 16;

/// Writes rows, one after another. It buffers; what was written is complete after [`RowWriter::finish`]
/// only.
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
    /// Writes to `out`; `explode`: one row a claim.
    #[must_use]
    pub fn new(format: OutputFormat, explode: bool, out: Box<dyn Write + Send>) -> Self {
        let table = |kind, out| Sink::Table(Box::new(TableWriter::new(kind, explode, out)));
        let sink = match format {
            OutputFormat::JsonLines => Sink::Lines(BufWriter::with_capacity(BUFFER_BYTES, out)),
            OutputFormat::Csv => table(TableKind::Delimited(b','), out),
            OutputFormat::Tsv => table(TableKind::Delimited(b'\t'), out),
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => table(TableKind::Parquet, out),
        };
        Self { explode, rows: 0, sink }
    }

    /// Writes a row: the JSON object that `run` puts together.
    ///
    /// # Errors
    /// A disk that is full, a row that is no object. After an error of the output, no more can be written.
    pub fn write(&mut self, row: &str) -> Result<(), WriteError> {
        self.rows += 1;
        let row = &in_one_line(row);
        let sink = &mut self.sink;
        let written =
            if self.explode { explode::each_claim(row, |row| sink.write(row)) } else { sink.write(row) };
        written.map_err(|cause| WriteError { part: Part::Row(self.rows), cause })
    }

    /// Hands on whole lines that are held, for who reads while rows are written; tables are handed on as they fill.
    ///
    /// # Errors
    /// A disk that is full, a reader that is gone.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        match &mut self.sink {
            Sink::Lines(out) => out
                .flush()
                .map_err(|error| WriteError { part: Part::Row(self.rows), cause: Cause::Io(error) }),
            Sink::Table(_) => Ok(()),
        }
    }

    /// Writes what is still held, and the end of the format.
    ///
    /// # Errors
    /// A disk that is full.
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

/// A field that passed through from a file of indented JSON may hold line ends; in JSON they are space.
fn in_one_line(row: &str) -> Cow<'_, str> {
    if row.contains('\n') || row.contains('\r') { row.replace(['\n', '\r'], " ").into() } else { row.into() }
}
