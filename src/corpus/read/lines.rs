//! Numbered lines of a text, in bounded memory. A line that is not UTF-8 or is too long is returned as such, and reading
//! continues with the next line.

use std::io::{BufRead, Read};
use std::str;

use super::bytes::Text;
use super::fault::{Fault, Place};

/// Reads a text line by line.
pub(super) struct Lines {
    text: Text,
    bytes: Vec<u8>,
    number: usize,
    max_row_bytes: usize,
}

/// A line, including its line end.
pub(super) enum Line<'l> {
    Text(&'l str),
    /// The line is valid UTF-8 only up to byte `valid`.
    NotUtf8 {
        bytes: &'l [u8],
        valid: usize,
    },
    TooLong,
}

impl Lines {
    /// Reads the lines of `text`, after `before` lines that were already read.
    pub(super) fn new(text: Text, before: usize, max_row_bytes: usize) -> Self {
        Self { text, bytes: Vec::new(), number: before, max_row_bytes }
    }

    /// The maximum size of a row.
    pub(super) fn max_row_bytes(&self) -> usize {
        self.max_row_bytes
    }

    /// Returns the next line and its number, from 1.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Line<'_>)>, Fault> {
        let number = self.number + 1;
        let failed = |error| Fault::of_io(Place::Line(number), &error);
        self.bytes.clear();
        let limit = (self.max_row_bytes as u64).saturating_add(1);
        (&mut self.text).take(limit).read_until(b'\n', &mut self.bytes).map_err(failed)?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.number = number;
        if self.bytes.len() > self.max_row_bytes {
            if !self.bytes.ends_with(b"\n") {
                self.text.skip_until(b'\n').map_err(failed)?;
            }
            return Ok(Some((number, Line::TooLong)));
        }
        let line = match str::from_utf8(&self.bytes) {
            Ok(text) => Line::Text(text),
            Err(error) => Line::NotUtf8 { bytes: &self.bytes, valid: error.valid_up_to() },
        };
        Ok(Some((number, line)))
    }
}

/// Returns the reason of a fault in a line that is valid only up to byte `valid`.
pub(super) fn not_utf8(valid: usize) -> String {
    format!("is not UTF-8 text (byte {} of the line): convert the file to UTF-8 first", valid + 1)
}

/// Returns the reason of a fault in a row that is too long.
pub(super) fn too_long(max_row_bytes: usize) -> String {
    format!("is longer than {} MB: split it or remove it", max_row_bytes >> 20)
}
