//! Where a row came from, and what could not be read: the place, the reason, and how much is lost
//! with it.

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
    /// The row, from 1, where there are no lines.
    Row(usize),
}

/// Where a row came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Which of the source's inputs, from 0.
    pub input: usize,
    /// What errors call the input.
    pub file: Arc<str>,
    /// Where in it.
    pub place: Place,
}

/// How much a fault costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// This row; reading goes on with the next one.
    Row,
    /// The rest of this file; reading goes on with the next file.
    File,
    /// All that was not read yet: a disk or a pipe failed.
    Run,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {reason}")]
pub struct RowFault {
    /// Where it is.
    pub origin: Origin,
    /// What is wrong and what to do.
    pub reason: String,
    /// How much is lost with it.
    pub lost: Lost,
}

impl RowFault {
    /// `reason` may quote what a file holds, at any length: its middle is left out.
    pub(super) fn new(origin: Origin, reason: String, lost: Lost) -> Self {
        const KEPT: usize = 160;
        let begin = reason.char_indices().nth(KEPT).map(|(at, _)| at);
        let end = reason.char_indices().rev().nth(KEPT).map(|(at, _)| at);
        let reason = match (begin, end) {
            (Some(begin), Some(end)) if begin < end => format!("{} ... {}", &reason[..begin], &reason[end..]),
            _ => reason,
        };
        Self { origin, reason, lost }
    }
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

/// A fault of one file's reader, which does not know the file's name.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) reason: String,
    pub(super) lost: Lost,
}

impl Fault {
    pub(super) fn row(line: usize, reason: impl Into<String>) -> Self {
        Self { place: Place::Line(line), reason: reason.into(), lost: Lost::Row }
    }

    pub(super) fn file(place: Place, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into(), lost: Lost::File }
    }

    /// What the operating system refuses ends the run; what a decompressor refuses, the file.
    pub(super) fn of_io(place: Place, error: &io::Error) -> Self {
        if comes_from_the_system(error) {
            return Self { place, reason: format!("cannot be read ({error})"), lost: Lost::Run };
        }
        let root = chain(error).last().map_or_else(String::new, ToString::to_string);
        Self::file(place, format!("its compressed data are cut or damaged ({root}): get the file again"))
    }
}

/// Whether the operating system is the cause, and not what a file holds.
pub(super) fn comes_from_the_system(error: &(dyn Error + 'static)) -> bool {
    let is_system = |error: &io::Error| error.raw_os_error().is_some();
    chain(error).any(|error| error.downcast_ref().is_some_and(is_system))
}

fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}
