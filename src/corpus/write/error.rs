//! Why an output could not be written, and where. Output is buffered: a disk error may concern earlier rows.

use std::error::Error;
use std::fmt;
use std::io;

/// Rows could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {part} of the output")]
pub struct WriteError {
    /// The part that was being written.
    pub part: Part,
    /// The cause.
    #[source]
    pub cause: Cause,
}

/// A part of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A row, from 1, in the order of writing.
    Row(u64),
    /// The part after the last row.
    End,
}

/// The cause of a write error.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The disk or the pipe.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The row is not one that a run produces.
    #[error("it is not the JSON object of a row")]
    InvalidRow(#[from] serde_json::Error),
    /// The Parquet encoder failed.
    #[error(transparent)]
    Parquet(Box<dyn Error + Send + Sync>),
    /// An earlier error ended the output.
    #[error("an earlier error ended the output")]
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
