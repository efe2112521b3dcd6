use std::io::{self, BufReader, Write as _};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::*;

const ROWS: &str = "\u{feff}{\"a\":\"é\"}\n{\"a\":\"b\"}\n";

pub(super) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

pub(super) fn zstd(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

#[test]
fn compression_is_detected_by_bytes_not_by_names() {
    let (zipped, packed) = (gzip(ROWS.as_bytes()), zstd(ROWS.as_bytes()));
    for bytes in [ROWS.as_bytes(), &zipped, &packed] {
        let folder = folder(&[("a.jsonl", bytes), ("b.jsonl.gz", bytes), ("c.jsonl.zst", bytes)]);
        let rows = read_files(folder.path(), &["a.jsonl", "b.jsonl.gz", "c.jsonl.zst"]);
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(Result::is_ok));
    }
}

#[test]
fn every_text_format_may_be_compressed() {
    for (format, text) in [
        (Format::JsonLines, "{\"a\":\"é\"}\n{\"a\":\"b\"}"),
        (Format::Json, "[{\"a\":\"é\"},\n{\"a\":\"b\"}]"),
        (Format::Csv, "a\né\n\"b\""),
        (Format::Tsv, "a\né\nb"),
    ] {
        let plain = read(text, format);
        assert_eq!(plain.len(), 2);
        assert_eq!(read(gzip(text.as_bytes()), format), plain);
        assert_eq!(read(zstd(text.as_bytes()), format), plain);
    }
    assert_eq!(read(gzip(b""), Format::Csv), [""; 0]);
    assert_eq!(read(zstd(b""), Format::JsonLines), [""; 0]);
}

#[test]
fn members_of_a_gzip_are_concatenated() {
    let bytes = [gzip(b"{\"a\":1}\n{\"a\""), gzip(b":2}\n")].concat();
    assert_eq!(read(bytes, Format::JsonLines), ["1: {\"a\":1}", "2: {\"a\":2}"]);
}

#[test]
fn truncated_or_damaged_bytes_end_with_one_fault() {
    let text: String = (0..20_000).map(|row| format!("{{\"a\":\"row {row}\"}}\n")).collect();
    for whole in [gzip(text.as_bytes()), zstd(text.as_bytes())] {
        assert_eq!(read(&whole, Format::JsonLines).len(), 20_000);
        for length in [5, whole.len() / 2, whole.len() - 1] {
            let lines = read(&whole[..length], Format::JsonLines);
            let (last, rows) = lines.split_last().unwrap();
            assert!(last.contains("!! its compressed data are truncated or damaged"), "{last}");
            assert!(rows.iter().all(|row| row.contains(": {")) && rows.len() < 20_001);
        }
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 0x55;
        assert!(read(&damaged, Format::JsonLines).last().unwrap().contains("!! "));
    }
}

#[test]
fn files_that_are_not_text_are_named_by_their_kind() {
    for (bytes, expected) in [
        (&b"PAR1\x15\x04"[..], "is a Parquet file"),
        (b"BZh91AY&SY\x00", "bzip2"),
        (b"\xfd7zXZ\0\0", "xz"),
        (b"PK\x03\x04\x14", "zip archive"),
        (b"\xff\xfe{\0", "UTF-16"),
        (b"\xfe\xff\0{", "UTF-16"),
    ] {
        for bytes in [bytes.to_vec(), gzip(bytes)] {
            let lines = read(bytes, Format::JsonLines);
            assert!(lines.len() == 1 && lines[0].starts_with("0!! ") && lines[0].contains(expected));
        }
    }
    assert_eq!(read("BZhang,b\n1,2", Format::Csv).len(), 1);
}

/// Returns its bytes one by one, then fails like a broken disk.
struct Failing<'b>(&'b [u8]);

impl io::Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::from_raw_os_error(5)) } else { self.0.read(&mut buffer[..1]) }
    }
}

#[test]
fn a_failing_disk_ends_the_run_in_every_compression() {
    let text = "{\"a\":1}\n".repeat(3);
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes()), zstd(text.as_bytes())] {
        let bytes: &'static [u8] = bytes[..bytes.len() - 2].to_vec().leak();
        let text = match open::text(Box::new(BufReader::new(Failing(bytes)))) {
            Ok(text) => text,
            Err(fault) => {
                assert_eq!(fault.lost, Lost::Run);
                continue;
            }
        };
        let mut reader = Reader::of_text(text, Format::JsonLines, MAX_ROW_BYTES).unwrap();
        let fault = std::iter::repeat_with(|| reader.next()).find_map(Result::err).unwrap();
        assert_eq!(fault.lost, Lost::Run, "{}", fault.reason);
        assert!(fault.reason.contains("cannot be read"));
    }
}
