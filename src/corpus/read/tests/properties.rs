//! Properties over arbitrary rows and bytes: written rows are read back, and no input breaks a reader.

use std::fmt::Write as _;
use std::io::{BufReader, Read as _};
#[cfg(feature = "parquet")]
use std::sync::OnceLock;

use proptest::collection::vec;
use proptest::prelude::*;

use super::compressed::{gzip, zstd};
use super::*;
use crate::corpus::formulas::of_cell;
use crate::input::Fields;

const TEXTS: [Format; 4] = [Format::JsonLines, Format::Json, Format::Csv, Format::Tsv];

/// Texts rich in characters that are special in some format.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["(?s).{0,12}", "[\"\\\\,\r\n\t\u{feff}é猫🙂{}\\[\\]: a]{0,12}", "[a-z]{1,8}"]
}

/// Distinct names, and rows with that many texts. Column names have no bare carriage return.
fn table() -> impl Strategy<Value = (Vec<String>, Vec<Vec<String>>)> {
    let name = text().prop_map(|name| name.replace('\r', "\r\n"));
    vec(name, 1..5).prop_flat_map(|mut names| {
        names.sort();
        names.dedup();
        let rows = vec(vec(text(), names.len()), 0..6);
        (Just(names), rows)
    })
}

fn object(names: &[String], row: &[String]) -> String {
    let string = |text: &String| serde_json::to_string(text).unwrap();
    let fields: Vec<String> =
        names.iter().zip(row).map(|(name, value)| format!("{}: {}", string(name), string(value))).collect();
    format!("{{{}}}", fields.join(", "))
}

/// Returns the rows, without their lines.
fn rows(bytes: &[u8], format: Format) -> Vec<String> {
    let row = |line: String| line.split_once(": ").map(|(_, row)| row.to_owned()).unwrap();
    read(bytes, format).into_iter().map(row).collect()
}

fn compact(names: &[String], table: &[Vec<String>]) -> Vec<String> {
    let row = |row: &Vec<String>| {
        let fields: Fields = serde_json::from_str(&object(names, row)).unwrap();
        serde_json::to_string(&fields).unwrap()
    };
    table.iter().map(row).collect()
}

/// Formats a row of a table; the bits of `quoted` choose cells that are quoted needlessly.
fn cells(row: &[String], delimiter: char, quoted: u8, end: &str) -> String {
    let mut line = String::new();
    for (index, cell) in row.iter().enumerate() {
        if index > 0 {
            line.push(delimiter);
        }
        let needed =
            row.len() == 1 || cell.contains([delimiter, '"', '\r', '\n']) || cell.starts_with('\u{feff}');
        if needed || quoted >> (index % 8) & 1 == 1 {
            write!(line, "\"{}\"", cell.replace('"', "\"\"")).unwrap();
        } else {
            line.push_str(cell);
        }
    }
    line + end
}

/// Reads `piece` bytes at a time.
fn read_in_pieces(bytes: &[u8], format: Format, piece: usize) -> Vec<String> {
    let text = BufReader::with_capacity(piece, Cursor::new(bytes.to_vec()));
    drain(Box::new(text), format, MAX_ROW_BYTES)
}

/// A small file of Parquet with texts and lists.
#[cfg(feature = "parquet")]
fn parquet_file() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(parquet::small_file)
}

proptest! {
    #[test]
    fn json_lines_are_read_back((names, table) in table(), end in "\r?\n[ \t]?\n?") {
        let text: String = table.iter().map(|row| object(&names, row) + &end).collect();
        prop_assert_eq!(rows(text.as_bytes(), Format::JsonLines), compact(&names, &table));
    }

    #[test]
    fn json_arrays_are_read_back((names, table) in table(), space in "[ \t\r\n]{0,3}", piece in 1_usize..40) {
        let objects: Vec<String> = table.iter().map(|row| space.clone() + &object(&names, row) + &space).collect();
        let text = format!("{space}[{space}{}]{space}", objects.join(","));
        prop_assert_eq!(rows(text.as_bytes(), Format::Json), compact(&names, &table));
        prop_assert_eq!(read_in_pieces(text.as_bytes(), Format::Json, piece), read(&text, Format::Json));
    }

    #[test]
    fn tables_are_read_back((names, table) in table(), quoted: u8, crlf: bool, tabs: bool) {
        let (delimiter, format) = if tabs { ('\t', Format::Tsv) } else { (',', Format::Csv) };
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = cells(&names, delimiter, quoted, end);
        text.extend(table.iter().map(|row| cells(row, delimiter, quoted, end)));
        // An apostrophe before what would be a formula is the mark of a text.
        let texts = |row: &Vec<String>| row.iter().map(|cell| of_cell(cell).to_owned()).collect();
        let table: Vec<Vec<String>> = table.iter().map(texts).collect();
        prop_assert_eq!(rows(text.as_bytes(), format), compact(&names, &table));
    }

    #[test]
    fn compressed_texts_are_read_back(text in "(?s).{0,400}", repeats in 0_usize..300) {
        let text = text.repeat(repeats).into_bytes();
        for bytes in [gzip(&text), zstd(&text)] {
            let mut read = Vec::new();
            open::text(Box::new(Cursor::new(bytes))).unwrap().read_to_end(&mut read).unwrap();
            prop_assert_eq!(&read, text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text));
        }
    }

    #[test]
    fn any_bytes_are_read_to_an_end(bytes in vec(any::<u8>(), 0..200), piece in 1_usize..40) {
        for format in TEXTS {
            prop_assert_eq!(read_in_pieces(&bytes, format, piece), read_in_pieces(&bytes, format, 1 << 16));
            read_bounded(&bytes, format, 8);
        }
    }

    #[test]
    fn any_syntax_is_read_to_an_end(text in "[\"\\\\{}\\[\\],:1nul\t\r\n é]{0,60}", piece in 1_usize..40) {
        for format in TEXTS {
            let whole = read_in_pieces(text.as_bytes(), format, 1 << 16);
            prop_assert_eq!(&read_in_pieces(text.as_bytes(), format, piece), &whole);
            prop_assert!(whole.len() <= text.len());
            read_bounded(text.as_bytes(), format, 8);
        }
    }

    #[test]
    fn changed_compressed_bytes_are_read_to_an_end(
        text in "(?s).{0,400}",
        repeats in 1_usize..20,
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for mut bytes in [gzip(text.repeat(repeats).as_bytes()), zstd(text.repeat(repeats).as_bytes())] {
            for (index, byte) in &changes {
                let at = index.index(bytes.len());
                bytes[at] = *byte;
            }
            read(&bytes, Format::JsonLines);
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn changed_parquet_is_read_to_an_end(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        length in any::<prop::sample::Index>(),
        is_cut: bool,
    ) {
        let mut bytes = parquet_file().to_vec();
        for (index, byte) in &changes {
            let at = index.index(bytes.len());
            bytes[at] = *byte;
        }
        bytes.truncate(if is_cut { length.index(bytes.len()) } else { bytes.len() });
        let folder = folder(&[("a.parquet", &bytes)]);
        let source = Source::find(&[folder.path().join("a.parquet")], None).unwrap();
        prop_assert!(source.rows().take(10_000).count() > 0);
    }
}
