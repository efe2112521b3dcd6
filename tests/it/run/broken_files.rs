//! Truncated and damaged files end a run with exit code 2, whatever `--on-error`, with one line that names the file, and
//! without an output. Bad rows of complete files are in formats.rs.
use std::fs;

use crate::common::runs::{closing, corpus, gzip, json_lines, zstd};
use crate::common::{Place, repository, test_each};
use serde_json::json;

const ON_ERROR: [&str; 3] = ["skip", "record", "fail"];

#[test]
fn a_truncated_or_damaged_file_ends_the_run() {
    let rows = corpus(41, 8, 2);
    let lines = json_lines(&rows);
    let fixture = |name: &str| fs::read(repository("tests/fixtures/run").join(name)).unwrap();
    let mut files = vec![
        ("rows.jsonl.gz", gzip(lines.as_bytes())),
        ("rows.jsonl.zst", zstd(lines.as_bytes())),
        ("rows.jsonl.zst", fixture("rows.jsonl.zst")),
        ("rows.json", json!(rows).to_string().into_bytes()),
    ];
    if cfg!(feature = "parquet") {
        files.push(("rows.parquet", fixture("snappy.parquet")));
    }
    let mut broken = vec![("rows.csv", b"document,summary\nA cat.,A cat.\n\"A cat, and\na dog.".to_vec())];
    for (name, bytes) in files {
        let end = bytes.len();
        let lengths = [1, 5, end / 2, end - 12, end - 1];
        broken.extend(lengths.map(|length| (name, bytes[..length].to_vec())));
        if name.ends_with(".gz") {
            // Behind the header, whose time and system nobody checks.
            broken.extend([10, end / 2, end - 1].map(|at| (name, changed(&bytes, at))));
        }
    }
    test_each(broken.iter().zip(ON_ERROR.iter().cycle()), |((name, bytes), on_error)| {
        let place = Place::new();
        place.write(name, bytes);
        let output = place.judge(name, "out.jsonl", &["--quiet", "--on-error", on_error]);
        // A failed row would not be an error of the file.
        assert!(!place.has("out.jsonl") && !place.has("out.jsonl.partial"), "{:?}", place.names());
        output.clear_error(&[name]).unwrap();
    });
}

/// The bytes with one of them changed.
fn changed(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[at] ^= 0x15;
    changed
}

/// Some bytes do not matter, and texts have no checksum.
#[cfg(feature = "parquet")]
#[test]
fn a_damaged_parquet_file_is_read_or_ends_the_run_in_one_clear_line() {
    for name in ["snappy.parquet", "zstd.parquet", "zstd_pages_2.parquet"] {
        let bytes = fs::read(repository("tests/fixtures/run").join(name)).unwrap();
        test_each((4..bytes.len()).step_by(64), |at| {
            let place = Place::new();
            place.write("rows.parquet", changed(&bytes, at));
            let output = place.judge("rows.parquet", "out.jsonl", &["--quiet", "--on-error", "skip"]);
            assert_eq!(place.has("out.jsonl"), output.code == 0, "{}", output.stderr);
            if output.code != 0 {
                output.clear_error(&["rows.parquet"]).unwrap();
            }
        });
    }
}

#[test]
fn of_several_files_the_broken_one_is_named() {
    let rows = json_lines(&corpus(46, 20, 1));
    let place = Place::new();
    place.write("first.jsonl", &rows);
    place.write("second.jsonl.gz", &gzip(rows.as_bytes())[..200]);
    place.write("third.jsonl", &rows);
    let run = ["run", "first.jsonl", "second.jsonl.gz", "third.jsonl", "-o", "out.jsonl", "--quiet"];
    let error = place.run_tiny(&run).error();
    assert!(error.contains("second.jsonl.gz"), "{error}");
    assert!(!place.has("out.jsonl"));
}

#[test]
fn a_run_ended_by_a_broken_file_resumes_once_the_file_is_complete() {
    let rows = json_lines(&corpus(47, 40, 1));
    let (bytes, place) = (gzip(rows.as_bytes()), Place::new());
    place.write("rows.jsonl.gz", &bytes[..bytes.len() - 20]);
    place.judge("rows.jsonl.gz", "out.jsonl", &["--quiet"]).error();
    place.write("rows.jsonl.gz", &bytes);
    let output = place.judge("rows.jsonl.gz", "out.jsonl", &["--resume", "--progress", "json"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(closing(&output)["known"].as_u64() > Some(0), "{}", output.stderr);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl.gz", "out.jsonl", &[]));
}
