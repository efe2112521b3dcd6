//! The small model that comes with the program, compiled in, against Python's `transformers`: fixtures by
//! scripts/fixtures/make_shipped.py, on the texts of examples/nli_pairs.jsonl.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use veridic_models::{ModelSource, Precision, ShippedModels, Truncation};

use crate::common::{
    TOLERANCE, batch, example_pairs, fixture, floats, ids, json, largest_difference, list, load, mini,
};

#[test]
fn token_ids_agree_on_awkward_strings() {
    let model = load(&mini(), None);
    let expected = json(&fixture("mini/tokens.json"));
    let rows = list(&expected["rows"]);
    assert!(rows.len() >= 40);
    for (index, row) in rows.iter().enumerate() {
        let tokens = |row: &serde_json::Value| model.tokenizer().text(row["text"].as_str().unwrap()).unwrap();
        let (first, second) = (tokens(row), tokens(&rows[(index + 1) % rows.len()]));
        let single = ids(&row["single"]["ids"]);
        assert_eq!(first.ids, single[1..single.len() - 1], "{}", row["name"]);
        let pair = model.tokenizer().pair(&first, &second, usize::MAX, Truncation::Refuse).unwrap();
        assert_eq!(pair.ids, ids(&row["pair"]["ids"]), "{}", row["name"]);
        assert_eq!(pair.types, ids(&row["pair"]["type_ids"]), "{}", row["name"]);
        let text: Vec<char> = row["text"].as_str().unwrap().chars().collect();
        assert!(first.spans.iter().all(|&(a, b)| a <= b && b <= text.len()), "{}", row["name"]);
    }
}

#[test]
fn example_pairs_agree_single_and_batched() {
    let (model, as_stored) = (load(&mini(), Some(Precision::F32)), load(&mini(), None));
    assert_eq!(as_stored.precision(), Precision::Int8);
    let pairs = example_pairs(&model);
    let expected = json(&fixture("mini/pairs_expected.json"));
    let rows = list(&expected["rows"]);
    assert_eq!((pairs.len(), rows.len()), (64, 64));
    let together = model.logits(&batch(&pairs)).unwrap();
    for ((pair, row), logits) in pairs.iter().zip(rows).zip(&together) {
        assert_eq!(pair.ids, ids(&row["ids"]));
        let difference = largest_difference(logits, &floats(&row["logits"]));
        assert!(difference < TOLERANCE, "{logits:?}, reference {row}");
        let alone = batch([pair]);
        assert_eq!(logits, &model.logits(&alone).unwrap()[0]);
        for (model, tolerance) in [(&model, 1e-5), (&as_stored, 0.05)] {
            let p = model.probabilities(&alone).unwrap()[0];
            let ours = [p.entailment, p.neutral, p.contradiction];
            let difference = largest_difference(&ours, &floats(&row["probabilities"]));
            assert!(difference < tolerance, "{p:?}, reference {row}");
        }
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
