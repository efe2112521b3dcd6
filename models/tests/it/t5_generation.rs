//! Generated ids against Python's `transformers`, and token ids against the `sentencepiece` package, on the fixtures of
//! scripts/fixtures/make_t5.py.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;
use veridic_models::{GenerationOptions, ModelSource, OptionsFile, Output, SentencePiece, T5, TextToText};

use crate::common::{devices, fixture, ids, json, list};
use crate::t5::load;

fn fixtures() -> PathBuf {
    fixture("t5")
}

/// The options of the model's files, overridden by those of the case.
fn options(model: &str, given: &Value) -> GenerationOptions {
    let folder = fixtures().join(model);
    let mut merged = serde_json::Map::new();
    if let Ok(bytes) = std::fs::read(folder.join("generation_config.json")) {
        merged = serde_json::from_slice(&bytes).unwrap();
    }
    merged.extend(given.as_object().unwrap().clone());
    // The default length of `transformers`, which differs from ours.
    if !["max_length", "max_new_tokens"].iter().any(|name| merged.contains_key(*name)) {
        merged.insert("max_new_tokens".into(), 20.into());
    }
    let merged = serde_json::to_vec(&merged).unwrap();
    let config = std::fs::read(folder.join("config.json")).unwrap();
    GenerationOptions::parse(
        Some(OptionsFile { json: &merged, name: "generation_config.json" }),
        OptionsFile { json: &config, name: "config.json" },
    )
    .unwrap()
}

fn lists(value: &Value) -> Vec<Vec<u32>> {
    list(value).iter().map(ids).collect()
}

#[test]
fn generated_ids_agree_with_transformers_batched_and_single() {
    let mut models: HashMap<(String, String), T5> = HashMap::new();
    let (mut longest, mut compared) = (0, 0);
    for case in list(&json(&fixtures().join("generation.json"))["cases"]) {
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        let model = models
            .entry((text("model"), text("weights")))
            .or_insert_with(|| load(&text("model"), &text("weights")));
        let options = options(&text("model"), &case["options"]);
        let (inputs, expected) = (lists(&case["inputs"]), lists(&case["outputs"]));
        let inputs: Vec<&[u32]> = inputs.iter().map(Vec::as_slice).collect();
        let together = model.generate(&options, &inputs).unwrap();
        for (index, (got, expected)) in together.iter().zip(&expected).enumerate() {
            let what = format!("{}, {}, input {index}", text("model"), text("name"));
            assert_eq!(&got.tokens, expected, "{what}");
            if let Some(scores) = case["scores"].as_array() {
                // The sums of log-probabilities differ by at most one of f32's last digits a token.
                let length = (expected.len() - 1) as f64;
                let sum = |score: f64| score * length.powf(options.length_penalty);
                let (score, wanted) = (f64::from(got.score.unwrap()), scores[index].as_f64().unwrap());
                assert!((sum(score) - sum(wanted)).abs() < 1e-5 * length, "{what}: {score}, {wanted}");
            }
            let alone = model.generate(&options, &inputs[index..=index]).unwrap();
            assert_eq!(&alone[0], got, "{what}, alone");
            longest = longest.max(expected.len());
            compared += 1;
        }
    }
    assert!(longest > 128 && compared > 600, "{longest}, {compared}");
}

#[test]
fn every_device_writes_the_same_texts() {
    let texts = json(&fixture("fcoref/texts.json"));
    let sentences: Vec<&str> = texts["common"].as_str().unwrap().split_inclusive(". ").take(200).collect();
    assert_eq!(sentences.len(), 200);
    let source = ModelSource::Folder(fixtures().join("splitter"));
    let mut written = devices().map(|device| {
        let generated = TextToText::load(&source, device).unwrap().generate(&sentences).unwrap();
        assert!(generated.iter().filter(|generated| !generated.text.is_empty()).count() > 150, "{device}");
        generated
    });
    let first = written.next().unwrap();
    assert!(written.all(|other| other == first));
}

#[test]
fn no_sequences_give_no_outputs() {
    let model = load("splitter", "model.safetensors");
    let options = options("splitter", &serde_json::json!({}));
    assert_eq!(model.generate(&options, &[]).unwrap(), Vec::<Output>::new());
}

fn sentencepiece(folder: &str) -> SentencePiece {
    SentencePiece::parse(&std::fs::read(fixtures().join(folder).join("spiece.model")).unwrap(), folder)
        .unwrap()
}

#[test]
fn ids_and_texts_agree_with_the_sentencepiece_package() {
    let (plain, bytes) = (sentencepiece("splitter"), sentencepiece("byte_fallback"));
    let rows = json(&fixtures().join("tokenizer_cases.json"));
    for row in list(&rows["rows"]) {
        let text = row["text"].as_str().unwrap();
        for (tokenizer, name) in [(&plain, "sentencepiece"), (&bytes, "byte_fallback")] {
            let expected = ids(&row[name]);
            assert_eq!(tokenizer.encode(text), expected, "{name}: {}", row["name"]);
            let decoded = row[format!("{name}_decoded")].as_str().unwrap();
            assert_eq!(tokenizer.decode(&expected), decoded, "{name}: {}", row["name"]);
        }
    }
}

#[test]
fn damaged_sentencepiece_files_are_an_error() {
    let good = std::fs::read(fixtures().join("splitter/spiece.model")).unwrap();
    assert!(SentencePiece::parse(b"", "spiece.model").is_err());
    assert!(SentencePiece::parse(b"{\"model\": 1}", "spiece.model").is_err());
    for end in [1, 10, 1000, good.len() - 1] {
        let error = SentencePiece::parse(&good[..end], "spiece.model").unwrap_err().to_string();
        assert!(error.contains("spiece.model"), "{error}");
    }
    // Changed bytes: an error or a tokenizer, never a panic.
    for place in (0..good.len()).step_by(97) {
        let mut damaged = good.clone();
        damaged[place] ^= 0xa5;
        if let Ok(tokenizer) = SentencePiece::parse(&damaged, "spiece.model") {
            let ids = tokenizer.encode("Anna and Bob visited \u{fb01}ne Paris \u{1f600}.");
            assert!(ids.is_empty() || !tokenizer.decode(&ids).is_empty() || tokenizer.vocab_size() > 0);
        }
    }
}
