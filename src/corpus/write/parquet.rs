//! Parquet: rows are held until a row group is full and then written, so that memory is bounded whatever the number of rows.
//! Texts are UTF-8 strings, integers have 64 bits, other numbers are doubles, and every column is nullable. The bytes of the
//! file depend only on the rows and the encoder's version.

use std::mem;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::columns::Kind;
use super::error::Cause;
use super::layout::Column;
use super::table::{Output, Table};
use super::value::Value;

/// The size at which a group of rows is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) rows: usize,
    /// The size of its values in bytes, before encoding.
    pub(super) bytes: usize,
}

impl Bounds {
    const DEFAULT: Self = Self { rows: 50_000, bytes: 64 << 20 };
}

/// The size of a cell in bytes, apart from its text.
const CELL_BYTES: usize = 16;

/// Writes the rows of a table.
pub(super) struct ParquetTable {
    file: SerializedFileWriter<Output>,
    kinds: Vec<Kind>,
    /// The rows of the unfinished group.
    rows: Vec<Vec<Value>>,
    bytes: usize,
    bounds: Bounds,
}

impl ParquetTable {
    pub(super) fn new(columns: &[Column], out: Output) -> Result<Self, Cause> {
        Self::with_bounds(columns, out, Bounds::DEFAULT)
    }

    pub(super) fn with_bounds(columns: &[Column], out: Output, bounds: Bounds) -> Result<Self, Cause> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = SerializedFileWriter::new(out, schema(columns)?, Arc::new(properties))?;
        let kinds = columns.iter().map(|column| column.kind).collect();
        Ok(Self { file, kinds, rows: Vec::new(), bytes: 0, bounds })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = mem::take(&mut self.rows);
        self.bytes = 0;
        let mut group = self.file.next_row_group()?;
        for (index, kind) in self.kinds.iter().enumerate() {
            let mut column = group.next_column()?.expect("the schema has a column for each kind");
            let cells = rows.iter().map(|row| &row[index]);
            match kind {
                Kind::Text | Kind::Json => write::<ByteArrayType>(&mut column, cells, |cell| match cell {
                    Value::Text(text) => Some(text.as_str().into()),
                    _ => None,
                }),
                Kind::Integer => write::<Int64Type>(&mut column, cells, |cell| match cell {
                    Value::Integer(number) => Some(*number),
                    _ => None,
                }),
                Kind::Real => write::<DoubleType>(&mut column, cells, |cell| match cell {
                    Value::Real { value, .. } => Some(*value),
                    _ => None,
                }),
            }?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl Table for ParquetTable {
    fn write(&mut self, cells: Vec<Value>) -> Result<(), Cause> {
        let text_bytes = |cell: &Value| if let Value::Text(text) = cell { text.len() } else { 0 };
        self.bytes += cells.iter().map(|cell| CELL_BYTES + text_bytes(cell)).sum::<usize>();
        self.rows.push(cells);
        let is_full = self.rows.len() >= self.bounds.rows || self.bytes >= self.bounds.bytes;
        if is_full { Ok(self.write_group()?) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), Cause> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        self.file.finish()?;
        Ok(())
    }
}

/// Writes a column; a cell without a value of its type is null.
fn write<'c, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = &'c Value>,
    value: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<Option<T::T>> = cells.map(value).collect();
    // The definition levels: 1 for a value, 0 for null.
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}

fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields: Result<Vec<TypePtr>, ParquetError> = columns.iter().map(field).collect();
    Ok(Arc::new(Type::group_type_builder("rows").with_fields(fields?).build()?))
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text | Kind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

impl From<ParquetError> for Cause {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast() {
                Ok(error) => Self::Io(*error),
                Err(error) => Self::Parquet(error),
            },
            error => Self::Parquet(error.into()),
        }
    }
}
