//! Rows of a JSON array of objects, one in memory at a time, whatever the array's length. An element that is invalid inside
//! its brackets costs only that row; an array that is invalid between elements, or truncated, ends there.

use std::io::BufRead;
use std::str;

use serde_json::error::Category;

use super::super::jsonl::reason;
use super::bytes::{Text, fill};
use super::element::{Scan, Scanner};
use super::fault::{Fault, Place};
use super::lines::{not_utf8, too_long};
use super::raw_row::Read;
use crate::input::Fields;

/// Reads the elements of an array.
pub(super) struct JsonArray {
    text: Text,
    /// The number of line ends read.
    line_ends: usize,
    state: State,
    element: Vec<u8>,
    max_row_bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Opened,
    AfterElement,
    Closed,
}

/// Skips white space and returns the byte after it, `None` at the end. Counts line ends.
pub(super) fn skip_space(text: &mut Text, line_ends: &mut usize) -> Result<Option<u8>, Fault> {
    loop {
        let bytes = fill(text).map_err(|error| Fault::of_io(Place::Line(*line_ends + 1), &error))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let space = bytes.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let length = space.unwrap_or(bytes.len());
        *line_ends += count_line_ends(&bytes[..length]);
        let next = bytes.get(length).copied();
        text.consume(length);
        if next.is_some() {
            return Ok(next);
        }
    }
}

fn count_line_ends(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

impl JsonArray {
    /// Starts at the opening bracket, which `text` must be at.
    pub(super) fn new(mut text: Text, line_ends: usize, max_row_bytes: usize) -> Self {
        text.consume(1);
        Self { text, line_ends, state: State::Opened, element: Vec::new(), max_row_bytes }
    }

    pub(super) fn next(&mut self) -> Result<Option<Read>, Fault> {
        if !self.find_element()? {
            return Ok(None);
        }
        let line = self.line_ends + 1;
        self.state = State::AfterElement;
        if !self.scan(line)? {
            return Err(Fault::row(line, too_long(self.max_row_bytes)));
        }
        match parse(&self.element, line) {
            Ok(fields) => Ok(Some((Place::Line(line), fields))),
            Err(reason) => Err(Fault::row(line, reason)),
        }
    }

    /// Moves to the next element; returns false after the last one.
    fn find_element(&mut self) -> Result<bool, Fault> {
        let mut byte = self.skip_space()?;
        match (self.state, byte) {
            (State::Closed, _) => return Ok(false),
            (_, Some(b']')) => return self.close(),
            (State::AfterElement, Some(b',')) => {
                self.text.consume(1);
                byte = self.skip_space()?;
            }
            (State::AfterElement, Some(_)) => return Err(self.fault("has no comma between two rows")),
            (State::Opened | State::AfterElement, _) => {}
        }
        match byte {
            Some(b',' | b']' | b'}') => Err(self.fault("has no row where one is expected")),
            Some(_) => Ok(true),
            None => Err(self.fault("ends inside the array: the file is truncated")),
        }
    }

    fn close(&mut self) -> Result<bool, Fault> {
        self.text.consume(1);
        self.state = State::Closed;
        match self.skip_space()? {
            Some(_) => Err(self.fault("has more text after the array")),
            None => Ok(false),
        }
    }

    fn skip_space(&mut self) -> Result<Option<u8>, Fault> {
        skip_space(&mut self.text, &mut self.line_ends)
    }

    fn fault(&self, reason: &str) -> Fault {
        Fault::file(Place::Line(self.line_ends + 1), reason)
    }

    /// Reads an element that begins in `line` into `self.element`; returns false if it is too long.
    fn scan(&mut self, line: usize) -> Result<bool, Fault> {
        let lost = |reason: &str| Err(Fault::file(Place::Line(line), reason));
        let mut scanner = Scanner::default();
        let mut fits = true;
        self.element.clear();
        loop {
            let bytes = fill(&mut self.text).map_err(|error| Fault::of_io(Place::Line(line), &error))?;
            if bytes.is_empty() {
                return lost("begins a row that does not end: the file is truncated");
            }
            let scan = scanner.feed(bytes);
            let length = match scan {
                Scan::More => bytes.len(),
                Scan::End(length) | Scan::Broken(length) => length,
            };
            self.line_ends += count_line_ends(&bytes[..length]);
            if self.element.len() + length > self.max_row_bytes {
                fits = false;
                self.element = Vec::new();
            } else if fits {
                self.element.extend_from_slice(&bytes[..length]);
            }
            self.text.consume(length);
            match scan {
                Scan::More if scanner.depth() > self.max_row_bytes => {
                    return lost("opens more brackets than a row may have bytes");
                }
                Scan::More => {}
                Scan::End(_) => return Ok(fits),
                Scan::Broken(_) => {
                    return Err(self.fault("closes a bracket of another kind than the one that was opened"));
                }
            }
        }
    }
}

/// Parses an element that begins in `line`.
fn parse(element: &[u8], line: usize) -> Result<Fields, String> {
    let text = str::from_utf8(element).map_err(|error| {
        let valid = &element[..error.valid_up_to()];
        let in_line = valid.iter().rev().take_while(|byte| **byte != b'\n').count();
        match count_line_ends(valid) {
            0 => not_utf8(in_line),
            below => format!("{} (in line {})", not_utf8(in_line), line + below),
        }
    })?;
    serde_json::from_str(text).map_err(|error: serde_json::Error| match error.classify() {
        Category::Data => reason(&error),
        _ if error.line() < 2 => reason(&error),
        _ => format!("{} (in line {})", reason(&error), line + error.line() - 1),
    })
}
