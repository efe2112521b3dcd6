//! The metric alignscore on a checkpoint with the authors' layout, compared with scores that
//! scripts/fixtures/make_alignscore.py computes with `transformers`.

use serde_json::{Value, json};

use super::{assert_near, row};
use crate::common::{Place, list, number, repository};
use crate::files::tiny;

fn checkpoint() -> String {
    repository("models/tests/fixtures/alignscore").to_str().unwrap().to_owned()
}

fn expected() -> Value {
    let file = repository("models/tests/fixtures/alignscore/expected.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// The result of a row of the fixture, by a head.
fn measured(place: &Place, row: &Value, head: &str) -> Value {
    let line = json!({"document": row["document"], "sentences": row["sentences"], "summary": row["summary"]});
    place.write("aligned.jsonl", line.to_string());
    let model = checkpoint();
    let metric =
        ["--set", "metric=alignscore:split,whole", "--set", &format!("align_head={head}"), "--dtype", "f32"];
    let fixed = ["run", "aligned.jsonl", "-o", "-", "-q", "--model", &model];
    place.run(fixed.iter().chain(&metric)).json()
}

#[test]
fn scores_are_those_of_the_reference() {
    let place = Place::new();
    let expected = expected();
    for row in list(&expected["rows"]) {
        for head in ["nli", "bin"] {
            let result = measured(&place, row, head);
            for (name, way) in [("alignscore", "split"), ("alignscore_whole", "whole")] {
                let (ours, theirs) = (number(&result[name]), number(&row[way][head]));
                assert!((ours - theirs).abs() <= 1e-4, "{name} {head} of {}: {ours}, {theirs}", row["name"]);
            }
            let facts = &result["alignscore_facts"];
            assert_eq!((&facts["head"], &facts["chunks"]), (&json!(head), &row["chunks"]));
            assert_eq!(list(&facts["sentences"]).len(), list(&row["summary_sentences"]).len());
            assert_near(&result["score"], number(&result["alignscore"]));
        }
    }
}

#[test]
fn a_row_that_fails_leaves_the_next_ones_as_they_are() {
    let place = Place::new();
    let expected = expected();
    let of = |row: &Value| {
        let mut fields = json!({"document": row["document"], "summary": row["summary"]});
        fields["sentences"] = row["sentences"].clone();
        fields.to_string()
    };
    let long = json!({"document": "It rained.", "summary": format!("It {}rained.", "really ".repeat(600))});
    let rows = list(&expected["rows"]);
    place.write("rows.jsonl", [long.to_string(), of(&rows[2]), of(&rows[1])].join("\n"));
    let (model, weights) = (checkpoint(), repository("tests/fixtures/summac/percentile_e.bin"));
    let weights = format!("summac_conv={}", weights.display());
    let metrics = ["--set", "metric=alignscore;summac-conv", "--set", &weights];
    let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "-q", "--dtype", "f32", "--model", &model];
    let together = place.run(fixed.iter().chain(&metrics));
    assert_eq!(together.code, 2, "{}", together.stderr);
    let results: Vec<Value> =
        place.read("out.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(results[0]["error"].is_object(), "{}", results[0]);
    for (result, row) in results[1..].iter().zip([&rows[2], &rows[1]]) {
        let (ours, theirs) = (number(&result["alignscore"]), number(&row["split"]["nli"]));
        assert!((ours - theirs).abs() <= 1e-4, "{}: {ours}, {theirs}", row["name"]);
        let sentences = list(&row["sentences"]).len();
        assert_eq!(result["summac_conv_facts"]["document_sentences"], sentences);
    }
}

#[test]
fn another_model_is_named_in_a_note() {
    let place = Place::new();
    place.write("rows.jsonl", row().to_string());
    let flags = ["run", "rows.jsonl", "-o", "-", "--set", "metric=alignscore", "--model"];
    let ours = place.run(flags.iter().chain(&[&checkpoint()[..]]));
    let other = place.run(flags.iter().chain(&[tiny()]));
    assert!(!ours.stderr.contains("not a checkpoint of AlignScore"), "{}", ours.stderr);
    assert!(other.stderr.contains("not a checkpoint of AlignScore"), "{}", other.stderr);
    assert_eq!(other.json()["alignscore_facts"]["head"], Value::Null);
}

#[test]
fn a_head_without_a_checkpoint_is_an_error() {
    let place = Place::new();
    let error = place.score_tiny("A b.", "A b.", &["--set", "align_head=bin"]).error();
    assert!(
        error.contains("--set align_head=bin: ") && error.contains("not a checkpoint of AlignScore"),
        "{error}"
    );
    let unknown = place.score_tiny("A b.", "A b.", &["--set", "align_head=reg"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("are nli and bin"), "{}", unknown.stderr);
}

#[test]
fn the_whole_texts_are_compared_only_when_asked() {
    let place = Place::new();
    place.write("rows.jsonl", row().to_string());
    let model = checkpoint();
    let run = |metric| {
        let fixed = ["run", "rows.jsonl", "-o", "-", "-q", "--model", &model, "--set"];
        place.run(fixed.into_iter().chain([metric])).json()
    };
    let result = run("metric=alignscore");
    assert!(result["alignscore"].is_number() && result["alignscore_whole"].is_null(), "{result}");
    let whole = run("metric=alignscore:whole");
    assert!(whole["alignscore"].is_null() && whole["alignscore_facts"]["chunks"].is_null(), "{whole}");
    assert_near(&whole["score"], number(&whole["alignscore_whole"]));
}
