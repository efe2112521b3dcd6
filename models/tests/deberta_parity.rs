//! Our DeBERTa against Python's `transformers`: fixtures by scripts/fixtures/make_deberta.py.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_models::{
    DebertaClassifier, DebertaConfig, DistanceSlots, LoadOptions, ModelError, ModelSource, NliModel,
    PackedBatch, Precision, Truncation, Weights,
};

/// Largest difference to the reference's logits that is put down to rounding.
const TOLERANCE: f32 = 1e-4;

struct Fixture {
    name: String,
    config: DebertaConfig,
    network: DebertaClassifier,
    expected: Value,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deberta")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
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
        network: DebertaClassifier::load(&config, &weights, Precision::F32).unwrap(),
        config,
        expected: json(&path.join("expected.json")),
    }
}

/// The input formula that the fixture states.
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

fn cases(list: &Value) -> Vec<(usize, Vec<f32>)> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let logits = case["logits"].as_array().unwrap();
            let logits = logits.iter().map(|x| x.as_f64().unwrap() as f32).collect();
            (case["length"].as_u64().unwrap() as usize, logits)
        })
        .collect()
}

fn assert_close(ours: &[f32], reference: &[f32], what: &str) {
    assert_eq!(ours.len(), reference.len(), "{what}");
    for (a, b) in ours.iter().zip(reference) {
        assert!((a - b).abs() <= TOLERANCE, "{what}: {ours:?}, reference {reference:?}");
    }
}

#[test]
fn single_sequences_agree_with_transformers() {
    for Fixture { name, config, network, expected } in fixtures() {
        for (length, reference) in cases(&expected["single"]) {
            let logits = network.logits(&batch(&[length], config.vocab_size)).unwrap();
            assert_close(
                &logits.to_vec2::<f32>().unwrap()[0],
                &reference,
                &format!("{name}, length {length}"),
            );
        }
    }
}

#[test]
fn mixed_batches_agree_with_transformers_and_equal_single_runs() {
    for Fixture { name, config, network, expected } in fixtures() {
        let cases = cases(&expected["batch"]);
        let lengths: Vec<usize> = cases.iter().map(|(length, _)| *length).collect();
        let together = network.logits(&batch(&lengths, config.vocab_size)).unwrap().to_vec2::<f32>().unwrap();
        for ((length, reference), row) in cases.iter().zip(&together) {
            assert_close(row, reference, &format!("{name}, length {length}"));
            let alone = network.logits(&batch(&[*length], config.vocab_size)).unwrap();
            assert_eq!(row, &alone.to_vec2::<f32>().unwrap()[0], "{name}, length {length}");
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
fn a_position_table_refuses_what_exceeds_it() {
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
    for table in tables["tables"].as_array().unwrap() {
        let size = |key: &str| table[key].as_u64().unwrap() as usize;
        let slots = DistanceSlots::new(size("bucket_size"), Some(size("bucket_size")), size("max_position"));
        let mut distance = first;
        for run in table["runs"].as_array().unwrap() {
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

/// The folder's tokenizer.json embeds a truncation and a padding of 16 tokens, as published ones do.
#[test]
fn embedded_truncation_and_padding_are_cleared() {
    let path = folder().join("tiny_with_tokenizer");
    let model = NliModel::load(
        &ModelSource::Folder(path.clone()),
        &LoadOptions { precision: Some(Precision::F32), ..LoadOptions::default() },
    )
    .unwrap();
    let expected = json(&path.join("expected.json"));
    let mut lengths = Vec::new();
    for row in expected["rows"].as_array().unwrap() {
        let text = |field: &str| model.tokenizer().text(row[field].as_str().unwrap()).unwrap();
        let pair =
            model.tokenizer().pair(&text("premise"), &text("hypothesis"), 4096, Truncation::Refuse).unwrap();
        let ids: Vec<u64> = pair.ids.iter().map(|id| u64::from(*id)).collect();
        assert_eq!(serde_json::json!(ids), row["ids"]);
        let types: Vec<u64> = pair.types.iter().map(|id| u64::from(*id)).collect();
        assert_eq!(serde_json::json!(types), row["type_ids"]);
        let logits = model.logits(&PackedBatch::from_sequences([(&pair.ids[..], &pair.types[..])])).unwrap();
        let reference: Vec<f32> =
            row["logits"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect();
        assert_close(&logits[0], &reference, "tiny_with_tokenizer");
        lengths.push(ids.len());
    }
    assert!(lengths.iter().any(|length| *length > 16) && lengths.iter().any(|length| *length < 16));
}
