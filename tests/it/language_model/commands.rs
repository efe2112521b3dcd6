//! Each command with a server that answers: what it asks, and that it uses the answers.
use serde_json::{Value, json};

use super::judge::{Judge, completion, saying};
use super::{council, finesure, requests, shop};
use crate::common::server::Server;
use crate::common::{Place, list, tiny};
use crate::mcp::Session;

/// Answers FineSurE's fact checking.
fn checking() -> Judge {
    Judge::start(|_, body| (200, "", completion(body)))
}

/// Answers requests for claims: one claim.
fn claiming() -> Judge {
    Judge::start(|_, _| (200, "", saying(r#"{"claims": ["Anna Berg closed the shop."]}"#)))
}

#[test]
fn score_asks_a_server() {
    let (place, judge, row) = (Place::new(), checking(), shop());
    let more = [
        "--set",
        "metric=finesure:faithfulness",
        "--set",
        &format!("judge={}", judge.url),
        "--set",
        "judge_model=m",
    ];
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
    let tiny = tiny();
    let fixed = ["bench", "jsonl", "--data", "labelled.jsonl", "--model", &tiny];
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
fn the_server_asks_another() {
    let judge = checking();
    let tiny = tiny();
    let flags = ["--model", &tiny, "--set", "metric=finesure:faithfulness"];
    let server = Server::start(
        &[&flags[..], &["--set", &format!("judge={}", judge.url), "--set", "judge_model=m"]].concat(),
    );
    let row = shop();
    let body = json!({ "document": row["document"], "summary": row["summary"] });
    for _ in 0..2 {
        let response = server.post("/v1/score", &body);
        assert_eq!(response.ok()["faithfulness"], 0.5);
    }
    assert_eq!(judge.posted().len(), 1, "an equal request is not sent again");
}

#[test]
fn the_servers_client_is_told_why_there_is_no_answer() {
    let judge = Judge::start(|_, _| (401, "", r#"{"error":{"message":"no key"}}"#.to_owned()));
    let tiny = tiny();
    let flags = ["--model", &tiny, "--set", "metric=finesure:faithfulness"];
    let server = Server::start(
        &[&flags[..], &["--set", &format!("judge={}", judge.url), "--set", "judge_model=m"]].concat(),
    );
    let row = shop();
    let body = json!({ "document": row["document"], "summary": row["summary"] });
    let response = server.post("/v1/score", &body);
    assert_eq!(response.status, 502, "{}", response.body);
    assert!(
        response.body.contains("language_model") && response.body.contains("no key"),
        "{}",
        response.body
    );
}

#[test]
fn tools_of_language_models_ask_a_server() {
    let judge = claiming();
    let tiny = tiny();
    let flags = [
        "--model",
        &tiny,
        "--claims",
        "answers",
        "--set",
        &format!("judge={}", judge.url),
        "--set",
        "judge_model=m",
    ];
    let mut session = Session::start(&flags);
    let row = shop();
    let answer = session.answer("check", &json!({ "text": row["summary"], "sources": [row["document"]] }));
    let claims: Vec<&Value> = list(&answer["claims"]).iter().map(|claim| &claim["text"]).collect();
    assert_eq!(claims, [&json!("Anna Berg closed the shop.")]);
    assert_eq!(judge.posted().len(), 1);
}

#[test]
fn requests_that_are_written_are_not_sent() {
    let (place, judge) = (Place::new(), checking());
    requests(&place, "finesure:faithfulness", "p.jsonl", &[]);
    let tiny = tiny();
    let fixed = ["prompts", "finesure:faithfulness", "rows.jsonl", "-o", "q.jsonl", "--model", &tiny];
    let output = place.run([&fixed[..], &["--judge", &judge.url, "--judge-model", "m"]].concat());
    assert!(output.code != 0 && output.stderr.contains("--judge answers requests"), "{}", output.stderr);
    assert!(!place.path("q.jsonl").exists() && judge.received.lock().unwrap().is_empty());
    // What is written can be answered like what is sent.
    let written = super::lines(&place.read("p.jsonl"));
    assert!(finesure(&written[0]).is_some());
}
