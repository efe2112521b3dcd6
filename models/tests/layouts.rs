//! Weights in parts, and a checker that is asked in words, against `transformers` on the same folders.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use veridic_models::{
    LoadOptions, ModelSource, NliModel, PackedBatch, PairTokenizer, Precision, Question, Truncation,
};

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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/layouts").join(name)
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
        let model = NliModel::load(
            &ModelSource::Folder(folder(name)),
            &LoadOptions { precision: Some(Precision::F32), ..LoadOptions::default() },
        )
        .unwrap();
        for row in rows(name) {
            let tokenizer = model.tokenizer();
            let (premise, hypothesis) =
                (tokenizer.text(&row.premise).unwrap(), tokenizer.hypothesis(&row.hypothesis).unwrap());
            let pair = tokenizer.pair(&premise, &hypothesis, 512, Truncation::Refuse).unwrap();
            assert_eq!(pair.ids, row.ids, "{name}: {}", row.premise);
            let batch = PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])]);
            let logits = model.logits(&batch).unwrap().swap_remove(0);
            for (ours, theirs) in logits.iter().zip(&row.logits) {
                assert!((ours - theirs).abs() < 1e-4, "{name}: {logits:?} {:?}", row.logits);
            }
        }
    }
}

#[test]
fn the_digest_of_parts_is_of_all_of_them() {
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
fn a_tensor_in_two_parts_is_refused() {
    let copy = copy_of_parts();
    let part = |number: u8| copy.path().join(format!("model-0000{number}-of-00002.safetensors"));
    fs::copy(part(1), part(2)).unwrap();
    let error = NliModel::describe(&ModelSource::Folder(copy.path().to_owned())).unwrap_err().to_string();
    assert!(error.contains("is in") && error.contains("too"), "{error}");
}

/// A question's ids are those of one text, whatever the tokenizer.
#[test]
fn a_question_is_tokenized_as_one_text() {
    let json = fs::read(folder("checker").join("tokenizer.json")).unwrap();
    let tokenizer = PairTokenizer::parse(&json, "tokenizer.json", 1 << 20).unwrap();
    let tokenizer = tokenizer.asking(Question::parse("{document}</s>{claim}").unwrap()).unwrap();
    for row in rows("checker") {
        let (premise, hypothesis) =
            (tokenizer.text(&row.premise).unwrap(), tokenizer.hypothesis(&row.hypothesis).unwrap());
        let pair = tokenizer.pair(&premise, &hypothesis, 512, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, row.ids, "{}", row.premise);
        assert!(pair.types.iter().all(|kind| *kind == 0));
    }
}

/// FactCG's question, on a tokenizer of its kind: the document's tokens do not depend on what follows.
#[test]
fn a_question_after_a_document_leaves_its_tokens_alone() {
    let manifest = veridic_models::store::Manifest::get();
    let checker = manifest.model("factcg").unwrap().checker.as_ref().unwrap();
    let question = checker.template.replace("{claim}", "The pool, they said, is \"old\".");
    let question = question.strip_prefix("{document}").unwrap();
    for name in ["unigram", "unigram_published"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tokenizers").join(name);
        let model = NliModel::load(
            &ModelSource::Folder(folder),
            &LoadOptions { precision: Some(Precision::F32), ..LoadOptions::default() },
        )
        .unwrap();
        let ids = |text: &str| model.tokenizer().text(text).unwrap().ids;
        for document in ["The pool closed.", "It is old. ", "a\tb\n\n", "(naïve) 1,200 – 東京", "x\""] {
            let parts = [ids(document), ids(question)].concat();
            assert_eq!(parts, ids(&format!("{document}{question}")), "{name}: {document:?}");
        }
    }
}

#[test]
fn a_template_names_document_and_claim_once_each() {
    assert!(Question::parse("{document}[SEP]{claim}").is_some());
    for template in
        ["", "{document}", "{claim} {document}", "{document}{claim}{claim}", "{document}{document}{claim}"]
    {
        assert!(Question::parse(template).is_none(), "{template}");
    }
    for entry in &veridic_models::store::Manifest::get().models {
        let template = entry.checker.as_ref().map(|checker| checker.template.as_str());
        assert!(template.is_none_or(|template| Question::parse(template).is_some()), "{}", entry.name);
    }
}
