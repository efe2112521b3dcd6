//! T5 judges against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use std::fs;

use veridic_models::{LoadOptions, ModelSource, NliModel};

use crate::common::fixture;
use crate::judges::{self, assert_int8_is_close, assert_labels, assert_logits, assert_pairs};

/// Name and the output that means entailment.
const MODELS: [(&str, usize); 4] = [("tokens", 0), ("hhem", 1), ("answers", 1), ("answers_tied", 1)];

fn folder(name: &str) -> String {
    format!("t5_judges/{name}")
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    MODELS.iter().for_each(|(name, _)| assert_logits(&folder(name)));
}

#[test]
fn filled_templates_agree_with_the_python_tokenizer() {
    MODELS.iter().for_each(|(name, _)| assert_pairs(&folder(name)));
}

#[test]
fn labels_are_those_of_the_configuration() {
    MODELS.iter().for_each(|(name, entailment)| assert_labels(&folder(name), *entailment));
}

#[test]
fn int8_is_close() {
    MODELS.iter().for_each(|(name, _)| assert_int8_is_close(&folder(name)));
}

#[test]
fn a_t5_judge_is_described() {
    let info = NliModel::describe(&judges::source(&folder("hhem"))).unwrap();
    assert_eq!(info.architecture, "T5, 3 layers, hidden size 32, 4 heads");
    assert_eq!((info.token_limit, info.labels), (4096, vec!["hallucinated".into(), "consistent".into()]));
}

/// The error on a model's configuration in which a field is another value, or is missing.
fn error(name: &str, field: &str, value: Option<serde_json::Value>) -> String {
    let from = fixture(&folder(name));
    let changed = tempfile::tempdir().unwrap();
    for file in ["tokenizer.json", "model.safetensors"] {
        fs::copy(from.join(file), changed.path().join(file)).unwrap();
    }
    let mut config: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&fs::read(from.join("config.json")).unwrap()).unwrap();
    match value {
        Some(value) => config.insert(field.to_owned(), value),
        None => config.remove(field),
    };
    fs::write(changed.path().join("config.json"), serde_json::to_vec(&config).unwrap()).unwrap();
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
