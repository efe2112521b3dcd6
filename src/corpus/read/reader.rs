//! The reader of one file, by its format.

use super::bytes::Text;
use super::fault::Fault;
use super::format::Format;
use super::json_array::{self, JsonArray};
use super::json_lines::JsonLines;
use super::lines::Lines;
use super::open;
#[cfg(feature = "parquet")]
use super::parquet::ParquetRows;
use super::raw_row::Read;
use super::share::ReadShare;
use super::source::Input;
use super::table::Table;

/// The maximum size of a row in bytes; a longer one is a fault.
pub(super) const MAX_ROW_BYTES: usize = 256 << 20;

/// The reader of one file.
pub(super) enum Reader {
    Lines(JsonLines),
    Array(JsonArray),
    Table(Table),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

impl Reader {
    pub(super) fn open(input: &Input, max_row_bytes: usize, share: &ReadShare) -> Result<Self, Fault> {
        match input.format {
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(Self::Parquet(Box::new(ParquetRows::open(&input.path, share)?))),
            format => Self::of_text(open::text_of(input, share)?, format, max_row_bytes),
        }
    }

    pub(super) fn of_text(mut text: Text, format: Format, max_row_bytes: usize) -> Result<Self, Fault> {
        let mut line_ends = 0;
        let is_array =
            format == Format::Json && json_array::skip_space(&mut text, &mut line_ends)? == Some(b'[');
        if is_array {
            return Ok(Self::Array(JsonArray::new(text, line_ends, max_row_bytes)));
        }
        let lines = Lines::new(text, line_ends, max_row_bytes);
        Ok(match format {
            Format::Csv => Self::Table(Table::new(lines, b',')),
            Format::Tsv => Self::Table(Table::new(lines, b'\t')),
            Format::JsonLines | Format::Json | Format::Parquet => Self::Lines(JsonLines::new(lines)),
        })
    }

    pub(super) fn next(&mut self) -> Result<Option<Read>, Fault> {
        match self {
            Self::Lines(lines) => lines.next(),
            Self::Array(array) => array.next(),
            Self::Table(table) => table.next(),
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => rows.next(),
        }
    }
}
