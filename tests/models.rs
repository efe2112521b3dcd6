//! `models list` and `models info`: what they tell of the bundled model and of a folder.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Place, tiny};

#[test]
fn info_of_a_folder_tells_what_it_is() {
    let place = Place::new();
    let text = place.run(["models", "info", &tiny()]).ok();
    for part in ["DeBERTa", "entailment", "neutral", "contradiction", "4096", "licence", "sha256"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_digest_is_the_one_that_results_carry() {
    let place = Place::new();
    let result = place.score_tiny("The cat sat.", "The cat.", &[]).json();
    let digest = result["models"]["nli"]["sha256"].as_str().unwrap();
    assert!(place.run(["models", "info", &tiny()]).ok().contains(digest));
}

#[test]
fn unknown_names_and_broken_folders_are_refused() {
    let place = Place::new();
    for name in ["nosuch", "", "nowhere/at/all"] {
        assert!(place.run(["models", "info", name]).error().contains(name));
    }
    let folder = common::repository("models/tests/fixtures/bad/weights_cut_in_half");
    assert!(place.run(["models", "info", folder.to_str().unwrap()]).error().contains("model.safetensors"));
}

#[cfg(feature = "bundled")]
#[test]
fn the_bundled_model_is_listed_with_size_labels_limit_licence_and_digest() {
    let place = Place::new();
    let list = place.run(["models", "list"]).ok();
    assert!(list.contains("mini") && list.contains("DeBERTa"), "{list}");
    let info = place.run(["models", "info", "mini"]).ok();
    let fixture = common::repository("models/tests/fixtures/mini/pairs_expected.json");
    let fixture: serde_json::Value = serde_json::from_slice(&std::fs::read(fixture).unwrap()).unwrap();
    let digest = fixture["weights_sha256"].as_str().unwrap();
    for part in ["22.9 M", "entailment, neutral, contradiction", "512", "apache-2.0", digest] {
        assert!(info.to_lowercase().contains(&part.to_lowercase()), "{part} in {info}");
    }
}
