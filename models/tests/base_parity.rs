//! The default model, from its 8-bit rows, against Python's `transformers`: fixture by scripts/fixtures/make_base.py, on the texts of
//! examples/nli_pairs.jsonl.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use serde_json::Value;
use veridic_models::{
    DEFAULT_MODEL, LoadOptions, ModelSource, NliModel, PackedBatch, PairTokens, Precision, Probabilities,
    Truncation,
};

fn fixture() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/base/pairs_expected.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn base(precision: Option<Precision>) -> NliModel {
    let options = LoadOptions { precision, ..LoadOptions::default() };
    NliModel::load(&ModelSource::find(DEFAULT_MODEL).unwrap(), &options).unwrap()
}

fn pairs(model: &NliModel) -> Vec<PairTokens> {
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| model.tokenizer().text(row[field].as_str().unwrap()).unwrap();
        model.tokenizer().pair(&text("premise"), &text("hypothesis"), 512, Truncation::Refuse).unwrap()
    };
    include_str!("../../examples/nli_pairs.jsonl").lines().map(pair).collect()
}

fn probabilities(model: &NliModel, pairs: &[PairTokens]) -> Vec<Probabilities> {
    let batch = PackedBatch::from_sequences(pairs.iter().map(|p| (&p.ids[..], &p.types[..])));
    model.probabilities(&batch).unwrap()
}

fn floats(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

#[test]
fn the_example_pairs_agree_in_32_bits() {
    let model = base(Some(Precision::F32));
    let (pairs, fixture) = (pairs(&model), fixture());
    let rows = fixture["rows"].as_array().unwrap();
    assert_eq!((pairs.len(), rows.len()), (64, 64));
    assert_eq!(model.info().sha256, fixture["weights_sha256"].as_str().unwrap());
    let batch = PackedBatch::from_sequences(pairs.iter().map(|p| (&p.ids[..], &p.types[..])));
    let unsupported = model.unsupported_tokens(&batch).unwrap().unwrap();
    for (tokens, row) in unsupported.iter().zip(rows) {
        let expected = floats(&row["unsupported"]);
        assert_eq!(tokens.len(), expected.len());
        assert!(
            tokens.iter().zip(&expected).all(|(ours, reference)| (ours - reference).abs() < 1e-4),
            "{row}"
        );
    }
    for ((pair, row), logits) in pairs.iter().zip(rows).zip(model.logits(&batch).unwrap()) {
        let ids: Vec<u64> = pair.ids.iter().map(|id| u64::from(*id)).collect();
        let expected: Vec<u64> = row["ids"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        assert_eq!(ids, expected);
        for (ours, reference) in logits.iter().zip(floats(&row["logits"])) {
            assert!((ours - reference).abs() < 1e-4, "{logits:?}, reference {row}");
        }
    }
}

#[test]
fn eight_bits_are_its_own_arithmetic_and_near_the_reference() {
    let model = base(None);
    assert_eq!(model.precision(), Precision::Int8);
    is_near_the_reference(&model, 0.03);
}

/// On processors that compute in bf16; others refuse it.
#[test]
fn sixteen_bits_are_near_the_reference() {
    if Precision::Bf16.is_supported() {
        is_near_the_reference(&base(Some(Precision::Bf16)), 0.02);
    }
}

fn is_near_the_reference(model: &NliModel, tolerance: f32) {
    let (pairs, fixture) = (pairs(model), fixture());
    let all = probabilities(model, &pairs);
    for (p, row) in all.iter().zip(fixture["rows"].as_array().unwrap()) {
        let ours = [p.entailment, p.neutral, p.contradiction];
        for (ours, reference) in ours.iter().zip(floats(&row["probabilities"])) {
            assert!((ours - reference).abs() < tolerance, "{p:?}, reference {row}");
        }
    }
    for (pair, together) in pairs.iter().zip(&all).step_by(7) {
        assert_eq!(&probabilities(model, std::slice::from_ref(pair))[0], together);
    }
}
