//! The networks of tests/it/deberta.rs with the logits of Python's `transformers`, for tests on a GPU.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::DebertaConfig;
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// A network with random weights.
pub(super) struct Fixture {
    pub(super) name: String,
    pub(super) config: DebertaConfig,
    pub(super) weights: Weights,
    /// Lengths of sequences and their reference logits.
    pub(super) cases: Vec<(usize, Vec<f32>)>,
}

impl Fixture {
    /// All fixtures, with their sequences up to 300 tokens.
    pub(super) fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deberta");
        let mut folders: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.join("expected.json").exists() && !path.join("tokenizer.json").exists())
            .collect();
        folders.sort();
        assert!(folders.len() >= 12);
        folders.iter().map(|folder| Self::read(folder)).collect()
    }

    fn read(folder: &Path) -> Self {
        let file = |name: &str| fs::read(folder.join(name)).unwrap();
        let expected: Value = serde_json::from_slice(&file("expected.json")).unwrap();
        let case = |case: &Value| {
            let logits = case["logits"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32);
            (case["length"].as_u64().unwrap() as usize, logits.collect())
        };
        let cases = expected["batch"].as_array().unwrap().iter().map(case);
        Self {
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            config: DebertaConfig::parse(&file("config.json"), "config.json").unwrap(),
            weights: Weights::from_file(&folder.join("model.safetensors")).unwrap(),
            cases: cases.filter(|(length, _)| *length <= 300).collect(),
        }
    }

    /// Sequences of these lengths, by the fixtures' input formula.
    pub(super) fn batch(&self, lengths: &[usize]) -> PackedBatch {
        let mut batch = PackedBatch::default();
        for &length in lengths {
            let id = |t: usize| ((t * t * 31 + t * 17 + length * 7 + 3) % self.config.vocab_size) as u32;
            let ids: Vec<u32> = (0..length).map(id).collect();
            let types: Vec<u32> = (0..length).map(|t| u32::from(t >= length / 2)).collect();
            batch.push(&ids, &types);
        }
        batch
    }

    /// All sequences of the fixture.
    pub(super) fn whole_batch(&self) -> PackedBatch {
        self.batch(&self.cases.iter().map(|(length, _)| *length).collect::<Vec<_>>())
    }

    /// Asserts that the probabilities agree with the reference within `tolerance`.
    pub(super) fn check(&self, logits: &[Vec<f32>], tolerance: f32) {
        assert_eq!(logits.len(), self.cases.len());
        for ((length, reference), row) in self.cases.iter().zip(logits) {
            for (got, expected) in probabilities(row).iter().zip(probabilities(reference)) {
                let name = &self.name;
                assert!(
                    (got - expected).abs() < tolerance,
                    "{name}, {length}: {row:?} instead of {reference:?}"
                );
            }
        }
    }
}

fn probabilities(logits: &[f32]) -> Vec<f32> {
    let largest = logits.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let shares: Vec<f32> = logits.iter().map(|x| (x - largest).exp()).collect();
    shares.iter().map(|share| share / shares.iter().sum::<f32>()).collect()
}
