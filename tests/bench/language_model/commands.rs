//! Each command with an answering server: the requests sent, and the use of the answers.
use serde_json::Value;

use super::judge::{Judge, completion};
use super::{council, finesure, requests, shop, with_rows};
use crate::common::Place;
use crate::files::tiny;

/// Answers FineSurE's fact checking.
fn checking() -> Judge {
    Judge::start(|_, body| (200, "", completion(body)))
}

#[test]
fn score_asks_a_server() {
    let (place, judge, row) = (Place::new(), checking(), shop());
    let server = format!("judge={}", judge.url);
    let more = ["--set", "metric=finesure:faithfulness", "--set", &server, "--set", "judge_model=m"];
    let output = place.score_tiny(row["document"].as_str().unwrap(), row["summary"].as_str().unwrap(), &more);
    assert!(output.stderr.contains("1 requests sent"), "{}", output.stderr);
    assert_eq!(output.json()["faithfulness"], 0.5);
    assert_eq!(judge.posted().len(), 1);
}

#[test]
fn a_benchmark_asks_a_server() {
    let (place, judge) = (Place::new(), checking());
    // Eight documents, so that both halves have rows of both labels.
    let labelled = (0..8).flat_map(|number| {
        [shop(), council()].into_iter().zip([0, 1]).map(move |(mut row, label)| {
            row["document"] = format!("{} {number}.", row["document"].as_str().unwrap()).into();
            row["label"] = label.into();
            row.to_string()
        })
    });
    place.write("labelled.jsonl", labelled.collect::<Vec<_>>().join("\n"));
    let fixed = ["jsonl", "--data", "labelled.jsonl", "--model", tiny()];
    let metric = ["--metric", "finesure:faithfulness"];
    let server = ["--judge", &judge.url, "--judge-model", "m", "--format", "json"];
    let output = place.run([&fixed[..], &metric, &server].concat());
    assert!(output.stderr.contains("16 requests sent"), "{}", output.stderr);
    let figures: Value = serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{}", output.stderr));
    assert_eq!(figures["roc_auc"], 1.0, "{figures}");
    // Requests are written or answered, not both.
    let output = place.run([&fixed[..], &metric, &server[..4], &["--prompts", "p.jsonl"]].concat());
    assert!(output.code != 0 && output.stderr.contains("--judge"), "{}", output.stderr);
    assert!(!place.path("p.jsonl").exists());
}

#[test]
fn requests_that_are_written_are_not_sent() {
    let (place, judge) = (with_rows(), checking());
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let fixed = ["prompts", "finesure:faithfulness", "rows.jsonl", "-o", "q.jsonl", "--model", tiny()];
    let output = place.run([&fixed[..], &["--judge", &judge.url, "--judge-model", "m"]].concat());
    assert!(output.code != 0 && output.stderr.contains("--judge answers requests"), "{}", output.stderr);
    assert!(!place.path("q.jsonl").exists() && judge.received.lock().unwrap().is_empty());
    // Written requests can be answered like sent ones.
    let written = super::lines(&place.read("p.jsonl"));
    assert!(finesure(&written[0]).is_some());
}
