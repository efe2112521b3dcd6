//! Rows of CSV and TSV as fields: the first row names the columns, and every cell becomes a JSON string, even an empty one.
//! A row with the wrong number of cells costs only that row; a quote that is never closed, or that makes a row too long,
//! costs the rest of the file.

use std::collections::HashSet;
use std::str;

use serde_json::value::{RawValue, to_raw_value};
use veridic_models::store::quoting::quoted_name;

use super::cells::{Cells, without_end};
use super::fault::{Fault, Lost, Place};
use super::lines::{Line, Lines, not_utf8, too_long};
use super::raw_row::Read;
use crate::corpus::formulas::of_cell;
use crate::input::Fields;

/// Reads the rows of a table.
pub(super) struct Table {
    lines: Lines,
    cells: Cells,
    /// Empty before the first row is read.
    columns: Vec<String>,
}

impl Table {
    pub(super) fn new(lines: Lines, delimiter: u8) -> Self {
        Self { lines, cells: Cells::new(delimiter), columns: Vec::new() }
    }

    pub(super) fn next(&mut self) -> Result<Option<Read>, Fault> {
        if self.columns.is_empty() {
            match self.row() {
                Ok(Some(line)) => {
                    self.columns = self.header().map_err(|reason| Fault::file(Place::Line(line), reason))?;
                }
                Ok(None) => return Ok(None),
                // No row can be read without the names of the columns.
                Err(fault) => return Err(Fault { lost: fault.lost.max(Lost::File), ..fault }),
            }
        }
        let Some(line) = self.row()? else { return Ok(None) };
        match self.fields() {
            Ok(fields) => Ok(Some((Place::Line(line), fields))),
            Err(reason) => Err(Fault::row(line, reason)),
        }
    }

    /// Reads a row into `self.cells` and returns the line where it begins, `None` at the end.
    fn row(&mut self) -> Result<Option<usize>, Fault> {
        let max_row_bytes = self.lines.max_row_bytes();
        self.cells.clear();
        let mut begin = None;
        let mut refused = None;
        while let Some((number, line)) = self.lines.next()? {
            let bytes = match line {
                Line::Text(text) => text.as_bytes(),
                Line::NotUtf8 { bytes, valid } => {
                    let reason = || format!("{} (in line {number})", not_utf8(valid));
                    refused.get_or_insert_with(reason);
                    bytes
                }
                Line::TooLong => return Err(Fault::file(Place::Line(number), too_long(max_row_bytes))),
            };
            if begin.is_none() && without_end(bytes).is_empty() {
                continue;
            }
            let begin = *begin.get_or_insert(number);
            self.cells.read(bytes).map_err(|reason| Fault::row(begin, reason))?;
            if self.cells.byte_count() > max_row_bytes {
                let reason = format!("{}; is a quote never closed?", too_long(max_row_bytes));
                return Err(Fault::file(Place::Line(begin), reason));
            }
            if !self.cells.is_open() {
                return refused.map_or(Ok(Some(begin)), |reason| Err(Fault::row(begin, reason)));
            }
        }
        match begin {
            Some(begin) => Err(Fault::file(Place::Line(begin), "opens a quote that is never closed")),
            None => Ok(None),
        }
    }

    fn header(&self) -> Result<Vec<String>, String> {
        let mut known = HashSet::new();
        let mut columns = Vec::with_capacity(self.cells.count());
        for name in self.cells.iter() {
            let name = text(name)?;
            if name.replace("\r\n", "").contains('\r') {
                return Err("ends lines with carriage returns alone: end them with line feeds".into());
            }
            if !known.insert(name) {
                return Err(format!("names two columns {}", quoted_name(name)));
            }
            columns.push(name.to_owned());
        }
        Ok(columns)
    }

    fn fields(&self) -> Result<Fields, String> {
        let (cells, columns) = (self.cells.count(), self.columns.len());
        if cells != columns {
            return Err(format!("has {cells} cells, but the first row names {columns} columns"));
        }
        let values: Result<Vec<Box<RawValue>>, String> = self.cells.iter().map(json_string).collect();
        Ok(self.columns.iter().cloned().zip(values?).collect())
    }
}

fn text(cell: &[u8]) -> Result<&str, String> {
    str::from_utf8(cell).map_err(|_| "is not UTF-8 text: convert the file to UTF-8 first".into())
}

fn json_string(cell: &[u8]) -> Result<Box<RawValue>, String> {
    to_raw_value(of_cell(text(cell)?)).map_err(|error| error.to_string())
}
