//! Parquet: a group of rows is held in columns and written when it is full, so that memory is bounded whatever the number
//! of rows. Texts are UTF-8 strings, integers have 64 bits, other numbers are doubles, and every column may be null. The
//! bytes of the file depend on the rows and the encoder's version alone.

use std::mem;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use super::Output;
use super::columns::Kind;
use super::error::Cause;
use super::layout::Column;
use super::value::Value;

/// The size at which a group of rows is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) rows: usize,
    /// Bytes in memory, before encoding.
    pub(super) bytes: usize,
}

impl Bounds {
    const DEFAULT: Self = Self { rows: 50_000, bytes: 64 << 20 };
}

/// Bytes of a cell beside its text.
const CELL_BYTES: usize = 16;
/// Most bytes of a text; the limit of the format is twice as much.
const MAX_TEXT_BYTES: usize = 1 << 30;

/// Writes the rows of a table.
pub(super) struct ParquetTable {
    file: SerializedFileWriter<Output>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    bytes: usize,
    bounds: Bounds,
}

/// A column of the group that is not written yet.
struct ColumnBuffer {
    name: String,
    /// 1 for a value, 0 for null: the definition levels.
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    /// The texts concatenated, and where each ends.
    Texts {
        bytes: Vec<u8>,
        ends: Vec<usize>,
    },
    Integers(Vec<i64>),
    Reals(Vec<f64>),
}

impl ParquetTable {
    pub(super) fn new(columns: &[Column], out: Output) -> Result<Self, Cause> {
        Self::with_bounds(columns, out, Bounds::DEFAULT)
    }

    pub(super) fn with_bounds(columns: &[Column], out: Output, bounds: Bounds) -> Result<Self, Cause> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = SerializedFileWriter::new(out, schema(columns)?, Arc::new(properties))?;
        let columns = columns.iter().map(ColumnBuffer::of).collect();
        Ok(Self { file, columns, rows: 0, bytes: 0, bounds })
    }

    pub(super) fn write(&mut self, cells: &[Value<'_>]) -> Result<(), Cause> {
        for (column, cell) in self.columns.iter().zip(cells) {
            column.check(cell)?;
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.bytes += CELL_BYTES + column.push(cell);
        }
        self.rows += 1;
        if self.rows >= self.bounds.rows || self.bytes >= self.bounds.bytes {
            self.write_group()?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Cause> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.file.finish()?;
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for buffer in &mut self.columns {
            let mut column = group.next_column()?.expect("the schema has a column for each buffer");
            buffer.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
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

impl ColumnBuffer {
    fn of(column: &Column) -> Self {
        let values = match column.kind {
            Kind::Text | Kind::Json => Values::Texts { bytes: Vec::new(), ends: Vec::new() },
            Kind::Integer => Values::Integers(Vec::new()),
            Kind::Real => Values::Reals(Vec::new()),
        };
        Self { name: column.name.clone(), levels: Vec::new(), values }
    }

    fn check(&self, cell: &Value<'_>) -> Result<(), Cause> {
        match cell {
            Value::Text(text) if text.len() > MAX_TEXT_BYTES => {
                Err(Cause::TooLong { column: self.name.clone(), bytes: text.len() })
            }
            _ => Ok(()),
        }
    }

    /// Adds a cell and returns the bytes of its text.
    fn push(&mut self, cell: &Value<'_>) -> usize {
        self.levels.push(i16::from(!cell.is_missing()));
        match (&mut self.values, cell) {
            (_, Value::Missing) => 0,
            (Values::Texts { bytes, ends }, Value::Text(text)) => {
                bytes.extend_from_slice(text.as_bytes());
                ends.push(bytes.len());
                text.len()
            }
            (Values::Integers(numbers), Value::Integer(number)) => {
                numbers.push(*number);
                0
            }
            (Values::Reals(numbers), Value::Real { value, .. }) => {
                numbers.push(*value);
                0
            }
            _ => unreachable!("a value has its column's kind"),
        }
    }

    /// Writes the column and empties the buffer.
    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = mem::take(&mut self.levels);
        match &mut self.values {
            Values::Texts { bytes, ends } => {
                let texts = split(mem::take(bytes), &mem::take(ends));
                write::<ByteArrayType>(column, &texts, &levels)
            }
            Values::Integers(numbers) => write::<Int64Type>(column, &mem::take(numbers), &levels),
            Values::Reals(numbers) => write::<DoubleType>(column, &mem::take(numbers), &levels),
        }
    }
}

/// Splits concatenated texts without copying them.
fn split(bytes: Vec<u8>, ends: &[usize]) -> Vec<ByteArray> {
    let bytes = ByteArray::from(bytes);
    let mut begin = 0;
    ends.iter()
        .map(|&end| {
            let begin = mem::replace(&mut begin, end);
            bytes.slice(begin, end - begin)
        })
        .collect()
}

fn write<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: &[i16],
) -> Result<(), ParquetError> {
    column.typed::<T>().write_batch(values, Some(levels), None)?;
    Ok(())
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
