//! Writes rows as a table. The columns of fields that passed through are those of the first row that was read. Rows before
//! it are errors of unreadable rows; they are buffered until then, within a bound.

use super::columns::Shape;
use super::delimited::Delimited;
use super::error::Cause;
use super::format::OutputFormat;
use super::layout::{Layout, input_names};
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::summed::{SUM, summed};
use super::table::{Output, Table};
use crate::input::Fields;

/// The maximum size of buffered rows in bytes; beyond it the table begins without columns of fields that passed through.
const MAX_BUFFERED_BYTES: usize = 16 << 20;

/// Writes rows as a table.
pub(super) struct TableWriter {
    format: OutputFormat,
    shape: Shape,
    /// None once the table is open.
    out: Option<Output>,
    buffered: Vec<Fields>,
    buffered_bytes: usize,
    table: Option<(Layout, Box<dyn Table>)>,
}

impl TableWriter {
    pub(super) fn new(format: OutputFormat, shape: Shape, out: Output) -> Self {
        Self { format, shape, out: Some(out), buffered: Vec::new(), buffered_bytes: 0, table: None }
    }

    pub(super) fn write(&mut self, json: &str) -> Result<(), Cause> {
        let mut row: Fields = serde_json::from_str(json)?;
        if let Some(sum) = summed(&row) {
            row.push(SUM, sum);
        }
        if self.table.is_none() {
            match input_names(&row) {
                Some(names) => self.open(names)?,
                None => {
                    self.buffered_bytes += json.len();
                    self.buffered.push(row);
                    let is_full = self.buffered_bytes > MAX_BUFFERED_BYTES;
                    return if is_full { self.open(Vec::new()) } else { Ok(()) };
                }
            }
        }
        self.put(&row)
    }

    pub(super) fn finish(mut self) -> Result<(), Cause> {
        if self.table.is_none() {
            self.open(Vec::new())?;
        }
        let (_, table) = self.table.ok_or(Cause::Stopped)?;
        table.finish()
    }

    /// Writes the header and the buffered rows.
    fn open(&mut self, input_names: Vec<String>) -> Result<(), Cause> {
        let out = self.out.take().ok_or(Cause::Stopped)?;
        let (layout, is_raw) = (Layout::new(self.shape, input_names), self.shape.raw_cells);
        let table: Box<dyn Table> = match self.format {
            #[cfg(feature = "parquet")]
            OutputFormat::Parquet => Box::new(ParquetTable::new(layout.columns(), out)?),
            OutputFormat::Tsv => Box::new(Delimited::new(b'\t', is_raw, layout.columns(), out)?),
            _ => Box::new(Delimited::new(b',', is_raw, layout.columns(), out)?),
        };
        self.table = Some((layout, table));
        std::mem::take(&mut self.buffered).iter().try_for_each(|row| self.put(row))
    }

    fn put(&mut self, row: &Fields) -> Result<(), Cause> {
        let (layout, table) = self.table.as_mut().ok_or(Cause::Stopped)?;
        table.write(layout.cells(row))
    }
}
