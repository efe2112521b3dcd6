//! Corpora as streams of rows: JSON Lines, JSON arrays, CSV and TSV, plain or compressed, and Parquet, from files, patterns
//! and standard input, in memory that does not grow with the file. Unreadable parts become faults with file, line and
//! reason; reading continues after them where possible.

mod bytes;
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
mod parquet_lengths;
#[cfg(feature = "parquet")]
mod parquet_pages;
mod paths;
mod raw_row;
mod reader;
mod rows;
mod share;
mod source;
mod source_list;
mod table;
#[cfg(test)]
mod tests;
mod values;
mod zstd;

pub use self::fault::{Lost, Origin, Place, RowFault};
pub use self::format::Format;
pub use self::names::{BadRow, DOCUMENT_NAMES, GIVEN_NAMES, Row, RowNames, SUMMARY_NAMES, SUMMARY_SENTENCES};
pub use self::raw_row::RawRow;
pub use self::rows::Rows;
pub use self::share::ReadShare;
pub use self::source::{Input, Source};
pub use self::source_list::document_of;
