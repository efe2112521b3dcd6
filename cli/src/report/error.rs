//! Why a report could not be made.

use std::io;
use std::path::PathBuf;

use veridic::corpus::read::RowFault;

/// The result of this module's functions.
pub(super) type Result<T> = std::result::Result<T, ReportError>;

/// A report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A row cannot be read or used.
    #[error(transparent)]
    Row(#[from] RowFault),
    /// There is nothing to report.
    #[error("{0} has no judged rows: give a file that `veridic run` wrote")]
    NoRows(String),
    /// Labels were asked for, and no row has one.
    #[error("no row of {file} has the field `{field}`: name the field of the labels, or leave --label out")]
    NoLabels {
        /// What people call the file.
        file: String,
        /// The field that was asked for.
        field: String,
    },
    /// Rows without ids, of which some were left out, cannot be told apart.
    #[error("{0} has more rows than were judged: give the very rows that were, or rows with ids")]
    MoreSources(String),
    /// The report cannot be written.
    #[error("cannot write the report")]
    Write(#[from] io::Error),
    /// The report's file cannot be written.
    #[error("cannot write {}", path.display())]
    WriteFile {
        /// Where it should be.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is there already.
    #[error("{} exists: remove it or choose another output", .0.display())]
    Exists(PathBuf),
}
