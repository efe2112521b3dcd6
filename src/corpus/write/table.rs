//! A table and its header. The columns of fields that passed through are those of the first row that was read. Rows before
//! it are errors of rows that could not be read; they are buffered until then, within a bound.

use super::Output;
use super::delimited::Delimited;
use super::error::Cause;
use super::layout::{Column, Layout, input_names};
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::value::Value;

/// Most bytes of buffered rows; above it the table begins without columns of fields that passed through.
const MAX_BUFFERED_BYTES: usize = 16 << 20;

/// How a table is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum TableKind {
    /// As text, with this delimiter.
    Delimited(u8),
    #[cfg(feature = "parquet")]
    Parquet,
}

/// Writes rows as a table.
pub(super) struct TableWriter {
    kind: TableKind,
    per_claim: bool,
    /// None once the table is open.
    out: Option<Output>,
    buffered: Vec<String>,
    buffered_bytes: usize,
    table: Option<(Layout, Table)>,
}

enum Table {
    Delimited(Delimited),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetTable>),
}

impl TableWriter {
    pub(super) fn new(kind: TableKind, per_claim: bool, out: Output) -> Self {
        Self { kind, per_claim, out: Some(out), buffered: Vec::new(), buffered_bytes: 0, table: None }
    }

    pub(super) fn write(&mut self, row: &str) -> Result<(), Cause> {
        if self.table.is_none() {
            match input_names(row)? {
                Some(names) => self.open(names)?,
                None => return self.buffer(row),
            }
        }
        self.put(row)
    }

    pub(super) fn finish(mut self) -> Result<(), Cause> {
        if self.table.is_none() {
            self.open(Vec::new())?;
        }
        let (_, table) = self.table.ok_or(Cause::Stopped)?;
        table.finish()
    }

    fn buffer(&mut self, row: &str) -> Result<(), Cause> {
        self.buffered_bytes += row.len();
        self.buffered.push(row.to_owned());
        if self.buffered_bytes > MAX_BUFFERED_BYTES { self.open(Vec::new()) } else { Ok(()) }
    }

    /// Writes the header and the buffered rows.
    fn open(&mut self, input_names: Vec<String>) -> Result<(), Cause> {
        let out = self.out.take().ok_or(Cause::Stopped)?;
        let layout = Layout::new(self.per_claim, input_names);
        let table = Table::new(self.kind, layout.columns(), out)?;
        self.table = Some((layout, table));
        std::mem::take(&mut self.buffered).iter().try_for_each(|row| self.put(row))
    }

    fn put(&mut self, row: &str) -> Result<(), Cause> {
        let (layout, table) = self.table.as_mut().ok_or(Cause::Stopped)?;
        table.write(&layout.cells(row)?)
    }
}

impl Table {
    fn new(kind: TableKind, columns: &[Column], out: Output) -> Result<Self, Cause> {
        Ok(match kind {
            TableKind::Delimited(delimiter) => Self::Delimited(Delimited::new(delimiter, columns, out)?),
            #[cfg(feature = "parquet")]
            TableKind::Parquet => Self::Parquet(Box::new(ParquetTable::new(columns, out)?)),
        })
    }

    fn write(&mut self, cells: &[Value<'_>]) -> Result<(), Cause> {
        match self {
            Self::Delimited(table) => Ok(table.write(cells)?),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.write(cells),
        }
    }

    fn finish(self) -> Result<(), Cause> {
        match self {
            Self::Delimited(table) => Ok(table.finish()?),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.finish(),
        }
    }
}
