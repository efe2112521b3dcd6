//! An error never prints what a file holds: a marked text is put where every reader refuses it, and neither the terminal nor
//! the `error` of a row has it.
use std::fs;

use serde_json::{Value, json};

use crate::common::{Place, assert_no_faults, tiny};

/// The beginning of the text, which no error may have.
const MARK: &str = "Zyxwvut";
const TEXT: &str = "Zyxwvut was treated for a fever on Monday.";

/// What is wrong with an invocation that must fail: that it succeeds, or that it prints the text.
fn leak(place: &Place, arguments: &[&str]) -> Option<String> {
    for name in ["out.jsonl", "out.jsonl.journal", "out.toml", "out.html"] {
        let _ = fs::remove_file(place.path(name));
    }
    let output = place.run(arguments);
    let rows = if place.path("out.jsonl").exists() { place.read("out.jsonl") } else { String::new() };
    // Fields of the row pass through, its error does not quote them.
    let errors = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap()["error"].to_string());
    let printed = output.stdout + &output.stderr + &errors.collect::<String>();
    match output.code {
        2 if !printed.contains(MARK) => None,
        2 => Some(printed),
        code => Some(format!("exit code {code}: {printed}")),
    }
}

/// The faults of files of one name, each read by the same invocation.
fn faults(name: &str, files: &[String], arguments: &[&str]) -> Vec<(String, String)> {
    let place = Place::new();
    let leak = |text: &String| {
        place.write(name, text);
        Some((text.clone(), leak(&place, arguments)?))
    };
    files.iter().filter_map(leak).collect()
}

fn texts(rows: &[Value]) -> Vec<String> {
    rows.iter().map(Value::to_string).collect()
}

/// Lines that are no rows, whatever is read from them.
fn broken_lines() -> Vec<String> {
    let text = json!(TEXT);
    vec![
        TEXT.to_owned(),
        text.to_string(),
        format!("[{text}]"),
        format!("{{\"document\":{text}"),
        format!("{{\"document\" {text}}}"),
        format!("{{\"document\":{text},\"document\":{text}}}"),
        format!("{{{text}:1,{text}:2}}"),
        format!("{{{text}:1}}"),
    ]
}

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
    let run = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", &tiny()];
    let mut found = faults("rows.jsonl", &[broken_lines(), texts(&rows)].concat(), &run);
    let arrays: Vec<String> = broken_lines().iter().map(|line| format!("[{line}]")).collect();
    found.extend(faults("rows.json", &arrays, &["run", "rows.json", "-o", "out.jsonl", "--model", &tiny()]));
    let tables = [
        // Tables without a header.
        format!("{TEXT},{TEXT}\n{TEXT},{TEXT}\n"),
        format!("{TEXT},A cat sat.\n{TEXT},A cat sat.\n"),
        format!("document,summary\n{TEXT},{TEXT},{TEXT}\n"),
        format!("document,summary\n\"{TEXT}\" {TEXT},{TEXT}\n"),
        format!("document,summary\n\"{TEXT}\n"),
    ];
    found.extend(faults("rows.csv", &tables, &["run", "rows.csv", "-o", "out.jsonl", "--model", &tiny()]));
    let parquet = [TEXT.to_owned(), format!("PAR1{TEXT}PAR1")];
    let run = ["run", "rows.parquet", "-o", "out.jsonl", "--model", &tiny()];
    found.extend(if cfg!(feature = "parquet") { faults("rows.parquet", &parquet, &run) } else { vec![] });
    let claims = texts(&[
        json!({"document": TEXT, "summary": TEXT, "claims": TEXT}),
        json!({"document": TEXT, "summary": TEXT, "claims": {"text": TEXT}}),
    ]);
    let given = ["run", "rows.jsonl", "-o", "out.jsonl", "--claims", "given", "--model", &tiny()];
    found.extend(faults("rows.jsonl", &claims, &given));
    let facts = texts(&[json!({"document": TEXT, "summary": TEXT, "key_facts": [{"fact": TEXT}]})]);
    let finesure = ["run", "rows.jsonl", "-o", "out.jsonl", "--set", "metric=finesure", "--model", &tiny()];
    found.extend(faults("rows.jsonl", &facts, &finesure));
    assert_no_faults(found);
}

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
    let scores = texts(&[
        json!({"schema": TEXT}),
        json!({"schema": 1, "id": TEXT, "error": TEXT}),
        json!({"schema": 1, "profile": TEXT, "models": TEXT}),
        json!({"schema": 1, "profile": {}, "models": {}, "claims": [{"text": TEXT, "score": TEXT}]}),
        json!({"schema": 1, "profile": {}, "models": {}, "claims": [{"text": TEXT, "verdict": TEXT}]}),
        json!({"profile.name": TEXT, "claims": TEXT, "score": TEXT}),
    ]);
    let scores = [broken_lines(), scores].concat();
    found.extend(faults("a.jsonl", &scores, &["report", "a.jsonl", "-o", "out.html"]));
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
    found.extend(faults("a.jsonl", &rows, &["prompts", "rating", "a.jsonl", "-o", "out.jsonl"]));
    assert_no_faults(found);
}

