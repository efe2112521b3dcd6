//! Real-world rows measured by metrics: odd characters, rows that fail, rows without a verdict.
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::failing::failing_model;
use crate::common::found::{DOCUMENT, SUMMARY, any_text};
use crate::common::labelled::{json_lines, rows, run};
use crate::common::{Place, assert_spans, list, slice};
use crate::files::tiny;

/// The results of rows by metrics.
fn measured(rows: &[String], metric: &str, claims: &str) -> Vec<Value> {
    let place = Place::new();
    place.write("rows.jsonl", rows.join("\n"));
    let metric = format!("metric={metric}");
    let fixed =
        ["run", "rows.jsonl", "-o", "-", "-q", "--model", tiny(), "--set", &metric, "--claims", claims];
    let output = place.run(fixed);
    assert!(output.code == 0 || output.code == 2, "{}", output.stderr);
    json_lines(&output.stdout)
}

#[test]
fn metrics_keep_spans() {
    let row = json!({
        "document": DOCUMENT, "summary": SUMMARY, "claims": ["The ca\u{ad}t sat.", "The dog left."],
        "summary_sentences": ["The ca\u{ad}t sat.", "The do\u{ad}g\u{0} left."],
        "key_facts": ["The \u{0}cat sat."], "reference": "The cat\u{81} sat.",
    });
    let lines = measured(&[row.to_string()], "fenice;finesure;rouge", "given");
    assert_spans(&lines[0], DOCUMENT, SUMMARY);
    let sentences = list(&lines[0]["finesure"]["sentences"]);
    assert!(!sentences.is_empty());
    for sentence in sentences {
        assert_eq!(slice(SUMMARY, &sentence["span"]), sentence["text"].as_str().unwrap());
    }
}

#[test]
fn extracts_are_of_the_text_as_given() {
    let place = Place::new();
    place.write("document.txt", DOCUMENT);
    place.write("summary.txt", SUMMARY);
    let fixed = ["extract", "document.txt", "summary.txt", "--method", "rouge-1", "--budget", "12"];
    let extract = place.run(fixed.iter().chain(&["--format", "json", "--model", tiny()])).json();
    for sentence in list(&extract["sentences"]) {
        assert_eq!(slice(DOCUMENT, &sentence["span"]), sentence["text"].as_str().unwrap());
    }
}

#[test]
fn benchmarks_leave_unsure_rows_out() {
    let place = Place::new();
    let lines: Vec<String> = rows().iter().map(|row| row.to_string()).collect();
    place.write("rows.jsonl", lines.join("\n"));
    let fixed = ["jsonl", "--data", "rows.jsonl", "--label", "label", "--format", "json", "--model", tiny()];
    let output = place.run(fixed.iter().chain(&["--dtype", "f32", "--abstain", "0.1"]));
    let notes = output.stderr.clone();
    let report = output.json();
    run(&place, &rows(), "abstained.jsonl", &["--abstain", "0.1"]);
    let unsure =
        json_lines(&place.read("abstained.jsonl")).iter().filter(|row| row["verdict"] == "unsure").count();
    assert!(unsure > 0);
    assert_eq!(report["data"]["rows_left_out"]["texts with the verdict unsure"], unsure, "{report}");
    assert_eq!(report["data"]["texts_measured"], 80 - unsure, "{report}");
    assert!(notes.contains(&format!("left out: {unsure} of 80 texts")), "{notes}");
    let all = place.run(fixed.iter().chain(&["--dtype", "f32", "--abstain", "0.5", "--quiet"]));
    assert!(all.error().contains("--abstain: the verdicts on all 80 texts are unsure"));
}

/// A key fact that failed shifted the outcomes of its row to the next rows.
#[test]
fn a_failing_key_fact_does_not_change_other_rows() {
    let place = Place::new();
    let row = |id: usize, key_fact: &str| {
        json!({
            "id": id,
            "document": "The cat sat on the mat. The dog left late.",
            "summary": "The cat sat. The dog left. It was late.",
            "key_facts": [key_fact, "The dog left."],
        })
        .to_string()
    };
    let folder = failing_model();
    let model = folder.path().to_str().unwrap();
    let run = |rows: &[String], name: &str| {
        place.write("rows.jsonl", rows.join("\n"));
        place.run(["run", "rows.jsonl", "-o", name, "-q", "--model", model, "--set", "metric=finesure"]);
        place.read(name).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let good = [row(2, "The cat sat on the mat."), row(3, "The city was open.")];
    let together = run(&[row(1, "The boat was late."), good[0].clone(), good[1].clone()], "three.jsonl");
    assert!(together[0].contains("\"error\""), "{}", together[0]);
    assert_eq!(together[1..], run(&good, "two.jsonl"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_in_any_field_ends_a_run_or_moves_a_span(
        texts in proptest::collection::vec([any_text(), any_text(), any_text(), any_text()], 1..12),
    ) {
        let rows: Vec<String> = texts.iter().map(|[document, summary, other, name]| {
            json!({"id": other, "document": document, "summary": summary, "key_facts": [other], "reference": other,
                   "topic": name, "references": [name, other], "sections": {name: other}, "x": {"y": name}})
            .to_string()
        }).collect();
        let lines = measured(&rows, "fenice;all", "sentence");
        prop_assert_eq!(lines.len(), rows.len());
        for (line, [document, summary, other, _]) in lines.iter().zip(&texts) {
            prop_assert_eq!(line["id"].as_str().unwrap(), other);
            if line.get("error").is_none() {
                assert_spans(line, document, summary);
                for sentence in line["finesure"]["sentences"].as_array().into_iter().flatten() {
                    prop_assert_eq!(slice(summary, &sentence["span"]), sentence["text"].as_str().unwrap());
                }
            }
        }
    }
}
