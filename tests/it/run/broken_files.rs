//! Truncated and damaged files end a run with exit code 2, whatever `--on-error`, with one line that names the file, and
//! without an output. Bad rows of complete files are in formats.rs.
use crate::common;
use std::error::Error;
use std::fs;
use std::io::sink;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use crate::common::runs::{Random, closing, corpus, gzip, json_lines, zstd};
use crate::common::{Output, Place, repository, test_each};
use veridic::Scorer;
use veridic::corpus::read::{RowNames, Source};
use veridic::corpus::run::{FailWhen, OnError, RunPlan, run};
use veridic::corpus::write::{OutputFormat, RowWriter};

const ON_ERROR: [&str; 3] = ["skip", "record", "fail"];

/// A run over these bytes ends with an error of the file, and leaves no output.
#[track_caller]
fn assert_refused(name: &str, bytes: &[u8], on_error: &str) {
    let place = Place::new();
    place.write(name, bytes);
    let output = place.judge(name, "out.jsonl", &["--quiet", "--on-error", on_error]);
    assert!(!place.has("out.jsonl"), "an output was written: {}", place.read("out.jsonl"));
    // A failed row would not be an error of the file.
    assert!(!place.has("out.jsonl.partial"), "NAME.partial is left");
    output.clear_error(&[name]).unwrap();
}

/// Runs with `bytes` truncated to each of `lengths`, with the values of `--on-error` in turn.
fn assert_cuts_are_refused(name: &str, bytes: &[u8], lengths: impl IntoIterator<Item = usize>) {
    let cuts = lengths.into_iter().zip(ON_ERROR.iter().cycle());
    test_each(cuts, |(length, on_error)| assert_refused(name, &bytes[..length], on_error));
}

#[test]
fn a_truncated_gzip_file_ends_the_run() {
    let bytes = gzip(json_lines(&corpus(41, 8, 2)).as_bytes());
    let end = bytes.len();
    assert_cuts_are_refused(
        "rows.jsonl.gz",
        &bytes,
        (0..16).chain((16..end).step_by(37)).chain(end - 12..end),
    );
}

#[test]
fn a_truncated_zstd_file_ends_the_run() {
    let bytes = zstd(json_lines(&corpus(42, 6, 1)).as_bytes());
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
/// The library runs over every change, the program over some.
#[cfg(feature = "parquet")]
#[test]
fn a_damaged_parquet_file_is_read_or_ends_the_run_in_one_clear_line() {
    for name in ["snappy.parquet", "zstd.parquet", "zstd_pages_2.parquet"] {
        let bytes = fs::read(repository("tests/fixtures/run").join(name)).unwrap();
        let random = &mut Random(44);
        let changes: Vec<(usize, u8)> =
            (4..bytes.len()).step_by(2).map(|at| (at, 1 << random.below(8))).collect();
        let place = Place::new();
        test_each(changes, |(at, change)| {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            place.write("rows.parquet", &damaged);
            let error = library_error(&place, "rows.parquet");
            if let Some(error) = &error {
                assert!(error.contains("rows.parquet") && !error.contains('\n'), "{error}");
            }
            if at % 64 == 4 {
                let output = place.judge("rows.parquet", "out.jsonl", &["--quiet", "--on-error", "skip"]);
                assert_ends_with(&place, output, error.as_deref());
            }
        });
    }
}

/// The error of a run over a file that leaves bad rows out, with its causes.
fn library_error(place: &Place, name: &str) -> Option<String> {
    static SCORER: LazyLock<Scorer> = LazyLock::new(|| {
        Scorer::builder(common::tiny()).set("screen", "words:8").and_then(|builder| builder.build()).unwrap()
    });
    let source = match Source::find(&[place.path(name)], None) {
        Ok(source) => source,
        Err(error) => return Some(error.to_string()),
    };
    let plan = RunPlan {
        names: RowNames::new(None, None).unwrap(),
        on_error: OnError::Skip,
        shard: None,
        fail_when: FailWhen::default(),
        group_by: None,
    };
    let writer = RowWriter::new(OutputFormat::JsonLines, false, Box::new(sink()));
    let end = run(&*SCORER, source.rows(), &plan, None, writer, &|_| ControlFlow::Continue(()));
    end.err().map(|error| with_causes(&error))
}

fn with_causes(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {}", with_causes(cause)))
}

/// The program ends as the library does: with an output, or with the error and none.
fn assert_ends_with(place: &Place, output: Output, error: Option<&str>) {
    assert_eq!(place.has("out.jsonl"), error.is_none(), "{}", output.stderr);
    match error {
        Some(_) => drop(output.clear_error(&["rows.parquet"]).unwrap()),
        None => {
            output.ok();
            place.remove("out.jsonl");
        }
    }
    if place.has("out.jsonl.journal") {
        place.remove("out.jsonl.journal");
    }
}

#[test]
fn damaged_compressed_data_end_the_run() {
    let bytes = gzip(json_lines(&corpus(45, 8, 2)).as_bytes());
    let random = &mut Random(45);
    // Behind the header, whose time and system nobody checks.
    test_each((10..bytes.len()).step_by(13), |at| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 + random.below(255) as u8;
        assert_refused("rows.jsonl.gz", &damaged, "skip");
    });
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
