//! Lines of a text, numbered, in bounded memory. Decides what is text: a line that is not UTF-8 or
//! longer than a row may be is told as such, and the next line can still be read.

use std::io::{BufRead, Read};
use std::str;

use super::fault::{Fault, Place};
use super::open::Text;

/// Lines, from first to last.
pub(super) struct Lines {
    text: Text,
    bytes: Vec<u8>,
    number: usize,
    longest: usize,
}

/// A line with its end.
pub(super) enum Line<'l> {
    Text(&'l str),
    /// Good up to a byte.
    NotUtf8 {
        bytes: &'l [u8],
        valid: usize,
    },
    TooLong,
}

impl Lines {
    /// Lines of `text`, of which `before` were read already.
    pub(super) fn new(text: Text, before: usize, longest: usize) -> Self {
        Self { text, bytes: Vec::new(), number: before, longest }
    }

    /// The longest row in bytes.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The next line and its number, from 1.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Line<'_>)>, Fault> {
        let number = self.number + 1;
        let failed = |error| Fault::of_io(Place::Line(number), &error);
        self.bytes.clear();
        let room = (self.longest as u64).saturating_add(1);
        (&mut self.text).take(room).read_until(b'\n', &mut self.bytes).map_err(failed)?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.number = number;
        if self.bytes.len() > self.longest {
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

/// The reason of a fault for bytes of a line that are good up to `valid`.
pub(super) fn not_utf8(valid: usize) -> String {
    format!("is not UTF-8 text (byte {} of the line): convert the file to UTF-8 first", valid + 1)
}

/// The reason of a fault for what is longer than a row may be.
pub(super) fn too_long(longest: usize) -> String {
    format!("is longer than {} MB: split it or take it out", longest >> 20)
}
