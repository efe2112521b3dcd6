//! The default model, from its 8-bit rows, against Python's `transformers`: fixture by scripts/fixtures/make_shipped.py, on
//! the texts of examples/nli_pairs.jsonl.

use serde_json::Value;
use veridic_models::{
    DEFAULT_MODEL, ModelSource, NliModel, PairTokens, Precision, Probabilities, ShippedModels,
};

use crate::common::{
    TOLERANCE, batch, example_pairs, fixture, floats, ids, json, largest_difference, list, load,
};

fn expected() -> Value {
    json(&fixture("base/pairs_expected.json"))
}

fn base(precision: Option<Precision>) -> NliModel {
    load(&ModelSource::find(DEFAULT_MODEL, &ShippedModels::default()).unwrap(), precision)
}

fn probabilities(model: &NliModel, pairs: &[PairTokens]) -> Vec<Probabilities> {
    model.probabilities(&batch(pairs)).unwrap()
}

#[test]
fn example_pairs_agree_in_f32() {
    let model = base(Some(Precision::F32));
    let (pairs, expected) = (example_pairs(&model), expected());
    let rows = list(&expected["rows"]);
    assert_eq!((pairs.len(), rows.len()), (64, 64));
    assert_eq!(model.info().sha256, expected["weights_sha256"].as_str().unwrap());
    let batch = batch(&pairs);
    let unsupported = model.unsupported_tokens(&batch).unwrap().unwrap();
    for (tokens, row) in unsupported.iter().zip(rows) {
        assert!(largest_difference(tokens, &floats(&row["unsupported"])) < TOLERANCE, "{row}");
    }
    for ((pair, row), logits) in pairs.iter().zip(rows).zip(model.logits(&batch).unwrap()) {
        assert_eq!(pair.ids, ids(&row["ids"]));
        let difference = largest_difference(&logits, &floats(&row["logits"]));
        assert!(difference < TOLERANCE, "{logits:?}, reference {row}");
    }
}

#[test]
fn int8_is_the_default_and_close_to_the_reference() {
    let model = base(None);
    assert_eq!(model.precision(), Precision::Int8);
    assert_close(&model, 0.03);
}

/// Only on processors that compute in bf16.
#[test]
fn bf16_is_close_to_the_reference() {
    if Precision::Bf16.is_supported() {
        assert_close(&base(Some(Precision::Bf16)), 0.02);
    }
}

fn assert_close(model: &NliModel, tolerance: f32) {
    let (pairs, expected) = (example_pairs(model), expected());
    let all = probabilities(model, &pairs);
    for (p, row) in all.iter().zip(list(&expected["rows"])) {
        let ours = [p.entailment, p.neutral, p.contradiction];
        let difference = largest_difference(&ours, &floats(&row["probabilities"]));
        assert!(difference < tolerance, "{p:?}, reference {row}");
    }
    for (pair, together) in pairs.iter().zip(&all).step_by(7) {
        assert_eq!(&probabilities(model, std::slice::from_ref(pair))[0], together);
    }
}
