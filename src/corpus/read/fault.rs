//! The place of a row, and faults: the place, the reason, and how much cannot be read. A reason names the kind of the wrong
//! value and never quotes it.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The file as a whole.
    File,
    /// The line where a row begins, from 1.
    Line(usize),
    /// The row, from 1, in formats without lines.
    Row(usize),
}

/// The file and place of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The input's name in messages.
    pub file: Arc<str>,
    /// The place in it.
    pub place: Place,
}

/// How much cannot be read because of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// This row; reading continues with the next one.
    Row,
    /// The rest of this file; reading continues with the next file.
    File,
    /// Everything that was not read yet: a disk or a pipe failed.
    Run,
}

/// A row, file or input could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {reason}")]
pub struct RowFault {
    /// Its place.
    pub origin: Origin,
    /// The problem and how to fix it.
    pub reason: String,
    /// The argument of the run that the reason names by its key, as in `document_field`.
    pub argument: Option<&'static str>,
    /// How much cannot be read.
    pub lost: Lost,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::File => f.write_str(&self.file),
            Place::Line(line) => write!(f, "{}: line {line}", self.file),
            Place::Row(row) => write!(f, "{}: row {row}", self.file),
        }
    }
}

/// A fault from the reader of one file, which does not know the file's name.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) reason: String,
    pub(super) argument: Option<&'static str>,
    pub(super) lost: Lost,
}

impl Fault {
    pub(super) fn row(line: usize, reason: impl Into<String>) -> Self {
        Self { place: Place::Line(line), reason: reason.into(), argument: None, lost: Lost::Row }
    }

    pub(super) fn file(place: Place, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into(), argument: None, lost: Lost::File }
    }

    /// Adds the argument that the reason names.
    pub(super) fn naming(self, argument: Option<&'static str>) -> Self {
        Self { argument, ..self }
    }

    /// An error of the operating system ends the run; an error of a decompressor, the file.
    pub(super) fn of_io(place: Place, error: &io::Error) -> Self {
        if comes_from_the_system(error) {
            let reason = format!("cannot be read ({error})");
            return Self { place, reason, argument: None, lost: Lost::Run };
        }
        let root = chain(error).last().map_or_else(String::new, ToString::to_string);
        Self::file(
            place,
            format!("its compressed data are truncated or damaged ({root}): get the file again"),
        )
    }
}

/// Whether the operating system caused the error, not the content of a file.
pub(super) fn comes_from_the_system(error: &(dyn Error + 'static)) -> bool {
    let is_system = |error: &io::Error| error.raw_os_error().is_some();
    chain(error).any(|error| error.downcast_ref().is_some_and(is_system))
}

fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}
