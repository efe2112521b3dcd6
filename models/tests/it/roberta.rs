//! The RoBERTa classifier against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use std::path::PathBuf;

use serde_json::Value;
use veridic_models::{ModelError, NliModel, PackedBatch};

use crate::common::{self, TOLERANCE, floats, ids, json, largest_difference, list, load_f32, pair, strings};

const MODELS: [&str; 4] = ["published", "published_bin", "other_order", "published_f16"];

fn folder() -> PathBuf {
    common::fixture("roberta")
}

fn load(name: &str) -> NliModel {
    load_f32(&format!("roberta/{name}"))
}

/// (token ids, reference logits) of every case of a model.
fn cases(name: &str) -> Vec<(Vec<u32>, Vec<f32>)> {
    let cases = json(&folder().join("cases.json"));
    let ids_of = |wanted: &Value| {
        let case = list(&cases["cases"]).iter().find(|case| case["name"] == *wanted).unwrap();
        ids(&case["ids"])
    };
    let expected = json(&folder().join(name).join("expected.json"));
    let rows = list(&expected["rows"]);
    assert!(rows.len() >= 20, "{name}");
    rows.iter().map(|row| (ids_of(&row["name"]), floats(&row["logits"]))).collect()
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
            let difference = largest_difference(row, reference);
            assert!(difference <= TOLERANCE, "{name}: {row:?}, reference {reference:?}");
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
        for case in list(&cases["cases"]).iter().filter(|case| !case["hypothesis"].is_null()) {
            let pair = pair(&model, case["premise"].as_str().unwrap(), case["hypothesis"].as_str().unwrap());
            assert_eq!(pair.ids, ids(&case["ids"]), "{name}: {}", case["name"]);
        }
    }
}

#[test]
fn probabilities_follow_the_labels_of_the_configuration() {
    for name in MODELS {
        let model = load(name);
        let expected = json(&folder().join(name).join("expected.json"));
        let labels = strings(&expected["labels"]);
        assert_eq!(model.info().labels, labels);
        let index = |word: &str| labels.iter().position(|label| label.to_lowercase() == word).unwrap();
        for ((ids, _), row) in cases(name).iter().zip(list(&expected["rows"])) {
            let ours = model.probabilities(&batch(&[ids])).unwrap()[0];
            let theirs = floats(&row["probabilities"]);
            for (ours, word) in [
                (ours.entailment, "entailment"),
                (ours.neutral, "neutral"),
                (ours.contradiction, "contradiction"),
            ] {
                assert!((ours - theirs[index(word)]).abs() <= TOLERANCE, "{name}: {row}");
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
