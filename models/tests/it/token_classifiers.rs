//! Token classifiers against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use std::fs;

use serde_json::{Value, json};
use veridic_models::{ComputeDevice, ModelError, ModelSource, PackedBatch, TokenClassifier, Truncation};

use crate::common::{
    self, TOLERANCE, copied, devices, fixture, floats, ids, largest_difference, list, strings,
};

const MODELS: [&str; 7] = ["bert", "roberta", "mpnet", "modernbert", "albert", "deberta_v1", "deberta"];

fn load(source: ModelSource) -> Result<TokenClassifier, ModelError> {
    TokenClassifier::load(&source, ComputeDevice::Cpu)
}

fn model(name: &str) -> TokenClassifier {
    model_on(name, ComputeDevice::Cpu)
}

fn model_on(name: &str, device: ComputeDevice) -> TokenClassifier {
    let source = ModelSource::Folder(fixture("token_classifiers").join(name));
    TokenClassifier::load(&source, device).unwrap()
}

fn expected(name: &str) -> Value {
    common::json(&fixture("token_classifiers").join(name).join("expected.json"))
}

/// Token ids and types of a model's rows.
fn sequences(name: &str) -> Vec<(Vec<u32>, Vec<u32>)> {
    list(&expected(name)["rows"]).iter().map(|row| (ids(&row["ids"]), ids(&row["type_ids"]))).collect()
}

fn batch(sequences: &[(Vec<u32>, Vec<u32>)]) -> PackedBatch {
    PackedBatch::from_sequences(sequences.iter().map(|(ids, types)| (&ids[..], &types[..])))
}

#[test]
fn logits_and_probabilities_agree_with_transformers_and_batches_change_nothing() {
    for (name, device) in devices().flat_map(|device| MODELS.map(|name| (name, device))) {
        let (model, expected) = (model_on(name, device), expected(name));
        assert_eq!(model.labels(), strings(&expected["labels"]), "{name}");
        let (rows, sequences) = (list(&expected["rows"]), sequences(name));
        let together = model.logits(&batch(&sequences)).unwrap();
        let probabilities = model.unsupported_tokens(&batch(&sequences)).unwrap();
        for ((row, sequence), (ours, probabilities)) in
            rows.iter().zip(&sequences).zip(together.iter().zip(&probabilities))
        {
            for (ours, theirs) in ours.iter().zip(list(&row["logits"])) {
                let difference = largest_difference(ours, &floats(theirs));
                assert!(difference <= TOLERANCE, "{name}, {}: {difference}", row["hypothesis"]);
            }
            let difference = largest_difference(probabilities, &floats(&row["probabilities"]));
            assert!(difference <= TOLERANCE, "{name}, {}: {difference}", row["hypothesis"]);
            let alone = model.logits(&batch(std::slice::from_ref(sequence))).unwrap().swap_remove(0);
            for (alone, ours) in alone.iter().zip(ours) {
                // The kernels of the processor give the same bits in every batch.
                let difference = largest_difference(alone, ours);
                assert!(difference <= if device == ComputeDevice::Cpu { 0.0 } else { TOLERANCE }, "{name}");
            }
        }
        assert!(rows.len() >= 4, "{name}");
    }
}

#[test]
fn pairs_are_laid_out_as_by_the_python_tokenizer() {
    for name in MODELS {
        let model = model(name);
        let tokenizer = model.tokenizer();
        for row in list(&expected(name)["rows"]) {
            let text = |field: &str| tokenizer.text(row[field].as_str().unwrap()).unwrap();
            let (premise, hypothesis) = (text("premise"), text("hypothesis"));
            let pair = tokenizer.pair(&premise.ids, &hypothesis.ids, model.token_limit(), Truncation::Refuse);
            assert_eq!(pair.unwrap().ids, ids(&row["ids"]), "{name}");
        }
    }
}

/// The fixture `bert` with a changed configuration.
fn changed(field: &str, value: &Value) -> Result<TokenClassifier, ModelError> {
    let from = fixture("token_classifiers/bert");
    let folder = copied(&from, &["tokenizer.json", "model.safetensors"]);
    let mut config = common::json(&from.join("config.json"));
    config[field] = value.clone();
    fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    load(ModelSource::Folder(folder.path().to_owned()))
}

#[test]
fn other_models_and_labels_are_refused() {
    for (field, value, part) in [
        ("architectures", json!(["BertForSequenceClassification"]), "*ForTokenClassification"),
        ("id2label", json!({"0": "B", "1": "I"}), "name it `unsupported`"),
        ("id2label", json!({"0": "O", "1": "B", "2": "I"}), "3 labels"),
        ("id2label", json!({"0": "unsupported"}), "`classifier.weight` has shape [2, 16]"),
        ("model_type", json!("electra"), "electra"),
        ("premise", json!("Read this: {text}"), "needs {document}"),
    ] {
        let error = changed(field, &value).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_premise_stands_in_the_text_that_the_model_was_trained_with() {
    let plain = model("bert");
    assert_eq!(plain.premise("The cat sat.").unwrap(), plain.tokenizer().text("The cat sat.").unwrap().ids);
    let wrapped = changed("premise", &json!("Read this:\n{document}\nThe end.")).unwrap();
    let expected = wrapped.tokenizer().text("Read this:\nThe cat sat.\nThe end.").unwrap();
    assert_eq!(wrapped.premise("The cat sat.").unwrap(), expected.ids);
}
