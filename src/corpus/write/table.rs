//! A table and its first row. The columns of what passed through are those of the first row that tells
//! them. Rows before it are errors of rows that could not be read; they are held back until then, within
//! a bound.

use super::Output;
use super::delimited::Delimited;
use super::error::Cause;
use super::layout::{Column, Layout, input_names};
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::value::Value;

/// Bytes of rows that are held back; behind them the table begins without columns of what passed through.
const MOST_HELD_BYTES: usize = 16 << 20;

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
    a_claim: bool,
    /// Until the table is open.
    out: Option<Output>,
    held: Vec<String>,
    held_bytes: usize,
    table: Option<(Layout, Table)>,
}

enum Table {
    Delimited(Delimited),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetTable>),
}

impl TableWriter {
    pub(super) fn new(kind: TableKind, a_claim: bool, out: Output) -> Self {
        Self { kind, a_claim, out: Some(out), held: Vec::new(), held_bytes: 0, table: None }
    }

    pub(super) fn write(&mut self, row: &str) -> Result<(), Cause> {
        if self.table.is_none() {
            match input_names(row)? {
                Some(names) => self.open(names)?,
                None => return self.hold(row),
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

    fn hold(&mut self, row: &str) -> Result<(), Cause> {
        self.held_bytes += row.len();
        self.held.push(row.to_owned());
        if self.held_bytes > MOST_HELD_BYTES { self.open(Vec::new()) } else { Ok(()) }
    }

    /// Writes the names of the columns, and the rows that waited for them.
    fn open(&mut self, input_names: Vec<String>) -> Result<(), Cause> {
        let out = self.out.take().ok_or(Cause::Stopped)?;
        let layout = Layout::new(self.a_claim, input_names);
        let table = Table::new(self.kind, layout.columns(), out)?;
        self.table = Some((layout, table));
        std::mem::take(&mut self.held).iter().try_for_each(|row| self.put(row))
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
