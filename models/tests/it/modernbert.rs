//! ModernBERT against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use veridic_models::{ModelError, PackedBatch};

use crate::judges::{self, assert_int8_is_close, assert_labels, assert_logits, assert_pairs, assert_states};

/// Name and the output that means entailment.
const MODELS: [(&str, usize); 2] = [("published", 0), ("other", 1)];

fn folder(name: &str) -> String {
    format!("modernbert/{name}")
}

#[test]
fn logits_agree_with_transformers_and_batches_change_nothing() {
    MODELS.iter().for_each(|(name, _)| assert_logits(&folder(name)));
}

#[test]
fn pair_layouts_agree_with_the_python_tokenizer() {
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

/// Of an inner layer, and of the last with its norm.
#[test]
fn token_states_agree_with_transformers() {
    MODELS.iter().for_each(|(name, _)| assert_states(&folder(name), 4));
}

#[test]
fn the_longest_position_is_the_limit() {
    let model = judges::load(&folder("published"));
    assert_eq!(model.token_limit(), 512);
    let beyond = PackedBatch::from_sequences([(&[5; 513][..], &[0; 513][..])]);
    assert!(matches!(model.logits(&beyond), Err(ModelError::TooLong { tokens: 513, limit: 512 })));
}
