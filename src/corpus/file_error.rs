//! Why a file of rows, results or a journal cannot be used.

use std::io;
use std::path::Path;

/// An unusable file: its name, the problem and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    message: String,
    /// The argument of the run that the message names by its key, as in `input_format`.
    pub argument: Option<&'static str>,
    source: Option<io::Error>,
}

impl FileError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), argument: None, source: None }
    }

    /// Adds the argument that the message names.
    pub(super) fn naming(self, argument: &'static str) -> Self {
        Self { argument: Some(argument), ..self }
    }

    /// Creates an error from `what`, a predicate of the file.
    pub(super) fn of(path: &Path, what: &str) -> Self {
        Self::new(format!("{} {what}", path.display()))
    }

    /// Wraps a failed file system operation.
    pub(super) fn of_io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let message = format!("cannot {what} {}", path.display());
        move |source| Self { message, argument: None, source: Some(source) }
    }
}
