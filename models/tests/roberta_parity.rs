//! Our RoBERTa classifier against Python's `transformers`: fixtures by scripts/fixtures/make_roberta.py.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_models::{LoadOptions, ModelError, ModelSource, NliModel, PackedBatch, Precision, Truncation};

/// Largest difference to the reference's logits that is put down to rounding.
const TOLERANCE: f32 = 1e-4;

const MODELS: [&str; 4] = ["published", "published_bin", "other_order", "published_f16"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/roberta")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn load(name: &str) -> NliModel {
    NliModel::load(
        &ModelSource::Folder(folder().join(name)),
        &LoadOptions { precision: Some(Precision::F32), ..LoadOptions::default() },
    )
    .unwrap()
}

fn numbers(list: &Value) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as u32).collect()
}

fn floats(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

/// (token ids, reference logits) of every case that a model takes.
fn cases(name: &str) -> Vec<(Vec<u32>, Vec<f32>)> {
    let cases = json(&folder().join("cases.json"));
    let ids = |wanted: &Value| {
        let case = cases["cases"].as_array().unwrap().iter().find(|case| case["name"] == *wanted).unwrap();
        numbers(&case["ids"])
    };
    let expected = json(&folder().join(name).join("expected.json"));
    let rows = expected["rows"].as_array().unwrap();
    assert!(rows.len() >= 20, "{name}");
    rows.iter().map(|row| (ids(&row["name"]), floats(&row["logits"]))).collect()
}

fn batch(sequences: &[&[u32]]) -> PackedBatch {
    let types = vec![0; 600];
    PackedBatch::from_sequences(sequences.iter().map(|ids| (*ids, &types[..ids.len()])))
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    for name in MODELS {
        let model = load(name);
        let cases = cases(name);
        let sequences: Vec<&[u32]> = cases.iter().map(|(ids, _)| &ids[..]).collect();
        let together = model.logits(&batch(&sequences)).unwrap();
        for ((ids, reference), row) in cases.iter().zip(&together) {
            for (ours, theirs) in row.iter().zip(reference) {
                assert!((ours - theirs).abs() <= TOLERANCE, "{name}: {row:?}, reference {reference:?}");
            }
            assert_eq!(row.len(), reference.len());
            assert_eq!(&model.logits(&batch(&[ids])).unwrap()[0], row, "{name}");
        }
        let longest = sequences.iter().map(|ids| ids.len()).max().unwrap();
        assert!(longest > if name == "other_order" { 100 } else { 450 }, "{name}: {longest}");
    }
}

#[test]
fn token_ids_agree_with_the_python_tokenizer() {
    let cases = json(&folder().join("cases.json"));
    for name in MODELS {
        let model = load(name);
        for case in cases["cases"].as_array().unwrap().iter().filter(|case| !case["hypothesis"].is_null()) {
            let text = |field: &str| model.tokenizer().text(case[field].as_str().unwrap()).unwrap();
            let (premise, hypothesis) = (text("premise"), text("hypothesis"));
            let pair = model.tokenizer().pair(&premise, &hypothesis, 4096, Truncation::Refuse).unwrap();
            assert_eq!(pair.ids, numbers(&case["ids"]), "{name}: {}", case["name"]);
        }
    }
}

#[test]
fn probabilities_follow_the_models_own_labels() {
    for name in MODELS {
        let model = load(name);
        let expected = json(&folder().join(name).join("expected.json"));
        let labels: Vec<&str> =
            expected["labels"].as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        assert_eq!(model.info().labels, labels);
        let place = |word: &str| labels.iter().position(|label| label.to_lowercase() == word).unwrap();
        for ((ids, _), row) in cases(name).iter().zip(expected["rows"].as_array().unwrap()) {
            let ours = model.probabilities(&batch(&[ids])).unwrap()[0];
            let theirs = floats(&row["probabilities"]);
            for (ours, word) in [
                (ours.entailment, "entailment"),
                (ours.neutral, "neutral"),
                (ours.contradiction, "contradiction"),
            ] {
                assert!((ours - theirs[place(word)]).abs() <= TOLERANCE, "{name}: {row}");
            }
        }
    }
}

#[test]
fn the_position_table_is_the_limit() {
    let model = load("published");
    assert_eq!(model.token_limit(), 512);
    assert!(model.logits(&batch(&[&[5; 512]])).is_ok());
    assert!(matches!(
        model.logits(&batch(&[&[5; 513]])),
        Err(ModelError::TooLong { tokens: 513, limit: 512 })
    ));
    assert_eq!(load("other_order").token_limit(), 256);
}
