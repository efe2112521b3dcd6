//! An error never prints the content of a file: a marked text is placed where every reader refuses it, and must appear
//! neither on the terminal nor in the `error` of a row.
use std::fs;

use serde_json::{Value, json};

use crate::common::leaks::{TEXT, broken_lines, faults, leak, texts};
use crate::common::{Place, assert_no_faults, test_each, tiny, with_tiny};

#[test]
fn rows_of_run() {
    let rows = [
        json!({"document": {TEXT: 1}, "summary": TEXT}),
        json!({"document": TEXT, "summary": {"text": TEXT}}),
        json!({"document": TEXT, "summary": "..."}),
        json!({"document": [TEXT, {"text": 1, "more": TEXT}], "summary": TEXT}),
        json!({"document": [{"id": TEXT, "text": TEXT}, {"id": TEXT, "text": TEXT}], "summary": TEXT}),
        json!({"document": "A cat sat.", "document_sentences": [TEXT], "summary": TEXT}),
        json!({"document": TEXT, "summary": "A cat sat.", "summary_sentences": [TEXT]}),
    ];
    let run = |input: &str| with_tiny(&["run", input, "-o", "out.jsonl"]);
    let mut found = faults("rows.jsonl", &[broken_lines(), texts(&rows)].concat(), &run("rows.jsonl"));
    let arrays: Vec<String> = broken_lines().iter().map(|line| format!("[{line}]")).collect();
    found.extend(faults("rows.json", &arrays, &run("rows.json")));
    let tables = [
        // Tables without a header.
        format!("{TEXT},{TEXT}\n{TEXT},{TEXT}\n"),
        format!("{TEXT},A cat sat.\n{TEXT},A cat sat.\n"),
        format!("document,summary\n{TEXT},{TEXT},{TEXT}\n"),
        format!("document,summary\n\"{TEXT}\" {TEXT},{TEXT}\n"),
        format!("document,summary\n\"{TEXT}\n"),
    ];
    found.extend(faults("rows.csv", &tables, &run("rows.csv")));
    let parquet = [TEXT.to_owned(), format!("PAR1{TEXT}PAR1")];
    if cfg!(feature = "parquet") {
        found.extend(faults("rows.parquet", &parquet, &run("rows.parquet")));
    }
    let claims = texts(&[
        json!({"document": TEXT, "summary": TEXT, "claims": TEXT}),
        json!({"document": TEXT, "summary": TEXT, "claims": {"text": TEXT}}),
    ]);
    let given = with_tiny(&["run", "rows.jsonl", "-o", "out.jsonl", "--claims", "given"]);
    found.extend(faults("rows.jsonl", &claims, &given));
    assert_no_faults(found);
}

#[test]
fn scores_of_reports_and_shards() {
    let scores = texts(&[
        json!({"schema": TEXT}),
        json!({"schema": 1, "id": TEXT, "error": TEXT}),
        json!({"schema": 1, "profile": TEXT, "models": TEXT}),
        json!({"schema": 1, "profile": {}, "models": {}, "claims": [{"text": TEXT, "score": TEXT}]}),
        json!({"schema": 1, "profile": {}, "models": {}, "claims": [{"text": TEXT, "verdict": TEXT}]}),
        json!({"profile.name": TEXT, "claims": TEXT, "score": TEXT}),
    ]);
    let scores = [broken_lines(), scores].concat();
    let mut found = faults("a.jsonl", &scores, &["report", "a.jsonl", "-o", "out.html"]);
    found.extend(faults("a.jsonl", &scores, &["merge", "a.jsonl", "-o", "out.jsonl"]));
    assert_no_faults(found);
}

#[test]
fn texts_of_nli_and_claims() {
    let rows = texts(&[
        json!({"premise": {"text": TEXT}, "hypothesis": TEXT, "summary": [TEXT]}),
        json!({"premise": TEXT, "hypothesis": "...", "summary": "..."}),
    ]);
    let rows = [broken_lines(), rows].concat();
    let mut found = faults("a.jsonl", &rows, &["nli", "--input", "a.jsonl", "--model", &tiny()]);
    found.extend(faults("a.jsonl", &rows, &["claims", "a.jsonl"]));
    assert_no_faults(found);
}

#[test]
fn files_of_settings() {
    let rules = [
        TEXT.to_owned(),
        format!("\"{TEXT}\"\n"),
        format!("version = \"{TEXT}\"\n"),
        format!("version = 1\n\"{TEXT}\" = 1\n"),
        format!("version = 1\n[model]\n\"{TEXT}\" = 1\n"),
        format!("version = 1\n[model]\nid = [\"{TEXT}\"]\n"),
        format!("version = 1\n[window]\nx = \"{TEXT}\"\n"),
        format!("{{\"x\": \"{TEXT}\"}}"),
    ];
    let place = Place::new();
    place.write("a.txt", "A cat sat.");
    let score = with_tiny(&["score", "a.txt", "a.txt", "--rules", "rules.toml"]);
    test_each(rules, |text| {
        place.write("rules.toml", text);
        assert_eq!(leak(&place, &score), None);
    });
}

#[test]
fn files_of_models() {
    let tiny = std::path::PathBuf::from(tiny());
    let files = ["config.json", "tokenizer.json", "model.safetensors"];
    let place = Place::new();
    fs::create_dir(place.path("model")).unwrap();
    let restore = |file: &str| fs::copy(tiny.join(file), place.path("model").join(file)).unwrap();
    let info = ["nli", "--premise", "A cat.", "--hypothesis", "A dog.", "--model", "model"];
    for file in files {
        restore(file);
    }
    assert_eq!(place.run(info).code, 0, "the whole model is read");
    let mut found = Vec::new();
    for file in files {
        for text in [broken_lines(), vec![json!({"hidden_size": TEXT, "model": TEXT}).to_string()]].concat() {
            place.write(&format!("model/{file}"), &text);
            found.extend(leak(&place, &info).map(|printed| (format!("{file}: {text}"), printed)));
        }
        restore(file);
    }
    let config: Value = serde_json::from_slice(&fs::read(tiny.join("config.json")).unwrap()).unwrap();
    for name in ["model_type", "hidden_size", "hidden_act", "architectures", "pos_att_type", "id2label"] {
        let mut config = config.clone();
        config[name] =
            if name == "hidden_size" { json!({TEXT: TEXT}) } else { json!(format!("{TEXT}|{TEXT}")) };
        place.write("model/config.json", config.to_string());
        found.extend(leak(&place, &info).map(|printed| (format!("config.json: {name}"), printed)));
    }
    assert_no_faults(found);
}
