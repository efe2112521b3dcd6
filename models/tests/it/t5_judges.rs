//! What the configurations of T5 judges must say; their results are tested in `classifiers.rs`.

use std::fs;

use veridic_models::{LoadOptions, ModelSource, NliModel};

use crate::common::{copied, fixture, json};

/// The error on a model's configuration in which a field is another value, or is missing.
fn error(name: &str, field: &str, value: Option<serde_json::Value>) -> String {
    let from = fixture(&format!("t5_judges/{name}"));
    let changed = copied(&from, &["tokenizer.json", "model.safetensors"]);
    let mut config = json(&from.join("config.json"));
    let fields = config.as_object_mut().unwrap();
    match value {
        Some(value) => fields.insert(field.to_owned(), value),
        None => fields.remove(field),
    };
    fs::write(changed.path().join("config.json"), config.to_string()).unwrap();
    let source = ModelSource::Folder(changed.path().to_owned());
    NliModel::load(&source, &LoadOptions::default()).err().unwrap().to_string()
}

#[test]
fn a_template_and_answers_are_never_guessed() {
    for (name, field, value, words) in [
        ("tokens", "prompt", None, "has no `prompt`"),
        ("tokens", "prompt", Some("{claim} after {document}".into()), "{document} before {claim}"),
        ("answers", "prompt", None, "has no `prompt`"),
        ("answers", "answer_tokens", None, "without `answer_tokens`"),
        ("answers", "answer_tokens", Some(vec![3, 99_999].into()), "[3, 99999]"),
        ("answers", "answer_tokens", Some(vec![3, 4, 5].into()), "for 2 labels"),
        ("answers", "id2label", None, "do not say which output is entailment"),
        ("tokens", "architectures", Some(vec!["T5ForQuestionAnswering"].into()), "T5ForQuestionAnswering"),
        ("hhem", "num_heads", Some(5.into()), "shape"),
    ] {
        let error = error(name, field, value);
        assert!(error.contains(words), "{name}, {field}: {error}");
    }
}
