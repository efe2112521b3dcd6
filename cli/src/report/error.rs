//! Why a report could not be made.

use std::io;
use std::path::PathBuf;

use veridic::corpus::FileError;
use veridic::corpus::read::RowFault;

/// The result of this module's functions.
pub(super) type Result<T> = std::result::Result<T, ReportError>;

/// A report could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    /// A row cannot be read or used.
    #[error(transparent)]
    Row(#[from] RowFault),
    /// No row was judged.
    #[error("{0} has no judged rows: give a file that `veridic run` wrote")]
    NoRows(String),
    /// A field of labels or groups was given, and no row has it.
    #[error("no row of {file} has the field `{field}`: give another field in --label or --group-by")]
    NoField {
        /// The name of the file.
        file: String,
        /// The requested field.
        field: String,
    },
    /// The source has more rows than were judged; without ids they cannot be matched.
    #[error("{0} has more rows than were judged: give exactly the rows that were judged, or rows with ids")]
    MoreSources(String),
    /// The report cannot be written.
    #[error("cannot write the report")]
    Write(#[from] io::Error),
    /// The report's file cannot be written.
    #[error("cannot write {}", path.display())]
    WriteFile {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The report's file exists already, or cannot be created or renamed.
    #[error(transparent)]
    File(#[from] FileError),
}
