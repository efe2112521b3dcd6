//! Fixtures, and models loaded from them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use veridic_models::{
    ComputeDevice, EmbeddedModel, LoadOptions, ModelSource, NliModel, PackedBatch, PairTokens, Precision,
    Truncation,
};

/// Largest difference from the reference's f32 outputs that is attributed to rounding.
pub(crate) const TOLERANCE: f32 = 1e-4;

/// The devices that this build computes on without a GPU.
pub(crate) fn devices() -> impl Iterator<Item = ComputeDevice> {
    [ComputeDevice::Cpu, ComputeDevice::CpuCandle].into_iter().filter(|device| device.check().is_ok())
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A folder with copies of these files of another.
pub(crate) fn copied(from: &Path, files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        fs::copy(from.join(file), folder.path().join(file)).unwrap();
    }
    folder
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub(crate) fn ids(value: &Value) -> Vec<u32> {
    list(value).iter().map(|id| id.as_u64().unwrap() as u32).collect()
}

pub(crate) fn floats(value: &Value) -> Vec<f32> {
    list(value).iter().map(|x| x.as_f64().unwrap() as f32).collect()
}

pub(crate) fn strings(value: &Value) -> Vec<&str> {
    list(value).iter().map(|text| text.as_str().unwrap()).collect()
}

pub(crate) fn options(precision: Option<Precision>) -> LoadOptions {
    LoadOptions { precision, ..LoadOptions::default() }
}

pub(crate) fn load(source: &ModelSource, precision: Option<Precision>) -> NliModel {
    NliModel::load(source, &options(precision)).unwrap()
}

/// The model of a fixture's folder, in f32.
pub(crate) fn load_f32(name: &str) -> NliModel {
    load(&ModelSource::Folder(fixture(name)), Some(Precision::F32))
}

/// The small model that comes with the program.
pub(crate) fn mini() -> ModelSource {
    let veridic_weights::ModelFiles { name, config, tokenizer, weights, sha256, card, rules } =
        veridic_weights::MINI;
    let rules = Some(rules);
    ModelSource::Embedded(EmbeddedModel { name, config, tokenizer, weights, sha256, card, rules })
}

/// A pair of texts, whole.
pub(crate) fn pair(model: &NliModel, premise: &str, hypothesis: &str) -> PairTokens {
    let tokenizer = model.tokenizer();
    let (premise, hypothesis) = (tokenizer.text(premise).unwrap(), tokenizer.hypothesis(hypothesis).unwrap());
    tokenizer.pair(&premise.ids, &hypothesis.ids, 4096, Truncation::Refuse).unwrap()
}

/// The pairs of examples/nli_pairs.jsonl.
pub(crate) fn example_pairs(model: &NliModel) -> Vec<PairTokens> {
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        pair(model, row["premise"].as_str().unwrap(), row["hypothesis"].as_str().unwrap())
    };
    let pairs: Vec<PairTokens> =
        include_str!("../../../examples/nli_pairs.jsonl").lines().map(pair).collect();
    assert!(pairs.iter().all(|pair| pair.ids.len() <= 512));
    pairs
}

pub(crate) fn batch<'a>(pairs: impl IntoIterator<Item = &'a PairTokens>) -> PackedBatch {
    PackedBatch::from_sequences(pairs.into_iter().map(|pair| (&pair.ids[..], &pair.types[..])))
}

pub(crate) fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}
