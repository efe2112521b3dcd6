//! Streams of a PDF, which are compressed. None is inflated beyond a limit, so that a small file cannot fill the memory.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::read::ZlibDecoder;
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

use crate::error::FileError;
use crate::kind::Kind;

/// The most bytes of a stream, in units of 1,048,576.
const MAX_MEGABYTES: usize = 16;
/// How many bytes one byte of a compressed stream can become at most.
const MAX_EXPANSION: usize = 1032;
/// What a stream may become at most if its length cannot be measured beforehand, since several filters follow each other.
const MAX_UNMEASURED_BYTES: usize = 256 << 20;
/// The marks in the dictionaries of streams that a reader inflates to find the objects in a file.
const STREAMS_OF_OBJECTS: [&[u8]; 2] = [b"/ObjStm", b"/XRef"];
/// How far before its data the dictionary of a stream begins.
const MAX_DICTIONARY_BYTES: usize = 1024;

/// Returns a stream's data; `None` if it cannot be decoded.
pub(super) fn decoded<'a>(stream: &Stream<'a>) -> Result<Option<Cow<'a, [u8]>>, FileError> {
    let filters = stream.filters();
    let raw = stream.raw_data();
    let expands = |filter: &&Filter| {
        matches!(filter, Filter::FlateDecode | Filter::LzwDecode | Filter::RunLengthDecode)
    };
    let too_long = match (&filters[..], filters.iter().filter(expands).count()) {
        ([Filter::FlateDecode], _) => inflated_bytes(&raw) > limit(),
        (_, 0) => raw.len() > limit(),
        (_, expanding) => {
            let bytes = MAX_EXPANSION.saturating_pow(expanding as u32).saturating_mul(raw.len());
            bytes > MAX_UNMEASURED_BYTES
        }
    };
    if too_long { Err(inflates()) } else { Ok(stream.decoded_data().ok()) }
}

/// Refuses a file whose objects are in streams that inflate beyond the limit, before they are inflated to be read.
pub(super) fn check_streams_of_objects(bytes: &[u8]) -> Result<(), FileError> {
    const BEGIN: &[u8] = b"stream";
    let mut total = 0;
    for at in positions(bytes, BEGIN) {
        let before = &bytes[at.saturating_sub(MAX_DICTIONARY_BYTES)..at];
        if before.ends_with(b"end")
            || !STREAMS_OF_OBJECTS.iter().any(|mark| positions(before, mark).next().is_some())
        {
            continue;
        }
        total += inflated_bytes(bytes[at + BEGIN.len()..].trim_ascii_start());
        if total > 4 * limit() {
            return Err(inflates());
        }
    }
    Ok(())
}

/// Returns where `needle` is.
fn positions<'b>(bytes: &'b [u8], needle: &'b [u8]) -> impl Iterator<Item = usize> + 'b {
    bytes.windows(needle.len()).enumerate().filter(move |(_, window)| *window == needle).map(|(at, _)| at)
}

/// Returns how many bytes compressed data becomes, or one more than the limit.
fn inflated_bytes(data: &[u8]) -> usize {
    let mut decoder = ZlibDecoder::new(data).take(limit() as u64 + 1);
    // An error ends the data, as it does for readers of PDFs.
    let mut counted = Counter(0);
    let _ = io::copy(&mut decoder, &mut counted);
    counted.0
}

/// Counts what is written to it.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn limit() -> usize {
    MAX_MEGABYTES << 20
}

fn inflates() -> FileError {
    FileError::Inflates { kind: Kind::Pdf, megabytes: MAX_MEGABYTES }
}
