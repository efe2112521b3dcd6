//! The bundled model against Python's `transformers`: fixtures by scripts/fixtures/make_mini.py,
//! on the texts of examples/nli_pairs.jsonl.
#![cfg(feature = "bundled")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use veridic_models::{LoadOptions, ModelSource, NliModel, PackedBatch, PairTokens, Precision, Truncation};

fn json(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn mini(precision: Option<Precision>) -> NliModel {
    let options = LoadOptions { precision, ..LoadOptions::default() };
    NliModel::load(&ModelSource::find("mini").unwrap(), &options).unwrap()
}

fn numbers(list: &Value) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as u32).collect()
}

fn floats(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

#[test]
fn token_ids_agree_on_awkward_strings() {
    let model = mini(None);
    let fixture = json("tests/fixtures/mini/tokens.json");
    let rows = fixture["rows"].as_array().unwrap();
    assert!(rows.len() >= 40);
    for (index, row) in rows.iter().enumerate() {
        let tokens = |row: &Value| model.tokenizer().text(row["text"].as_str().unwrap()).unwrap();
        let (first, second) = (tokens(row), tokens(&rows[(index + 1) % rows.len()]));
        let single = numbers(&row["single"]["ids"]);
        assert_eq!(first.ids, single[1..single.len() - 1], "{}", row["name"]);
        let pair = model.tokenizer().pair(&first, &second, usize::MAX, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, numbers(&row["pair"]["ids"]), "{}", row["name"]);
        assert_eq!(pair.types, numbers(&row["pair"]["type_ids"]), "{}", row["name"]);
        let text: Vec<char> = row["text"].as_str().unwrap().chars().collect();
        assert!(first.spans.iter().all(|&(a, b)| a <= b && b <= text.len()), "{}", row["name"]);
    }
}

#[test]
fn the_example_pairs_agree_single_and_batched() {
    let (model, as_stored) = (mini(Some(Precision::F32)), mini(None));
    assert_eq!(as_stored.precision(), Precision::Int8);
    let pairs: Vec<PairTokens> = include_str!("../../examples/nli_pairs.jsonl")
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = |field: &str| model.tokenizer().text(row[field].as_str().unwrap()).unwrap();
            model.tokenizer().pair(&text("premise"), &text("hypothesis"), 512, Truncation::Refuse).unwrap()
        })
        .collect();
    let fixture = json("tests/fixtures/mini/pairs_expected.json");
    let rows = fixture["rows"].as_array().unwrap();
    assert_eq!((pairs.len(), rows.len()), (64, 64));
    let together = PackedBatch::from_sequences(pairs.iter().map(|p| (&p.ids[..], &p.types[..])));
    let together = model.logits(&together).unwrap();
    for ((pair, row), logits) in pairs.iter().zip(rows).zip(&together) {
        assert_eq!(pair.ids.len() as u64, row["tokens"].as_u64().unwrap());
        for (ours, reference) in logits.iter().zip(floats(&row["logits"])) {
            assert!((ours - reference).abs() < 1e-4, "{logits:?}, reference {row}");
        }
        let alone = PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])]);
        assert_eq!(logits, &model.logits(&alone).unwrap()[0]);
        for (model, tolerance) in [(&model, 1e-5), (&as_stored, 0.05)] {
            let p = model.probabilities(&alone).unwrap()[0];
            for (ours, reference) in
                [p.entailment, p.neutral, p.contradiction].iter().zip(floats(&row["probabilities"]))
            {
                assert!((ours - reference).abs() < tolerance, "{p:?}, reference {row}");
            }
        }
    }
}

#[test]
fn the_stated_digest_is_that_of_the_weights() {
    let weights =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/mini/model.int8.safetensors")).unwrap();
    let digest: String = Sha256::digest(weights).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(mini(None).info().sha256, digest);
}
