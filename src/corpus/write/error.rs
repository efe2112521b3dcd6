//! Why an output could not be written, and where. Output is buffered: an error of the disk may tell of
//! bytes of earlier rows.

use std::error::Error;
use std::fmt;
use std::io;

/// Rows could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {part} of the output")]
pub struct WriteError {
    /// What was being written.
    pub part: Part,
    /// What stopped it.
    #[source]
    pub cause: Cause,
}

/// A part of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A row, counted from 1 in the order in which they were given.
    Row(u64),
    /// What comes behind the last row.
    End,
}

/// What stops writing.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The disk or the pipe.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The row is not what a run puts together.
    #[error("it is not the JSON object of a row")]
    NoRow(#[from] serde_json::Error),
    /// Parquet counts the bytes of a value in 31 bits.
    #[error("column `{column}` has a value of {} MB, too long for Parquet: write JSON Lines", bytes >> 20)]
    TooLong {
        /// The column's name.
        column: String,
        /// The value's length.
        bytes: usize,
    },
    /// The encoder of Parquet.
    #[error(transparent)]
    Parquet(Box<dyn Error + Send + Sync>),
    /// An error stopped the output before.
    #[error("an error stopped the output before")]
    Stopped,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {row}"),
            Self::End => f.write_str("the end"),
        }
    }
}
