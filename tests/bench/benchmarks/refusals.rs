//! Errors of benchmarks: one line with place and reason, before anything is scored. Which rows each benchmark refuses is
//! tested with its reader; here are files, flags and score files.
use crate::common::runs::json_lines;
use crate::common::{Place, test_each};
use crate::files::{self, Named, aggrefact_csv, aggrefact_rows, scores, tiny, write_scores};
use serde_json::json;

/// Description, benchmark, further arguments, and parts of the error, separated by bars.
type Case = (&'static str, Named, &'static [&'static str], &'static str);

fn assert_refused(cases: Vec<Case>) {
    for (what, named, more, parts) in cases {
        let output = named.bench_tiny(&Place::new(), more);
        let refused = output.clear_error(&parts.split('|').collect::<Vec<_>>());
        refused.unwrap_or_else(|fault| panic!("{}, {what}: {fault}", named.name));
    }
}

fn of(name: &'static str, file: &'static str, content: impl Into<String>) -> Named {
    Named { name, files: vec![(file, content.into())], texts: 0 }
}

#[test]
fn files_without_the_rows_of_the_protocol_are_errors() {
    let csv = aggrefact_csv(&aggrefact_rows());
    let claims = json_lines(&files::llm_aggrefact_rows(6));
    assert_refused(vec![
        ("only val", of("aggrefact", "data.csv", csv.replace(",test", ",val")), &[], "data.csv|test"),
        ("an empty file", of("aggrefact", "data.csv", ""), &[], "data.csv|no rows"),
        ("no dev rows", of("llm-aggrefact", "test.jsonl", &claims[..]), &["--tune", "dev"], "test.jsonl|dev"),
        (
            "half a row",
            of("llm-aggrefact", "test.jsonl", claims.replace("\"label\":1}", "\"lab")),
            &[],
            "test.jsonl|line 3|JSON",
        ),
        ("no list", of("summedits", "summedits_news.json", "3"), &[], "summedits_news.json"),
    ]);
}

#[test]
fn fields_that_flags_name_must_be_there() {
    for flag in ["--label", "--split", "--group", "--document-field"] {
        let output = files::labelled().bench_tiny(&Place::new(), &[flag, "mark"]);
        output.clear_error(&["rows.jsonl", "line 1", "`mark`"]).unwrap();
    }
}

#[test]
fn file_of_unknown_format_is_an_error() {
    let content = json_lines(&files::labelled_rows());
    let named = || of("jsonl", "data.dat", content.clone());
    assert_refused(vec![("a name", named(), &[], "data.dat|set --input-format|jsonl|csv|parquet")]);
    named().bench_tiny(&Place::new(), &["--input-format", "jsonl"]).ok();
    let output = named().bench_tiny(&Place::new(), &["--input-format", "xml"]);
    assert!(
        output.code == 2 && output.stderr.contains("'xml'") && output.stderr.contains("jsonl"),
        "{}",
        output.stderr
    );
}

#[test]
fn scores_must_be_one_finite_number_per_text() {
    let numbers: Vec<String> = scores(40).iter().map(f64::to_string).collect();
    let without = numbers[2..].join("\n");
    test_each(
        [
            ("s.txt", without, "38 scores|40 texts"),
            ("s.txt", "1\nNaN".to_owned(), "line 2|finite number"),
            ("s.jsonl", "{\"score\":1}\n{\"score\":NaN}".to_owned(), "line 2|JSON"),
            ("s.csv", "score\n1e999\n".to_owned(), "line 2|finite number"),
        ],
        |(name, content, parts)| {
            let place = Place::new();
            place.write(name, content);
            let parts: Vec<&str> = std::iter::once(name).chain(parts.split('|')).collect();
            files::labelled().bench(&place, &["--scores", name]).clear_error(&parts).unwrap();
        },
    );
}

#[test]
fn score_file_of_unknown_format_does_not_mention_the_format_of_data() {
    let place = Place::new();
    place.write("scores.dat", "1\n");
    let error = files::labelled().bench(&place, &["--scores", "scores.dat"]).error();
    assert!(!error.contains("input_format"), "that is the format of the data: {error}");
}

#[test]
fn runs_with_unjudged_rows_and_shards_are_errors() {
    let place = Place::new();
    let mut rows = files::labelled_rows();
    rows[3]["summary"] = json!("");
    place.write("holed.jsonl", json_lines(&rows));
    place.run(["run", "holed.jsonl", "-o", "hole.jsonl", "--model", tiny()]);
    place.write("whole.jsonl", json_lines(&files::labelled_rows()));
    place.run(["run", "whole.jsonl", "-o", "shard.jsonl", "--shard", "1/2", "--model", tiny()]).ok();
    let scored = |name: &str| files::labelled().bench(&place, &["--scores", name]);
    let hole = scored("hole.jsonl").clear_error(&["hole.jsonl", "line 4", "as its `error` says"]);
    let shard = scored("shard.jsonl").clear_error(&["shard.jsonl", "shard", "veridic merge"]);
    assert_eq!((hole.err(), shard.err()), (None, None));
}

#[test]
fn threshold_must_be_finite() {
    for named in [files::llm_aggrefact(), files::summedits()] {
        test_each(["nan", "inf", "-inf"], |at| {
            let place = Place::new();
            write_scores(&place, &scores(named.texts));
            let output = named.bench(&place, &["--scores", "scores.txt", &format!("--decide-at={at}")]);
            assert_eq!(output.code, 2, "{}", output.stdout);
        });
    }
}

#[test]
fn error_names_its_file_once() {
    let error = of("jsonl", "rows.jsonl", "{}").bench_tiny(&Place::new(), &[]).error();
    assert_eq!(error.matches("rows.jsonl").count(), 1, "{error}");
}
