//! Truncated and damaged files end a run with exit code 2, whatever `--on-error`, with one line that names the file, and
//! without an output. Bad rows of complete files are in formats.rs.
use crate::common;
use std::fs;

use crate::common::runs::{Random, closing, corpus, gzip, json_lines, zstd};
use crate::common::{Place, assert_no_faults, repository};

const ON_ERROR: [&str; 3] = ["skip", "record", "fail"];

/// Returns how the outcome of a run over these bytes differs from the expected one, if it does.
fn fault(name: &str, bytes: &[u8], on_error: &str) -> Option<String> {
    let place = Place::new();
    place.write(name, bytes);
    let result = place.judge(name, "out.jsonl", &["--quiet", "--on-error", on_error]).clear_error(&[name]);
    if place.has("out.jsonl") {
        return Some(format!("an output was written: {result:?}: {}", place.read("out.jsonl")));
    }
    // A failed row would not be an error of the file.
    result.err().or_else(|| place.has("out.jsonl.partial").then(|| "NAME.partial is left".to_owned()))
}

/// Runs with `bytes` truncated to each of `lengths`, with the values of `--on-error` in turn.
fn assert_cuts_are_refused(name: &str, bytes: &[u8], lengths: impl IntoIterator<Item = usize>) {
    let mut faults = Vec::new();
    for (index, length) in lengths.into_iter().enumerate() {
        let on_error = ON_ERROR[index % 3];
        let fault = fault(name, &bytes[..length], on_error);
        faults.extend(fault.map(|fault| (format!("cut to {length} of {}, {on_error}", bytes.len()), fault)));
    }
    assert_no_faults(faults);
}

#[test]
fn a_truncated_gzip_file_ends_the_run() {
    let bytes = gzip(json_lines(&corpus(41, 40, 2)).as_bytes());
    let end = bytes.len();
    assert_cuts_are_refused(
        "rows.jsonl.gz",
        &bytes,
        (0..16).chain((16..end).step_by(37)).chain(end - 12..end),
    );
}

#[test]
fn a_truncated_zstd_file_ends_the_run() {
    let bytes = zstd(json_lines(&corpus(42, 12, 1)).as_bytes());
    let end = bytes.len();
    assert_cuts_are_refused(
        "rows.jsonl.zst",
        &bytes,
        (0..16).chain((16..end).step_by(37)).chain(end - 12..end),
    );
    let bytes = fs::read(repository("tests/fixtures/run/rows.jsonl.zst")).unwrap();
    assert_cuts_are_refused("rows.jsonl.zst", &bytes, (4..bytes.len()).step_by(7));
}

#[test]
fn a_truncated_array_ends_the_run() {
    let rows: Vec<String> = corpus(43, 4, 1).iter().map(ToString::to_string).collect();
    let array = format!("[{}]", rows.join(",\n"));
    assert_cuts_are_refused(
        "rows.json",
        array.as_bytes(),
        (1..array.len()).step_by(5).chain([array.len() - 1]),
    );
}

#[test]
fn a_table_truncated_inside_quotes_ends_the_run() {
    let table = "document,summary\nA cat.,A cat.\n\"A cat, and\na dog.\",A cat.\n";
    let start = table.find('"').unwrap() + 1;
    assert_cuts_are_refused("rows.csv", table.as_bytes(), start..table.rfind('"').unwrap());
}

#[cfg(feature = "parquet")]
#[test]
fn a_truncated_parquet_file_ends_the_run() {
    let bytes = fs::read(repository("tests/fixtures/run/snappy.parquet")).unwrap();
    let end = bytes.len();
    assert_cuts_are_refused(
        "rows.parquet",
        &bytes,
        (0..16).chain((16..end).step_by(23)).chain(end - 12..end),
    );
}

/// Some bytes do not matter, and texts have no checksum: the run must end as with the intact file, or as with a broken one.
#[cfg(feature = "parquet")]
#[test]
fn a_damaged_parquet_file_is_read_or_ends_the_run_in_one_clear_line() {
    for name in ["snappy.parquet", "zstd.parquet", "zstd_pages_2.parquet"] {
        assert_damage_is_refused_or_harmless(&fs::read(repository("tests/fixtures/run").join(name)).unwrap());
    }
}

#[cfg(feature = "parquet")]
fn assert_damage_is_refused_or_harmless(bytes: &[u8]) {
    let (random, mut faults) = (&mut Random(44), Vec::new());
    for at in (4..bytes.len()).step_by(2) {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 1 << random.below(8);
        let place = Place::new();
        place.write("rows.parquet", &damaged);
        let output = place.judge("rows.parquet", "out.jsonl", &["--quiet", "--on-error", "skip"]);
        let whole = output.code == 0 && place.has("out.jsonl");
        let result = output.clear_error(&["rows.parquet"]);
        if !whole && (result.is_err() || place.has("out.jsonl")) {
            let difference = damaged[at] ^ bytes[at];
            faults.push((
                format!("byte {at} ^ {difference:#x}"),
                format!("{:.300}", result.unwrap_or_else(|fault| fault)),
            ));
        }
    }
    assert_no_faults(faults);
}

#[test]
fn damaged_compressed_data_end_the_run() {
    let text = json_lines(&corpus(45, 40, 2));
    let bytes = gzip(text.as_bytes());
    let (random, mut faults) = (&mut Random(45), Vec::new());
    // Behind the header, whose time and system nobody checks.
    for at in (10..bytes.len()).step_by(41) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 + random.below(255) as u8;
        let fault = fault("rows.jsonl.gz", &damaged, "skip");
        faults.extend(fault.map(|fault| (format!("byte {at}"), fault)));
    }
    assert_no_faults(faults);
}

#[test]
fn of_several_files_the_broken_one_is_named() {
    let rows = json_lines(&corpus(46, 20, 1));
    let place = Place::new();
    place.write("first.jsonl", &rows);
    place.write("second.jsonl.gz", &gzip(rows.as_bytes())[..200]);
    place.write("third.jsonl", &rows);
    let tiny = common::tiny();
    let inputs = ["first.jsonl", "second.jsonl.gz", "third.jsonl"];
    let fixed = ["-o", "out.jsonl", "--model", &tiny, "--quiet"];
    let error = place.run([&["run"], &inputs[..], &fixed].concat()).error();
    assert!(error.contains("second.jsonl.gz"), "{error}");
    assert!(!place.has("out.jsonl"));
}

#[test]
fn a_run_ended_by_a_broken_file_resumes_once_the_file_is_complete() {
    let rows = json_lines(&corpus(47, 600, 1));
    let (bytes, place) = (gzip(rows.as_bytes()), Place::new());
    place.write("rows.jsonl.gz", &bytes[..bytes.len() - 100]);
    place.judge("rows.jsonl.gz", "out.jsonl", &["--quiet"]).error();
    place.write("rows.jsonl.gz", &bytes);
    let output = place.judge("rows.jsonl.gz", "out.jsonl", &["--resume", "--progress", "json"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(closing(&output)["known"].as_u64() > Some(0), "{}", output.stderr);
    assert!(place.bytes("out.jsonl") == place.fresh("rows.jsonl.gz", "out.jsonl", &[]));
}
