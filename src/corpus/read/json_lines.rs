//! Rows of JSON Lines: one object per line. A fault costs only its line; blank lines are skipped.

use super::super::jsonl::reason;
use super::fault::{Fault, Place};
use super::format::INPUT_FORMAT;
use super::lines::{Line, Lines, not_utf8, too_long};
use super::raw_row::Read;
use crate::input::Fields;

/// Reads one object per line.
pub(super) struct JsonLines {
    lines: Lines,
    any: bool,
}

impl JsonLines {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, any: false }
    }

    pub(super) fn next(&mut self) -> Result<Option<Read>, Fault> {
        let max_row_bytes = self.lines.max_row_bytes();
        while let Some((number, line)) = self.lines.next()? {
            let text = match line {
                Line::Text(text) => text,
                Line::NotUtf8 { valid, .. } => return Err(Fault::row(number, not_utf8(valid))),
                Line::TooLong => return Err(Fault::row(number, too_long(max_row_bytes))),
            };
            if text.trim().is_empty() {
                continue;
            }
            let is_first = !std::mem::replace(&mut self.any, true);
            return match parse(text) {
                Ok(fields) => Ok(Some((Place::Line(number), fields))),
                Err(reason) if is_first && text.trim_start().starts_with('[') => {
                    let hint = "if the file is one JSON array, set `input_format` to json";
                    Err(Fault::row(number, format!("{reason}; {hint}")).naming(Some(INPUT_FORMAT)))
                }
                Err(reason) => Err(Fault::row(number, reason)),
            };
        }
        Ok(None)
    }
}

fn parse(line: &str) -> Result<Fields, String> {
    serde_json::from_str(line.trim_end_matches(['\n', '\r'])).map_err(|error| reason(&error))
}
