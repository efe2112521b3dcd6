//! Helpers of the tests: files read to the end, and rows and faults as short lines.

mod compressed;
mod files;
mod json_array;
mod json_lines;
mod names;
#[cfg(feature = "parquet")]
mod parquet;
mod properties;
mod tables;

use std::io::Cursor;
use std::path::Path;

use super::bytes::Text;
use super::fault::Fault;
use super::reader::{MAX_ROW_BYTES, Reader};
use super::{open, *};

/// Reads everything: `4: {"a":"b"}` is a row in line 4, `4! reason` a fault that costs the row, `4!! reason` one that costs
/// the rest of the file.
fn drain(text: Text, format: Format, max_row_bytes: usize) -> Vec<String> {
    let mut reader = match open::text(text).and_then(|text| Reader::of_text(text, format, max_row_bytes)) {
        Ok(reader) => reader,
        Err(fault) => return vec![fault_line(&fault)],
    };
    let mut lines = Vec::new();
    loop {
        match reader.next() {
            Ok(Some((place, fields))) => {
                lines.push(format!("{}: {}", number(place), serde_json::to_string(&fields).unwrap()));
            }
            Ok(None) => return lines,
            Err(fault) => {
                lines.push(fault_line(&fault));
                if fault.lost != Lost::Row {
                    return lines;
                }
            }
        }
    }
}

fn read_bounded(bytes: &[u8], format: Format, max_row_bytes: usize) -> Vec<String> {
    drain(Box::new(Cursor::new(bytes.to_vec())), format, max_row_bytes)
}

fn read(bytes: impl AsRef<[u8]>, format: Format) -> Vec<String> {
    read_bounded(bytes.as_ref(), format, MAX_ROW_BYTES)
}

fn fault_line(fault: &Fault) -> String {
    let mark = match fault.lost {
        Lost::Row => "!",
        Lost::File => "!!",
        Lost::Run => "!!!",
    };
    format!("{}{mark} {}", number(fault.place), fault.reason)
}

fn number(place: Place) -> usize {
    match place {
        Place::File => 0,
        Place::Line(number) | Place::Row(number) => number,
    }
}

/// Asserts that every line begins as expected.
#[track_caller]
fn assert_begin(lines: &[String], expected: &[&str]) {
    let all = lines.len() == expected.len();
    assert!(all && lines.iter().zip(expected).all(|(line, begin)| line.starts_with(begin)), "{lines:#?}");
}

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Reads all rows and faults of files in a folder.
fn read_files(folder: &Path, names: &[&str]) -> Vec<Result<RawRow, RowFault>> {
    let paths: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    Source::find(&paths, None).unwrap().rows().collect()
}
