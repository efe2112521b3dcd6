//! CSV and TSV: cells separated by a delimiter, quoted if they contain a delimiter, a quote or a line end. An empty text is
//! quoted and a missing value is not, a distinction that the crate `csv` cannot write. A spreadsheet computes no cell.

use std::io::{self, BufWriter, Write};

use super::error::Cause;
use super::layout::Column;
use super::table::{BUFFER_BYTES, Output, Table};
use super::value::Value;
use crate::corpus::formulas::as_cell;

/// Writes the rows of a table.
pub(super) struct Delimited {
    delimiter: u8,
    /// Whether texts that begin like formulas are written as they are.
    is_raw: bool,
    line: Vec<u8>,
    out: BufWriter<Output>,
}

impl Delimited {
    /// Writes the header row.
    pub(super) fn new(delimiter: u8, is_raw: bool, columns: &[Column], out: Output) -> io::Result<Self> {
        let out = BufWriter::with_capacity(BUFFER_BYTES, out);
        let mut table = Self { delimiter, is_raw, line: Vec::new(), out };
        let names: Vec<Value> = columns.iter().map(|column| Value::Text(column.name.clone())).collect();
        table.line(&names)?;
        Ok(table)
    }

    fn line(&mut self, cells: &[Value]) -> io::Result<()> {
        self.line.clear();
        for cell in cells {
            match cell {
                Value::Missing => {}
                Value::Text(text) if self.is_raw => self.text(text),
                Value::Text(text) => self.text(&as_cell(text)),
                Value::Integer(number) => write!(self.line, "{number}")?,
                Value::Real { digits, .. } => self.line.extend_from_slice(digits.as_bytes()),
            }
            self.line.push(self.delimiter);
        }
        if let Some(end) = self.line.last_mut() {
            *end = b'\n';
        }
        self.out.write_all(&self.line)
    }

    fn text(&mut self, text: &str) {
        let is_special = |byte| byte == self.delimiter || matches!(byte, b'"' | b'\r' | b'\n');
        if !text.is_empty() && !text.bytes().any(is_special) {
            return self.line.extend_from_slice(text.as_bytes());
        }
        self.line.push(b'"');
        for (index, piece) in text.split('"').enumerate() {
            if index > 0 {
                self.line.extend_from_slice(b"\"\"");
            }
            self.line.extend_from_slice(piece.as_bytes());
        }
        self.line.push(b'"');
    }
}

impl Table for Delimited {
    fn write(&mut self, cells: Vec<Value>) -> Result<(), Cause> {
        Ok(self.line(&cells)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), Cause> {
        Ok(self.out.flush()?)
    }
}