#[test]
fn rows_of_benchmarks() {
    let names = [
        "id",
        "doc",
        "document",
        "article",
        "source",
        "summary",
        "claim",
        "claims",
        "label",
        "score",
        "dataset",
        "split",
        "cut",
        "origin",
        "model_name",
        "doc_id",
        "topic",
        "sent_label",
        "summ_sent",
        "model_id",
        "decoded",
        "text",
        "expert_annotations",
        "system_id",
        "system_output",
        "scores",
        "summary_sentences",
        "raw_annotations",
        "hash",
        "text_id",
        "sumautoeval",
    ];
    let row = |value: &Value| {
        Value::Object(names.iter().map(|name| ((*name).to_owned(), value.clone())).collect()).to_string()
    };
    let list = json!([{"responses": TEXT, "sentence": TEXT, "consistency": TEXT}]);
    let rows = [broken_lines(), vec![row(&json!(TEXT)), row(&list), row(&json!({TEXT: TEXT}))]].concat();
    let mut found = Vec::new();
    for benchmark in [
        "aggrefact",
        "llm-aggrefact",
        "frank",
        "qags",
        "summedits",
        "summeval",
        "realsumm",
        "tofueval",
        "longeval",
        "story-summeval",
        "rose",
        "entities",
        "jsonl",
    ] {
        let model = tiny();
        let fixed = ["bench", benchmark, "--data", "rows.jsonl"];
        let model = if benchmark == "entities" { vec![] } else { vec!["--model", &*model] };
        let rows = faults("rows.jsonl", &rows, &[&fixed[..], &model].concat());
        found.extend(rows.into_iter().map(|(row, printed)| (format!("{benchmark}: {row}"), printed)));
    }
    let place = Place::new();
    place.write("rows.jsonl", json!({"id": 1, "document": TEXT, "summary": TEXT, "label": 1}).to_string());
    for scores in [TEXT.to_owned(), json!({"id": TEXT, "score": 1}).to_string()] {
        for name in ["scores.txt", "scores.jsonl"] {
            place.write(name, &scores);
            let leak = leak(&place, &["bench", "jsonl", "--data", "rows.jsonl", "--scores", name]);
            found.extend(leak.map(|printed| (scores.clone(), printed)));
        }
    }
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
    let score = ["score", "a.txt", "a.txt", "--model", &tiny()];
    let mut found = Vec::new();
    let mut refuse = |name: &str, text: &str, more: &[&str]| {
        place.write(name, text);
        let leak = leak(&place, &[&score[..], more].concat());
        found.extend(leak.map(|printed| (format!("{name}: {text}"), printed)));
    };
    rules.iter().for_each(|text| refuse("rules.toml", text, &["--rules", "rules.toml"]));
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
            let fixed = ["run", "rows.jsonl", "-o", "out.jsonl", "--model", &tiny()].map(str::to_owned);
            let arguments = [&fixed[..], &sets].concat();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            found.extend(leak(&place, &arguments).map(|printed| (format!("{metric}: {reply}"), printed)));
        }
    }
    assert_no_faults(found);
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
