//! Weights in parts, and the prompt of a checker, against `transformers` on the same folders.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use veridic_models::{ModelSource, NliModel, PairTokenizer, PromptTemplate, Truncation};

use crate::common::{self, batch, largest_difference, load_f32, pair};

#[derive(Deserialize)]
struct Expected {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    premise: String,
    hypothesis: String,
    ids: Vec<u32>,
    logits: Vec<f32>,
}

fn folder(name: &str) -> PathBuf {
    common::fixture("layouts").join(name)
}

fn rows(name: &str) -> Vec<Row> {
    let json = fs::read(folder(name).join("expected.json")).unwrap();
    serde_json::from_slice::<Expected>(&json).unwrap().rows
}

fn copy_of_parts() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder("deberta_parts")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

#[test]
fn weights_in_parts_give_the_same_logits() {
    for name in ["deberta_parts", "roberta_parts_bin"] {
        let model = load_f32(&format!("layouts/{name}"));
        for row in rows(name) {
            let pair = pair(&model, &row.premise, &row.hypothesis);
            assert_eq!(pair.ids, row.ids, "{name}: {}", row.premise);
            let logits = model.logits(&batch([&pair])).unwrap().swap_remove(0);
            let difference = largest_difference(&logits, &row.logits);
            assert!(difference < 1e-4, "{name}: {logits:?} {:?}", row.logits);
        }
    }
}

#[test]
fn the_digest_covers_all_parts() {
    let copy = copy_of_parts();
    let source = ModelSource::Folder(copy.path().to_owned());
    let digest = || NliModel::describe(&source).unwrap().sha256;
    let before = digest();
    assert_eq!((before.len(), digest()), (64, before.clone()));
    let part = copy.path().join("model-00002-of-00002.safetensors");
    let mut bytes = fs::read(&part).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&part, bytes).unwrap();
    assert_ne!(digest(), before);
    fs::remove_file(&part).unwrap();
    let error = NliModel::describe(&source).unwrap_err().to_string();
    assert!(error.contains("model-00002-of-00002.safetensors"), "{error}");
}

#[test]
fn a_tensor_in_two_parts_is_an_error() {
    let copy = copy_of_parts();
    let part = |number: u8| copy.path().join(format!("model-0000{number}-of-00002.safetensors"));
    fs::copy(part(1), part(2)).unwrap();
    let error = NliModel::describe(&ModelSource::Folder(copy.path().to_owned())).unwrap_err().to_string();
    assert!(error.contains("is in") && error.contains("too"), "{error}");
}

#[test]
fn a_prompt_is_tokenized_as_one_text() {
    let json = fs::read(folder("checker").join("tokenizer.json")).unwrap();
    let tokenizer = PairTokenizer::parse(&json, "tokenizer.json", 1 << 20).unwrap();
    let tokenizer = tokenizer.with_prompt(PromptTemplate::parse("{document}</s>{claim}").unwrap()).unwrap();
    for row in rows("checker") {
        let (premise, hypothesis) =
            (tokenizer.text(&row.premise).unwrap(), tokenizer.hypothesis(&row.hypothesis).unwrap());
        let pair = tokenizer.pair(&premise.ids, &hypothesis.ids, 512, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, row.ids, "{}", row.premise);
        assert!(pair.types.iter().all(|kind| *kind == 0));
    }
}

/// FactCG's prompt with a tokenizer of the same type: the document's tokens do not depend on the text after it.
#[test]
fn a_prompt_does_not_change_the_tokens_of_the_document() {
    let manifest = veridic_models::store::Manifest::get();
    let checker = manifest.model("factcg").unwrap().checker.as_ref().unwrap();
    let prompt = checker.template.replace("{claim}", "The pool, they said, is \"old\".");
    let prompt = prompt.strip_prefix("{document}").unwrap();
    for name in ["unigram", "unigram_published"] {
        let model = load_f32(&format!("tokenizers/{name}"));
        let ids = |text: &str| model.tokenizer().text(text).unwrap().ids;
        for document in ["The pool closed.", "It is old. ", "a\tb\n\n", "(naïve) 1,200 – 東京", "x\""] {
            let parts = [ids(document), ids(prompt)].concat();
            assert_eq!(parts, ids(&format!("{document}{prompt}")), "{name}: {document:?}");
        }
    }
}

#[test]
fn a_prompt_template_has_document_and_claim_once_each() {
    assert!(PromptTemplate::parse("{document}[SEP]{claim}").is_some());
    for template in
        ["", "{document}", "{claim} {document}", "{document}{claim}{claim}", "{document}{document}{claim}"]
    {
        assert!(PromptTemplate::parse(template).is_none(), "{template}");
    }
    for entry in &veridic_models::store::Manifest::get().models {
        let template = entry.checker.as_ref().map(|checker| checker.template.as_str());
        assert!(template.is_none_or(|template| PromptTemplate::parse(template).is_some()), "{}", entry.name);
    }
}
