//! ALBERT and DeBERTa, version 1, against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use veridic_models::{ModelError, NliModel, PackedBatch};

use crate::judges::{self, assert_int8_is_close, assert_labels, assert_logits, assert_pairs, assert_states};

/// Name and the output that means entailment.
const MODELS: [(&str, usize); 4] =
    [("albert", 0), ("albert_groups", 2), ("deberta", 2), ("deberta_types", 2)];

fn folder(name: &str) -> String {
    format!("encoders/{name}")
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    MODELS.iter().for_each(|(name, _)| assert_logits(&folder(name)));
}

/// From spiece.model, and from vocab.json with merges.txt.
#[test]
fn pair_layouts_agree_with_the_python_tokenizers() {
    MODELS.iter().for_each(|(name, _)| assert_pairs(&folder(name)));
}

#[test]
fn labels_are_those_of_the_configuration() {
    MODELS.iter().for_each(|(name, entailment)| assert_labels(&folder(name), *entailment));
}

#[test]
fn int8_is_close() {
    MODELS.iter().for_each(|(name, _)| assert_int8_is_close(&folder(name)));
}

/// Of the embeddings, an inner and the last layer, on single texts.
#[test]
fn token_states_agree_with_transformers() {
    MODELS.iter().for_each(|(name, _)| assert_states(&folder(name), 6));
}

#[test]
fn the_networks_are_described() {
    let described = |name: &str| NliModel::describe(&judges::source(&folder(name))).unwrap();
    assert_eq!(described("albert").architecture, "ALBERT, 4 layers, hidden size 32, 4 heads");
    assert_eq!(described("deberta").architecture, "DeBERTa, 3 layers, hidden size 32, 4 heads");
    assert_eq!((described("albert").token_limit, described("deberta").token_limit), (256, 4096));
}

/// ALBERT has a position table; DeBERTa's distances beyond its span share the last slots.
#[test]
fn only_a_position_table_is_a_limit() {
    let batch = PackedBatch::from_sequences([(&[5; 257][..], &[0; 257][..])]);
    let logits = |name: &str| judges::load(&folder(name)).logits(&batch);
    assert!(matches!(logits("albert"), Err(ModelError::TooLong { tokens: 257, limit: 256 })));
    assert!(logits("deberta").is_ok());
}
