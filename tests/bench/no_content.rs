//! An error never prints the content of a file: a marked text is placed where every reader refuses it, and must appear
//! neither on the terminal nor in the `error` of a row.
use std::fs;

use serde_json::{Value, json};

use crate::common::leaks::{TEXT, broken_lines, faults, leak, texts};
use crate::common::{Place, assert_no_faults};
use crate::files::tiny;

#[test]
fn scores_and_labels() {
    let judged = json!({"id": 1, "score": 0.5, "input": {"label": 1}});
    let rows = texts(&[
        json!({"id": TEXT, "score": TEXT, "input": {"label": 1}}),
        json!({"id": TEXT, "score": 0.5, "input": {"label": TEXT}}),
        json!({"id": TEXT, "score": 0.5, "input": {TEXT: 1}}),
        json!({"id": TEXT, "error": {"reason": TEXT}, "input": {"label": 1}}),
        json!({"id": TEXT, "error": TEXT, "input": {"label": 1}}),
        json!({"id": TEXT, TEXT: 0.5}),
        json!({"id": 1, "score": 0.5, "input": {"label": 1}, "models": TEXT, "profile": {"name": [TEXT]}}),
    ]);
    let rows = [broken_lines(), rows].concat();
    let mut found = faults("a.jsonl", &rows, &["compare", "a.jsonl", "a.jsonl", "--label", "label"]);
    let calibrate = ["calibrate", "a.jsonl", "--label", "label", "-o", "out.toml"];
    found.extend(faults("a.jsonl", &rows, &calibrate));
    // Ids of two files that do not match.
    let place = Place::new();
    place.write("a.jsonl", judged.to_string());
    place.write("b.jsonl", json!({"id": TEXT, "score": 0.5, "input": {"label": 1}}).to_string());
    let other = leak(&place, &["compare", "a.jsonl", "b.jsonl", "--label", "label"]);
    found.extend(other.map(|printed| ("ids".to_owned(), printed)));
    assert_no_faults(found);
}

#[test]
fn files_of_metrics() {
    let place = Place::new();
    place.write("a.txt", "A cat sat.");
    let score = ["score", "a.txt", "a.txt", "--model", tiny()];
    let mut found = Vec::new();
    let mut refuse = |name: &str, text: &str, more: &[&str]| {
        place.write(name, text);
        let leak = leak(&place, &[&score[..], more].concat());
        found.extend(leak.map(|printed| (format!("{name}: {text}"), printed)));
    };
    let answers = |set: &'static str| ["--set", "metric=rating:faithfulness", "--set", set];
    let lines = texts(&[json!({"id": TEXT, "answer": TEXT}), json!({"answer": TEXT}), json!([TEXT])]);
    for text in [broken_lines(), lines].concat() {
        refuse("answers.jsonl", &text, &answers("answers=answers.jsonl"));
    }
    let template = format!("[user]\n{TEXT} {{{{document}}}}");
    refuse("template.txt", &template, &answers("prompt_template=template.txt"));
    let weights = ["--set", "metric=summac-conv", "--set", "summac_conv=weights.bin"];
    refuse("weights.bin", TEXT, &weights);
    assert_no_faults(found);
}

#[test]
fn rows_of_metrics_and_prompts() {
    let rows = texts(&[
        json!({"premise": {"text": TEXT}, "hypothesis": TEXT, "summary": [TEXT]}),
        json!({"premise": TEXT, "hypothesis": "...", "summary": "..."}),
    ]);
    let rows = [broken_lines(), rows].concat();
    let mut found = faults("a.jsonl", &rows, &["prompts", "rating", "a.jsonl", "-o", "out.jsonl"]);
    let facts = texts(&[json!({"document": TEXT, "summary": TEXT, "key_facts": [{"fact": TEXT}]})]);
    let finesure = ["run", "rows.jsonl", "-o", "out.jsonl", "--set", "metric=finesure", "--model", tiny()];
    found.extend(faults("rows.jsonl", &facts, &finesure));
    assert_no_faults(found);
}

#[test]
fn rows_of_benchmarks() {
    let names = "id doc document article source summary claim claims label score dataset split cut origin model_name \
        doc_id topic sent_label summ_sent model_id decoded text expert_annotations system_id system_output scores \
        summary_sentences raw_annotations hash text_id sumautoeval";
    let row = |value: &Value| {
        Value::Object(names.split(' ').map(|name| (name.to_owned(), value.clone())).collect()).to_string()
    };
    let list = json!([{"responses": TEXT, "sentence": TEXT, "consistency": TEXT}]);
    let rows = [broken_lines(), vec![row(&json!(TEXT)), row(&list), row(&json!({TEXT: TEXT}))]].concat();
    let mut found = Vec::new();
    let benchmarks = "aggrefact llm-aggrefact frank qags summedits summeval realsumm tofueval longeval story-summeval rose \
        entities jsonl";
    for benchmark in benchmarks.split(' ') {
        let fixed = [benchmark, "--data", "rows.jsonl"];
        let model = if benchmark == "entities" { vec![] } else { vec!["--model", tiny()] };
        let rows = faults("rows.jsonl", &rows, &[&fixed[..], &model].concat());
        found.extend(rows.into_iter().map(|(row, printed)| (format!("{benchmark}: {row}"), printed)));
    }
    let place = Place::new();
    place.write("rows.jsonl", json!({"id": 1, "document": TEXT, "summary": TEXT, "label": 1}).to_string());
    for scores in [TEXT.to_owned(), json!({"id": TEXT, "score": 1}).to_string()] {
        for name in ["scores.txt", "scores.jsonl"] {
            place.write(name, &scores);
            let leak = leak(&place, &["jsonl", "--data", "rows.jsonl", "--scores", name]);
            found.extend(leak.map(|printed| (scores.clone(), printed)));
        }
    }
    assert_no_faults(found);
}

#[test]
fn replies_of_a_language_model() {
    let place = Place::new();
    place.write(
        "rows.jsonl",
        json!({"document": TEXT, "summary": TEXT, "key_facts": [TEXT], "reference": TEXT}).to_string(),
    );
    let set = |value: &str| ["--set".to_owned(), value.to_owned()];
    let mut found = Vec::new();
    for metric in ["rating:faithfulness", "tofueval:summary", "finesure", "sumautoeval:correctness"] {
        let prompts = ["prompts", metric, "rows.jsonl", "-o", "requests.jsonl"];
        let _ = fs::remove_file(place.path("requests.jsonl"));
        let output = place.run(prompts);
        assert_eq!(output.code, 0, "{metric}: {}", output.stderr);
        let requests = place.read("requests.jsonl");
        let ids: Vec<Value> =
            requests.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
        let refused = json!({"choices": [{"message": {"content": null, "refusal": TEXT}}]});
        let replies = [
            json!({"answer": TEXT}),
            json!({"error": {"message": TEXT}}),
            json!({"response": {"body": refused}}),
        ];
        for reply in replies {
            let line = |id: &Value| {
                let mut line = reply.clone();
                line["custom_id"] = id.clone();
                line.to_string()
            };
            place.write("answers.jsonl", ids.iter().map(line).collect::<Vec<_>>().join("\n"));
            let sets = [set(&format!("metric={metric}")), set("answers=answers.jsonl")].concat();
            let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", tiny()].map(str::to_owned);
            let arguments = [&fixed[..], &sets].concat();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            found.extend(leak(&place, &arguments).map(|printed| (format!("{metric}: {reply}"), printed)));
        }
    }
    assert_no_faults(found);
}
