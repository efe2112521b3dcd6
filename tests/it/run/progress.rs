//! The messages of `run` on stderr: a closing summary as text or JSON with the numbers of the output, and nothing under
//! `--quiet`.
use std::io::{BufRead, BufReader, Write};

use crate::common::runs::{closing, corpus, json_lines, judging};
use crate::common::{Place, number};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Forty rows of which one fails and ten repeat.
fn place() -> Place {
    let mut rows = corpus(51, 40, 2);
    for row in 30..40 {
        rows[row] = rows[row - 30].clone();
    }
    rows[20]["summary"] = json!("");
    let place = Place::new();
    place.write("rows.jsonl", json_lines(&rows));
    place
}

fn mean_score(place: &Place, name: &str) -> f64 {
    let rows = place.json_rows(name);
    let scores: Vec<f64> =
        rows.iter().filter(|row| row["score"].is_number()).map(|row| number(&row["score"])).collect();
    scores.iter().sum::<f64>() / scores.len() as f64
}

#[test]
fn the_closing_text_has_rows_failures_mean_score_reuse_and_time_by_stage() {
    let place = place();
    for progress in ["auto", "plain"] {
        let stderr = place.judge("rows.jsonl", "out.jsonl", &["--resume", "--progress", progress]).stderr;
        let mean = format!("mean score {:.3}", mean_score(&place, "out.jsonl"));
        assert!(["40 rows", &mean, "1 failed"].iter().all(|part| stderr.contains(part)), "{stderr}");
        assert_snapshot!("closing_text", numberless(&stderr));
        place.remove("out.jsonl");
        place.remove("out.jsonl.journal");
    }
}

/// The text with a mark for every number.
fn numberless(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars() {
        let shown = if character.is_ascii_digit() { '#' } else { character };
        if shown != '#' || !plain.ends_with('#') {
            plain.push(shown);
        }
    }
    plain.replace("#.#", "#")
}

#[test]
fn json_summary_has_the_numbers_of_the_output() {
    let place = place();
    let output = place.judge("rows.jsonl", "out.jsonl", &["--progress", "json"]);
    let summary = closing(&output);
    assert_eq!(
        (&summary["done"], &summary["rows"], &summary["failed"], &summary["known"]),
        (&json!(true), &json!(40), &json!(1), &json!(0))
    );
    assert!((number(&summary["mean_score"]) - mean_score(&place, "out.jsonl")).abs() < 1e-6, "{summary}");
    let premises: u64 =
        place.json_rows("out.jsonl").iter().filter_map(|row| row["ledger"]["premises"].as_u64()).sum();
    let (computed, reused) = (summary["pairs"].as_u64().unwrap(), summary["pairs_reused"].as_u64().unwrap());
    assert!(reused >= 10 * 3, "ten rows repeat: {summary}");
    assert!(computed < premises, "{computed} pairs computed for {premises} premises");
    let stages = summary["stage_seconds"].as_object().unwrap();
    assert!(["reading", "model", "writing"].iter().all(|stage| stages.contains_key(*stage)), "{summary}");
    assert!(
        stages.values().all(|seconds| seconds.as_f64().is_some_and(|seconds| seconds >= 0.0)),
        "{summary}"
    );
}

/// The first object comes after a second, while the run waits for its input.
#[test]
fn json_progress_is_one_object_a_line_and_only_the_last_is_done() {
    let place = Place::new();
    let mut child = place.start(&judging("-", "out.jsonl", &["--progress", "json"]));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut stdin = child.stdin.take().unwrap();
    let first = lines.next().unwrap();
    stdin.write_all(json_lines(&corpus(52, 15, 2)).as_bytes()).unwrap();
    drop(stdin);
    let lines: Vec<Value> =
        [first].into_iter().chain(lines).map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let rows: Vec<u64> = lines.iter().map(|line| line["rows"].as_u64().unwrap()).collect();
    assert!(rows.is_sorted() && rows.first() == Some(&0) && rows.last() == Some(&15), "{rows:?}");
    let (last, others) = lines.split_last().unwrap();
    assert!(last["done"] == true && others.iter().all(|line| line["done"] == false), "{lines:?}");
}

#[test]
fn quiet_suppresses_all_but_errors() {
    for progress in ["auto", "plain", "json"] {
        let place = Place::new();
        let mut rows = corpus(53, 5, 1);
        place.write("rows.jsonl", json_lines(&rows));
        let quiet = ["--quiet", "--progress", progress];
        assert_eq!(place.judge("rows.jsonl", "out.jsonl", &quiet).stderr, "");
        rows[2]["summary"] = Value::Null;
        place.write("rows.jsonl", json_lines(&rows));
        let error = place.judge("rows.jsonl", "failed.jsonl", &quiet).error();
        assert!(error.contains("1 of 5 rows failed"), "{error}");
    }
}

const ROWS_WITHOUT_WORDS: &str =
    "{\"document\": \"\", \"summary\": \"A cat.\"}\n{\"document\": \"A cat.\", \"summary\": \"\"}\n";

#[test]
fn run_with_failed_rows_alone_has_no_mean_score() {
    let place = Place::new();
    place.write("rows.jsonl", ROWS_WITHOUT_WORDS);
    let output = place.judge("rows.jsonl", "out.jsonl", &["--progress", "json"]);
    assert_eq!((output.code, &closing(&output)["mean_score"]), (2, &Value::Null), "{}", output.stderr);
    assert_eq!(place.json_rows("out.jsonl").len(), 2);
}
