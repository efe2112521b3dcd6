//! Opens the text of an input: decompresses it if its first bytes are those of gzip or zstd, whatever its name, and removes
//! a byte order mark. Refuses other compressions, archives, Parquet and UTF-16, in which a text reader would find one fault
//! per line.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::bytes::Text;
use super::fault::{Fault, Place};
use super::format::{Format, INPUT_FORMAT};
use super::share::{Counted, ReadShare};
use super::source::Input;
use super::zstd::ZstdReader;

const PARQUET: &[u8] = b"PAR1";
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Bytes 2 to 4 of a skippable zstd frame; the first is 0x50 to 0x5F.
const ZSTD_SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The first bytes of files that are not text, and the remedy for each.
const NOT_TEXT: [(&[u8], &str); 6] = [
    (PARQUET, "is a Parquet file: name it *.parquet, or set `input_format` to parquet"),
    (b"BZh91AY&SY", "is compressed with bzip2: decompress it first, or use gzip or zstd"),
    (b"\xfd7zXZ\0", "is compressed with xz: decompress it first, or use gzip or zstd"),
    (b"PK\x03\x04", "is a zip archive: extract its files first"),
    (b"\xff\xfe", "is UTF-16 text: convert it to UTF-8 first"),
    (b"\xfe\xff", "is UTF-16 text: convert it to UTF-8 first"),
];

const BUFFER_BYTES: usize = 1 << 16;

/// Opens the text of an input.
pub(super) fn text_of(input: &Input, share: &ReadShare) -> Result<Text, Fault> {
    if input.is_standard_input() {
        return text(Box::new(BufReader::with_capacity(BUFFER_BYTES, io::stdin())));
    }
    let file = File::open(&input.path).map_err(|error| Fault::of_io(Place::File, &error))?;
    let bytes = file.metadata().map_or(0, |found| found.len());
    if Format::is_compressed(&input.path) && (1..GZIP.len().max(ZSTD.len()) as u64).contains(&bytes) {
        return Err(Fault::file(Place::File, "its compressed data are truncated: get the file again"));
    }
    let counted = Counted { bytes: file, share: share.clone() };
    text(Box::new(BufReader::with_capacity(BUFFER_BYTES, counted)))
}

/// Detects compression and encoding, and returns the text in `bytes`.
pub(super) fn text(bytes: Text) -> Result<Text, Fault> {
    let failed = |error: io::Error| Fault::of_io(Place::File, &error);
    let (first, bytes) = peek(bytes).map_err(failed)?;
    let bytes: Text = if first.starts_with(GZIP) {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(bytes)))
    } else if first.starts_with(ZSTD) || is_skippable(&first) {
        Box::new(BufReader::with_capacity(BUFFER_BYTES, ZstdReader::new(bytes)))
    } else {
        bytes
    };
    let (first, mut bytes) = peek(bytes).map_err(failed)?;
    if let Some((mark, reason)) = NOT_TEXT.iter().find(|(mark, _)| first.starts_with(mark)) {
        let argument = (*mark == PARQUET).then_some(INPUT_FORMAT);
        return Err(Fault::file(Place::File, *reason).naming(argument));
    }
    if first.starts_with(BYTE_ORDER_MARK) {
        bytes.read_exact(&mut [0; BYTE_ORDER_MARK.len()]).map_err(failed)?;
    }
    Ok(bytes)
}

fn is_skippable(first: &[u8]) -> bool {
    first.first().is_some_and(|byte| byte >> 4 == 5) && first[1..].starts_with(ZSTD_SKIPPABLE)
}

/// Returns the first bytes, at most ten, and a reader of all bytes.
fn peek(mut bytes: Text) -> io::Result<(Vec<u8>, Text)> {
    let mut first = Vec::new();
    (&mut bytes).take(10).read_to_end(&mut first)?;
    Ok((first.clone(), Box::new(Cursor::new(first).chain(bytes))))
}
