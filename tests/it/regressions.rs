//! Regressions, named for what broke.
use std::fs;
use std::path::Path;

use crate::common::{Place, SENTENCES, tiny, with_tiny};
use serde_json::{Value, json};

/// A copy of the tiny model with its configuration changed.
fn model_with(place: &Place, change: impl Fn(&mut Value)) -> String {
    let folder = place.path("model");
    fs::create_dir(&folder).unwrap();
    for file in ["tokenizer.json", "model.safetensors"] {
        fs::copy(Path::new(&tiny()).join(file), folder.join(file)).unwrap();
    }
    let mut config: Value =
        serde_json::from_slice(&fs::read(Path::new(&tiny()).join("config.json")).unwrap()).unwrap();
    change(&mut config);
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    folder.to_string_lossy().into_owned()
}

#[test]
fn released_uses_no_windows_when_a_stride_leaves_only_one() {
    let place = Place::new();
    place.write("document.txt", SENTENCES[..6].join(" "));
    place.write("summary.txt", SENTENCES[0]);
    let premises = |extra: &[&str]| {
        let fixed = ["score", "document.txt", "summary.txt", "--format", "json", "--claims", "sentence"];
        let result = place.run_tiny(&[&fixed, &["--profile", "released"][..], extra].concat()).json();
        result["ledger"]["premises"].as_u64().unwrap()
    };
    assert_eq!(premises(&["--set", "stride=5"]), 6);
    assert_eq!(premises(&[]), 6 + 2 + 1);
}

#[test]
fn sizes_that_overflow_are_refused_by_name() {
    for (field, value) in [
        ("attention_head_size", json!((1u64 << 60) + 24)),
        ("max_relative_positions", json!(u64::MAX >> 1)),
        ("vocab_size", json!(1u64 << 40)),
        ("position_buckets", json!(1)),
    ] {
        let place = Place::new();
        let model = model_with(&place, |config| config[field] = value.clone());
        let error = place.run(["models", "info", &model]).error();
        assert!(error.contains("config.json") && error.contains(field), "{error}");
    }
}

#[test]
fn num_labels_counts_where_id2label_is_missing() {
    let place = Place::new();
    let model = model_with(&place, |config| {
        config.as_object_mut().unwrap().remove("id2label");
        config["num_labels"] = json!(3);
    });
    let pair = ["nli", "--premise", "It rained.", "--hypothesis", "It rained.", "--model", &model];
    assert!(place.run(pair).error().contains("`labels`"));
    let labelled = pair.iter().chain(&["--set", "labels=entailment,neutral,contradiction"]);
    assert!(place.run(labelled).ok().contains("entailment"));
}

#[test]
fn a_premise_is_never_cut_to_nothing() {
    let place = Place::new();
    let hypothesis = vec!["cat"; 29].join(" ");
    let tiny = tiny();
    let run = |hypothesis: &str| {
        let pair = ["nli", "--premise", "the cat sat", "--hypothesis", hypothesis];
        place.run(pair.iter().chain(&["--model", &tiny, "--set", "max_tokens=32", "--truncate", "premise"]))
    };
    assert!(run(&hypothesis).error().contains("limit"));
    assert!(run(hypothesis.trim_end_matches(" cat")).ok().contains("entailment"));
}

#[test]
fn a_dash_as_output_is_standard_output_and_no_file() {
    let place = Place::new();
    place.write("rows.jsonl", r#"{"document":"It rained.","summary":"It rained."}"#);
    place.run_tiny(&["run", "rows.jsonl", "-o", "-"]).ok();
    assert!(place.run(["merge", "rows.jsonl", "-o", "-"]).error().contains("file"));
    assert!(!place.path("-").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_stderr_does_not_end_the_work() {
    let place = Place::new();
    place.write("text.txt", "The cat sat.");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let arguments = with_tiny(&["score", "text.txt", "text.txt"]);
    let status = place.command(arguments).stderr(full).stdout(std::process::Stdio::null()).status();
    assert_eq!(status.unwrap().code(), Some(0));
}
