//! DeBERTa on a GPU (or its emulation) against Python's `transformers`, on the fixtures of tests/deberta_parity.rs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use veridic_kernels::cuda::{Cuda, Half};

use super::{DebertaConfig, DebertaOnCuda};
use crate::error::ModelError;
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// Largest difference of probabilities that is put down to 16-bit numbers.
const TOLERANCE: f32 = 2e-3;

fn folders() -> Vec<PathBuf> {
    let all = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deberta")).unwrap();
    let paths = all.map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = paths
        .filter(|path| path.join("expected.json").exists() && !path.join("tokenizer.json").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 12);
    folders
}

fn load(folder: &Path) -> crate::error::Result<(DebertaConfig, DebertaOnCuda)> {
    let config = DebertaConfig::parse(&fs::read(folder.join("config.json")).unwrap(), "config.json")?;
    let weights = Weights::from_file(&folder.join("model.safetensors"))?;
    let network = DebertaOnCuda::load(Cuda::open(0, Half::F16)?, &config, &weights)?;
    Ok((config, network))
}

/// The input formula that the fixtures state.
fn batch(lengths: &[usize], vocabulary: usize) -> PackedBatch {
    let mut batch = PackedBatch::default();
    for &length in lengths {
        let id = |t: usize| ((t * t * 31 + t * 17 + length * 7 + 3) % vocabulary) as u32;
        let ids: Vec<u32> = (0..length).map(id).collect();
        let types: Vec<u32> = (0..length).map(|t| u32::from(t >= length / 2)).collect();
        batch.push(&ids, &types);
    }
    batch
}

fn logits(network: &DebertaOnCuda, batch: &PackedBatch) -> Vec<Vec<f32>> {
    let download = network.logits(batch).unwrap();
    let (_, labels) = download.shape();
    download.wait().unwrap().chunks_exact(labels).map(<[f32]>::to_vec).collect()
}

fn probabilities(logits: &[f32]) -> Vec<f32> {
    let largest = logits.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let shares: Vec<f32> = logits.iter().map(|x| (x - largest).exp()).collect();
    shares.iter().map(|share| share / shares.iter().sum::<f32>()).collect()
}

/// Of every fixture but the convolution with groups, which is refused: its batch, and each sequence as if alone.
#[test]
fn batches_agree_with_transformers() {
    let mut checked = 0;
    for folder in folders() {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expected: Value =
            serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
        let (config, network) = match load(&folder) {
            Ok(loaded) => loaded,
            Err(ModelError::Device { reason, .. }) if name.contains("groups") => {
                assert!(reason.contains("2 groups"), "{reason}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let cases: Vec<(usize, Vec<f32>)> = expected["batch"]
            .as_array()
            .unwrap()
            .iter()
            .map(|case| {
                let logits = case["logits"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32);
                (case["length"].as_u64().unwrap() as usize, logits.collect())
            })
            .filter(|(length, _)| *length <= 300)
            .collect();
        let lengths: Vec<usize> = cases.iter().map(|(length, _)| *length).collect();
        let together = logits(&network, &batch(&lengths, config.vocab_size));
        for ((length, reference), row) in cases.iter().zip(&together) {
            for (got, expected) in probabilities(row).iter().zip(probabilities(reference)) {
                assert!(
                    (got - expected).abs() < TOLERANCE,
                    "{name}, {length}: {row:?} instead of {reference:?}"
                );
            }
        }
        let (length, row) = (lengths[0], &together[0]);
        assert_eq!(&logits(&network, &batch(&[length], config.vocab_size))[0], row, "{name}: alone");
        checked += 1;
    }
    assert!(checked >= 11);
}

#[test]
fn what_the_host_refuses_is_refused() {
    let folder =
        folders().into_iter().find(|folder| folder.ends_with("v3_position_and_type_tables")).unwrap();
    let (config, network) = load(&folder).unwrap();
    let message = |batch: &PackedBatch| network.logits(batch).err().unwrap().to_string();
    let beyond = PackedBatch::from_sequences([(&[config.vocab_size as u32][..], &[0][..])]);
    assert!(message(&beyond).contains("outside the model's table"));
    let types = PackedBatch::from_sequences([(&[1][..], &[config.type_vocab_size as u32][..])]);
    assert!(message(&types).contains("token type"));
    assert!(message(&PackedBatch::from_sequences([(&[][..], &[][..])])).contains("empty"));
    let limit = config.token_limit();
    assert!(message(&batch(&[limit + 1], config.vocab_size)).contains("limit"));
}
