//! The models that come with the program, from their 8-bit rows, against Python's `transformers`: fixtures by
//! scripts/fixtures/make_shipped.py, on the texts of examples/nli_pairs.jsonl.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};
use veridic_models::{DEFAULT_MODEL, ModelSource, NliModel, Precision, ShippedModels, Truncation};

use crate::common::{
    TOLERANCE, batch, example_pairs, fixture, floats, ids, json, largest_difference, list, load, mini,
};

fn base(precision: Option<Precision>) -> NliModel {
    load(&ModelSource::find(DEFAULT_MODEL, &ShippedModels::default()).unwrap(), precision)
}

/// The reference's results on the examples.
fn expected(name: &str) -> Value {
    json(&fixture(name).join("pairs_expected.json"))
}

#[test]
fn token_ids_agree_on_awkward_strings() {
    let model = load(&mini(), None);
    let expected = json(&fixture("mini/tokens.json"));
    let rows = list(&expected["rows"]);
    assert!(rows.len() >= 40);
    for (index, row) in rows.iter().enumerate() {
        let tokens = |row: &Value| model.tokenizer().text(row["text"].as_str().unwrap()).unwrap();
        let (first, second) = (tokens(row), tokens(&rows[(index + 1) % rows.len()]));
        let single = ids(&row["single"]["ids"]);
        assert_eq!(first.ids, single[1..single.len() - 1], "{}", row["name"]);
        let pair = model.tokenizer().pair(&first.ids, &second.ids, usize::MAX, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, ids(&row["pair"]["ids"]), "{}", row["name"]);
        assert_eq!(pair.types, ids(&row["pair"]["type_ids"]), "{}", row["name"]);
        let text: Vec<char> = row["text"].as_str().unwrap().chars().collect();
        assert!(first.spans.iter().all(|&(a, b)| a <= b && b <= text.len()), "{}", row["name"]);
    }
}

/// The probabilities of all examples together are the reference's, and those of every `step`-th alone.
fn assert_examples(model: &NliModel, name: &str, tolerance: f32, step: usize) {
    let (pairs, expected) = (example_pairs(model), expected(name));
    let rows = list(&expected["rows"]);
    assert_eq!((pairs.len(), rows.len()), (64, 64));
    let all = model.probabilities(&batch(&pairs)).unwrap();
    for ((pair, row), p) in pairs.iter().zip(rows).zip(&all) {
        assert_eq!(pair.ids, ids(&row["ids"]));
        let ours = [p.entailment, p.neutral, p.contradiction];
        let difference = largest_difference(&ours, &floats(&row["probabilities"]));
        assert!(difference < tolerance, "{p:?}, reference {row}");
    }
    for (pair, together) in pairs.iter().zip(&all).step_by(step) {
        assert_eq!(&model.probabilities(&batch([pair])).unwrap()[0], together);
    }
}

/// All examples for mini, every fourth one for base.
#[test]
fn logits_of_examples_agree_in_f32() {
    for (name, model, step) in
        [("base", base(Some(Precision::F32)), 4), ("mini", load(&mini(), Some(Precision::F32)), 1)]
    {
        let expected = expected(name);
        let rows: Vec<&Value> = list(&expected["rows"]).iter().step_by(step).collect();
        assert_eq!(model.info().sha256, expected["weights_sha256"].as_str().unwrap());
        let pairs = example_pairs(&model);
        let batch = batch(pairs.iter().step_by(step));
        for (row, logits) in rows.iter().zip(model.logits(&batch).unwrap()) {
            let difference = largest_difference(&logits, &floats(&row["logits"]));
            assert!(difference < TOLERANCE, "{logits:?}, reference {row}");
        }
        if name == "base" {
            let unsupported = model.unsupported_tokens(&batch).unwrap().unwrap();
            for (tokens, row) in unsupported.iter().zip(rows) {
                assert!(largest_difference(tokens, &floats(&row["unsupported"])) < TOLERANCE, "{row}");
            }
        }
    }
}

#[test]
fn int8_is_the_default_and_close_to_the_reference() {
    for (name, model, step, tolerance) in
        [("base", base(None), 16, 0.03), ("mini", load(&mini(), None), 4, 0.05)]
    {
        assert_eq!(model.precision(), Precision::Int8);
        assert_examples(&model, name, tolerance, step);
    }
    assert_examples(&load(&mini(), Some(Precision::F32)), "mini", 1e-5, 16);
}

/// Only on processors that compute in bf16.
#[test]
fn bf16_is_close_to_the_reference() {
    if Precision::Bf16.is_supported() {
        assert_examples(&base(Some(Precision::Bf16)), "base", 0.02, 7);
    }
}

#[test]
fn the_digest_is_that_of_the_weight_file() {
    let file = Path::new(veridic_weights::FOLDER).join("mini/model.int8.safetensors");
    let digest: String =
        Sha256::digest(fs::read(file).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(load(&mini(), None).info().sha256, digest);
}

#[test]
fn an_embedded_model_is_found_by_its_name() {
    let ModelSource::Embedded(model) = mini() else { panic!("mini is compiled in") };
    let shipped = ShippedModels { embedded: vec![model], ..ShippedModels::default() };
    assert_eq!(shipped.names(), ["base", "mini"]);
    assert!(matches!(ModelSource::find("mini", &shipped).unwrap(), ModelSource::Embedded(_)));
    let error = ModelSource::find("mini", &ShippedModels::default()).unwrap_err().to_string();
    assert!(error.contains("no model `mini`"), "{error}");
}
