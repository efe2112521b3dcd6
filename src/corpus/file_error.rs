//! Why a file of rows, results or a journal cannot be used.

use std::io;
use std::path::Path;

/// A file cannot be used: which one, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    message: String,
    source: Option<io::Error>,
}

impl FileError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None }
    }

    /// `what` is true of the file.
    pub(super) fn of(path: &Path, what: &str) -> Self {
        Self::new(format!("{} {what}", path.display()))
    }

    /// An operation of the file system failed.
    pub(super) fn of_io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let message = format!("cannot {what} {}", path.display());
        move |source| Self { message, source: Some(source) }
    }
}
