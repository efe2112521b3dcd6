//! Corpora as streams of rows: JSON Lines, JSON arrays, CSV and TSV, plain or compressed, and Parquet, from files, patterns
//! and standard input, in memory that does not grow with the file. Unreadable parts become faults with file, line and
//! reason; reading continues after them where possible.

mod cells;
mod element;
mod fault;
mod format;
mod json_array;
mod json_lines;
mod lines;
mod names;
mod open;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_json;
#[cfg(feature = "parquet")]
mod parquet_zstd;
mod share;
mod source;
mod source_list;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod zstd;

use std::sync::Arc;

pub use self::fault::{Lost, Origin, Place, RowFault};
pub use self::format::Format;
pub use self::names::{BadRow, DOCUMENT_NAMES, GIVEN_NAMES, Row, RowNames, SUMMARY_NAMES, SUMMARY_SENTENCES};
pub use self::share::ReadShare;
pub use self::source::{Input, Source};
pub use self::source_list::document_of;

use self::fault::Fault;
use self::json_array::JsonArray;
use self::json_lines::JsonLines;
use self::lines::Lines;
use self::open::Text;
#[cfg(feature = "parquet")]
use self::parquet::ParquetRows;
use self::table::Table;
use crate::input::Fields;

/// The maximum size of a row in bytes; a longer one is a fault.
const MAX_ROW_BYTES: usize = 256 << 20;

/// A row as it was read.
#[derive(Debug, Clone)]
pub struct RawRow {
    /// Its file and place.
    pub origin: Origin,
    /// Its fields, in order.
    pub fields: Fields,
}

/// A row from the reader of one file.
type Read = (Place, Fields);

/// The rows of a source, file by file. Ends after a fault that ends the run.
pub struct Rows {
    source: Source,
    /// The index of the current or next input.
    input: usize,
    file: Arc<str>,
    reader: Option<Reader>,
    share: ReadShare,
}

impl Rows {
    fn new(source: Source) -> Self {
        let share = ReadShare::of(source.inputs());
        Self { source, input: 0, file: "".into(), reader: None, share }
    }

    /// Returns the share of the input that was read; it can be polled while another thread reads the rows.
    #[must_use]
    pub fn share(&self) -> ReadShare {
        self.share.clone()
    }

    /// Returns the files in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        self.source.inputs()
    }

    /// Returns the current file's next row, opening the file first if needed; `None` at its end.
    fn read(&mut self) -> Result<Option<Read>, Fault> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let input = &self.source.inputs()[self.input];
                self.file = input.name().into();
                self.reader.insert(Reader::open(input, MAX_ROW_BYTES, &self.share)?)
            }
        };
        reader.next()
    }

    fn next_file(&mut self) {
        self.reader = None;
        self.input += 1;
    }
}

impl Iterator for Rows {
    type Item = Result<RawRow, RowFault>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.input < self.inputs().len() {
            let read = self.read();
            if !matches!(read, Ok(None)) {
                self.share.add_row();
            }
            let origin = |place| Origin { file: Arc::clone(&self.file), place };
            match read {
                Ok(Some((place, fields))) => return Some(Ok(RawRow { origin: origin(place), fields })),
                Ok(None) => self.next_file(),
                Err(Fault { place, reason, argument, lost }) => {
                    let fault = RowFault { origin: origin(place), reason, argument, lost };
                    match lost {
                        Lost::Row => {}
                        Lost::File => self.next_file(),
                        Lost::Run => (self.input, self.reader) = (usize::MAX, None),
                    }
                    return Some(Err(fault));
                }
            }
        }
        None
    }
}

/// The reader of one file.
enum Reader {
    Lines(JsonLines),
    Array(JsonArray),
    Table(Table),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

impl Reader {
    fn open(input: &Input, max_row_bytes: usize, share: &ReadShare) -> Result<Self, Fault> {
        match input.format {
            #[cfg(feature = "parquet")]
            Format::Parquet => Ok(Self::Parquet(Box::new(ParquetRows::open(&input.path, share)?))),
            format => Self::of_text(open::text_of(input, share)?, format, max_row_bytes),
        }
    }

    fn of_text(mut text: Text, format: Format, max_row_bytes: usize) -> Result<Self, Fault> {
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

    fn next(&mut self) -> Result<Option<Read>, Fault> {
        match self {
            Self::Lines(lines) => lines.next(),
            Self::Array(array) => array.next(),
            Self::Table(table) => table.next(),
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => rows.next(),
        }
    }
}
