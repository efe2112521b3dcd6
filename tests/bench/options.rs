//! Names and flags of the laboratory: a misspelt one gets the nearest as a suggestion, and messages show flags as typed.
use serde_json::{Value, json};

use crate::common::{Place, list, number, splitter};
use crate::files::tiny;

/// The arguments in a text, which are separated by spaces; TINY is the tiny model.
fn words(text: &str) -> Vec<&str> {
    text.split(' ').map(|word| if word == "TINY" { tiny() } else { word }).collect()
}

#[test]
fn misspelt_name_suggests_the_nearest() {
    let place = Place::new();
    place.write("d.txt", "The cat sat.");
    for (command, name) in [
        ("score d.txt d.txt --model TINY --metric rogue", "rouge"),
        ("score d.txt d.txt --model TINY --metric finesure:fatihfulness", "faithfulness"),
        ("score d.txt d.txt --model TINY --metric bertscore --bertscore-model bertscor", "bertscore"),
        ("extract d.txt d.txt --extract-rule author", "authors"),
        ("summevals", "summeval"),
    ] {
        let output = place.run(words(command));
        assert_eq!(output.code, 2, "{command:?}");
        let suggests = output.stderr.contains("did you mean") || output.stderr.contains("tip: ");
        assert!(suggests && output.stderr.contains(name), "{command:?}: {}", output.stderr);
    }
    let error = place.run(["score", "d.txt", "d.txt", "--metric", "accuracy"]).error();
    assert!(!error.contains("did you mean"), "{error}");
}

#[test]
fn messages_name_flags_as_they_are_typed() {
    let place = Place::new();
    place.write("other.jsonl", r#"{"text":"The cat sat.","score":0.5}"#);
    place.write("d.txt", "The cat sat.");
    place.write("rows.jsonl", r#"{"document":"The cat sat.","summary":"A dog."}"#);
    for (arguments, part) in [
        ("compare other.jsonl other.jsonl --label x", "set --label to the field of the label"),
        ("score d.txt d.txt --model TINY --metric summac-conv", "give --summac-conv"),
        ("jsonl --data other.jsonl --model TINY", "has no field `label`"),
        ("jsonl --data missing.jsonl --model TINY", "missing.jsonl"),
        ("run rows.jsonl -o - --model TINY --metric nli-sent --fail-on unsupported", "fenice"),
    ] {
        let error = place.run(words(arguments)).error();
        assert!(error.contains(part), "{arguments}: {error}");
    }
    let twice = ["score", "d.txt", "d.txt", "--model", tiny(), "--metric", "rouge", "--set", "metric=menli"];
    let output = place.run(twice);
    assert!(output.code == 2 && output.stderr.contains("--metric gives it as rouge"), "{}", output.stderr);
    let empty = place.write("empty.jsonl", "\n");
    let error = place.run(["jsonl", "--data", empty.to_str().unwrap(), "--model", tiny()]).error();
    assert!(error.contains("empty.jsonl"), "{error}");
}

#[test]
fn rose_measures_every_extractor() {
    let place = Place::new();
    let people = ["Anna visited Paris.", "Anna bought a car.", "Bob visited Paris.", "Bob bought a car."];
    let row = json!({"summary": "Anna and Bob visited Paris and bought a car.", "claims": people});
    place.write("rose.jsonl", row.to_string());
    let f1 = |how: &str| {
        number(&place.run(["rose", "--data", "rose.jsonl", "--claims", how, "--format", "json"]).json()["f1"])
    };
    assert!((f1(&splitter()) - 1.0).abs() < 1e-9);
    assert!(f1("sentence") < 0.9);
    let text = place.run(["rose", "--data", "rose.jsonl", "--claims", &splitter()]).ok();
    let own = text.lines().find(|line| line.starts_with("this one")).unwrap();
    assert_eq!(own.split_whitespace().collect::<Vec<_>>(), ["this", "one", "100.0", "100.0", "100.0"]);
    place.write("bad.jsonl", r#"{"summary":"A word."}"#);
    let error = place.run(["rose", "--data", "bad.jsonl"]).error();
    assert!(error.contains("line 1") && error.contains("`claims`"), "{error}");
}

/// A row's given sentences are those of the metric, even if they are only punctuation.
#[test]
fn given_sentences_are_measured() {
    let judge = |sentences: &Value, metric: &str| {
        let place = Place::new();
        let row = json!({"document": "The cat sat. It was old.\n A dog ran.", "summary": "The cat sat; it was old. A dog ran.",
                         "summary_sentences": sentences, "key_facts": ["The cat sat."]});
        place.write("rows.jsonl", row.to_string());
        place.run(["run", "rows.jsonl", "-o", "-", "-q", "--model", tiny(), "--metric", metric]).json()
    };
    let texts = |result: &Value| -> Vec<String> {
        list(&result["finesure"]["sentences"])
            .iter()
            .map(|item| item["text"].as_str().unwrap().to_owned())
            .collect()
    };
    let given = ["The cat sat;", "it was old.", "A dog ran."];
    assert_eq!(texts(&judge(&json!(given), "finesure")), given);
    // A sentence that is left out is not counted, and one of marks is.
    let marks = judge(&json!(["A dog ran", "."]), "finesure:faithfulness");
    assert_eq!(texts(&marks), ["A dog ran", "."]);
    assert_eq!(marks["finesure"]["sentences"][1]["is_faithful"], true);
}

/// The benchmark ended at the first such row.
#[test]
fn rose_leaves_out_invalid_rows() {
    let place = Place::new();
    let row = |summary: &str| json!({"summary": summary, "claims": ["The cat sat."]}).to_string();
    let rows =
        [row("The cat sat."), row("\u{200b}"), "{\"summary\":\"A.\"}".to_owned(), row("The dog left.")];
    place.write("rows.jsonl", rows.join("\n"));
    let output = place.run(["rose", "--data", "rows.jsonl", "--format", "json"]);
    assert_eq!(output.code, 2);
    let figures: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(figures["summaries"], 2);
    for part in
        ["left out: rows.jsonl: line 2: the summary", "left out: rows.jsonl: line 3: has no field `claims`"]
    {
        assert!(output.stderr.contains(part), "{part} in {}", output.stderr);
    }
    place.write("good.jsonl", format!("{}\n{}", rows[0], rows[3]));
    let good = place.run(["rose", "--data", "good.jsonl", "--format", "json"]).json();
    assert_eq!(good, figures);
    place.write("bad.jsonl", &rows[1]);
    let error = place.run(["rose", "--data", "bad.jsonl"]).error();
    assert!(error.contains("no row can be measured; the first: line 1: "), "{error}");
}
