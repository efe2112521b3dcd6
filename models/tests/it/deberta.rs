//! DeBERTa against Python's `transformers`: fixtures by scripts/fixtures/make_classifiers.py.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_models::{
    DebertaConfig, DistanceSlots, ModelError, PackedBatch, Precision, SequenceClassifier, Weights,
};

use crate::common::{self, TOLERANCE, floats, ids, json, largest_difference, list, load_f32, pair};

struct Fixture {
    name: String,
    config: DebertaConfig,
    network: SequenceClassifier,
    expected: Value,
}

fn folder() -> PathBuf {
    common::fixture("deberta")
}

fn fixtures() -> Vec<Fixture> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expected.json").exists() && !path.join("tokenizer.json").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 5);
    folders.iter().map(|path| fixture(path)).collect()
}

fn fixture(path: &Path) -> Fixture {
    let config = DebertaConfig::parse(&fs::read(path.join("config.json")).unwrap(), "config.json").unwrap();
    let weights = Weights::from_file(&path.join("model.safetensors")).unwrap();
    Fixture {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        network: SequenceClassifier::deberta(&config, &weights, Precision::F32).unwrap(),
        config,
        expected: json(&path.join("expected.json")),
    }
}

/// The fixtures' input formula.
fn sequence(length: usize, vocabulary: usize) -> (Vec<u32>, Vec<u32>) {
    let ids = (0..length).map(|t| ((t * t * 31 + t * 17 + length * 7 + 3) % vocabulary) as u32).collect();
    let types = (0..length).map(|t| u32::from(t >= length / 2)).collect();
    (ids, types)
}

fn batch(lengths: &[usize], vocabulary: usize) -> PackedBatch {
    let mut batch = PackedBatch::default();
    for &length in lengths {
        let (ids, types) = sequence(length, vocabulary);
        batch.push(&ids, &types);
    }
    batch
}

fn cases(value: &Value) -> Vec<(usize, Vec<f32>)> {
    let case = |case: &Value| (case["length"].as_u64().unwrap() as usize, floats(&case["logits"]));
    list(value).iter().map(case).collect()
}

fn assert_close(ours: &[f32], reference: &[f32], what: &str) {
    assert!(largest_difference(ours, reference) <= TOLERANCE, "{what}: {ours:?}, reference {reference:?}");
}

#[test]
fn single_sequences_and_mixed_batches_agree_with_transformers() {
    for Fixture { name, config, network, expected } in fixtures() {
        let logits = |lengths: &[usize]| {
            network.logits(&batch(lengths, config.vocab_size)).unwrap().to_vec2::<f32>().unwrap()
        };
        for (length, reference) in cases(&expected["single"]) {
            assert_close(&logits(&[length])[0], &reference, &format!("{name}, length {length}"));
        }
        let cases = cases(&expected["batch"]);
        let lengths: Vec<usize> = cases.iter().map(|(length, _)| *length).collect();
        for ((length, reference), row) in cases.iter().zip(&logits(&lengths)) {
            assert_close(row, reference, &format!("{name}, length {length}"));
            assert_eq!(row, &logits(&[*length])[0], "{name}, length {length}");
        }
    }
}

#[test]
fn order_and_threads_do_not_change_a_bit() {
    let lengths = [7, 1, 130, 64, 2, 511];
    for Fixture { name, config, network, .. } in fixtures() {
        let run = |lengths: &[usize], threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let batch = batch(lengths, config.vocab_size);
            pool.install(|| network.logits(&batch).unwrap().to_vec2::<f32>().unwrap())
        };
        let forward = run(&lengths, 1);
        assert_eq!(forward, run(&lengths, 2), "{name}");
        let mut reversed = lengths;
        reversed.reverse();
        let mut backward = run(&reversed, 2);
        backward.reverse();
        assert_eq!(forward, backward, "{name}");
    }
}

#[test]
fn sequences_over_the_position_table_are_an_error() {
    let mut refused = 0;
    for Fixture { config, network, .. } in fixtures() {
        let Some(rows) = config.position_table else { continue };
        let result = network.logits(&batch(&[5, rows + 1], config.vocab_size));
        assert!(
            matches!(result, Err(ModelError::TooLong { tokens, limit }) if tokens == rows + 1 && limit == rows)
        );
        refused += 1;
    }
    assert!(refused >= 2);
}

#[test]
fn buckets_agree_with_transformers_for_every_distance() {
    let tables = json(&folder().join("buckets.json"));
    let first = tables["first"].as_i64().unwrap();
    for table in list(&tables["tables"]) {
        let size = |key: &str| table[key].as_u64().unwrap() as usize;
        let slots = DistanceSlots::new(size("bucket_size"), Some(size("bucket_size")), size("max_position"));
        let mut distance = first;
        for run in list(&table["runs"]) {
            for _ in 0..run[1].as_u64().unwrap() {
                assert_eq!(
                    slots.bucket(distance),
                    run[0].as_i64().unwrap(),
                    "distance {distance} of {table:.60}"
                );
                distance += 1;
            }
        }
        assert_eq!(distance - 1, tables["last"].as_i64().unwrap());
    }
}

/// The folder's tokenizer.json sets a truncation and a padding of 16 tokens, as published ones do.
#[test]
fn truncation_and_padding_of_the_tokenizer_are_removed() {
    let model = load_f32("deberta/tiny_with_tokenizer");
    let expected = json(&folder().join("tiny_with_tokenizer/expected.json"));
    let mut lengths = Vec::new();
    for row in list(&expected["rows"]) {
        let pair = pair(&model, row["premise"].as_str().unwrap(), row["hypothesis"].as_str().unwrap());
        assert_eq!(pair.ids, ids(&row["ids"]));
        assert_eq!(pair.types, ids(&row["type_ids"]));
        let logits = model.logits(&common::batch([&pair])).unwrap();
        assert_close(&logits[0], &floats(&row["logits"]), "tiny_with_tokenizer");
        lengths.push(pair.ids.len());
    }
    assert!(lengths.iter().any(|length| *length > 16) && lengths.iter().any(|length| *length < 16));
}
