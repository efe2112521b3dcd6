//! ModernBERT on a GPU (or its emulation) against Python's `transformers` and the network on the host, on the fixtures of
//! tests/it/modernbert.rs.

use std::fs;
use std::path::Path;

use serde_json::Value;
use veridic_kernels::Precision;
use veridic_kernels::cuda::{Cuda, Dtype};

use super::on_cuda::ModernBertOnCuda;
use super::{ModernBertClassifier, ModernBertConfig};
use crate::classifier::Classifier;
use crate::labels::Labels;
use crate::packed::PackedBatch;
use crate::weights::Weights;

/// A head on the first token, and one on the mean with biases everywhere.
const MODELS: [&str; 2] = ["published", "other"];

/// Largest difference of probabilities that is attributed to f16; the weights are random, of a larger scale than in trained
/// models.
const TOLERANCE: f32 = 4e-3;

/// A network with random weights and its reference.
struct Fixture {
    name: &'static str,
    config: ModernBertConfig,
    weights: Weights,
    /// Token ids and reference logits.
    rows: Vec<(Vec<u32>, Vec<f32>)>,
}

impl Fixture {
    fn read(name: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/modernbert").join(name);
        let file = |name: &str| fs::read(folder.join(name)).unwrap();
        let expected: Value = serde_json::from_slice(&file("expected.json")).unwrap();
        let list = |value: &Value| -> Vec<f64> {
            value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let row = |row: &Value| {
            let ids = list(&row["ids"]).iter().map(|id| *id as u32).collect();
            (ids, list(&row["logits"]).iter().map(|logit| *logit as f32).collect())
        };
        Self {
            name,
            config: ModernBertConfig::parse(&file("config.json"), "config.json").unwrap(),
            weights: Weights::from_file(&folder.join("model.safetensors")).unwrap(),
            rows: expected["rows"].as_array().unwrap().iter().map(row).collect(),
        }
    }

    fn on_cuda(&self, dtype: Dtype) -> ModernBertOnCuda {
        let cuda = Cuda::open(0, dtype).expect("feature `cuda-emulation`, or a GPU");
        ModernBertOnCuda::load(cuda, &self.config, &self.weights).unwrap()
    }

    fn batch(&self) -> PackedBatch {
        batch(self.rows.iter().map(|(ids, _)| &ids[..]))
    }
}

fn batch<'a>(sequences: impl IntoIterator<Item = &'a [u32]>) -> PackedBatch {
    let types = [0; 512];
    PackedBatch::from_sequences(sequences.into_iter().map(|ids| (ids, &types[..ids.len()])))
}

fn logits(network: &ModernBertOnCuda, batch: &PackedBatch) -> Vec<Vec<f32>> {
    network.logits(batch).unwrap().wait().unwrap()
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Sequences of 1 to 512 tokens together, shorter ones by themselves too, which give the same bits; and those in bf16, which
/// has three bits fewer.
#[test]
fn batches_agree_with_transformers() {
    for fixture in MODELS.map(Fixture::read) {
        let lengths = fixture.rows.iter().map(|(ids, _)| ids.len());
        assert!(lengths.clone().min() == Some(1) && lengths.max() == Some(512));
        let (half, bf16) = (fixture.on_cuda(Dtype::F16), fixture.on_cuda(Dtype::Bf16));
        let together = logits(&half, &fixture.batch());
        assert_eq!(together.len(), fixture.rows.len());
        let mut largest = [0f32; 2];
        for ((ids, reference), ours) in fixture.rows.iter().zip(&together) {
            let apart =
                |logits: &[f32]| largest_difference(&Labels::softmax(logits), &Labels::softmax(reference));
            largest[0] = largest[0].max(apart(ours));
            if ids.len() < 140 {
                let alone = batch([&ids[..]]);
                assert_eq!(&logits(&half, &alone)[0], ours, "{}, {} tokens alone", fixture.name, ids.len());
                largest[1] = largest[1].max(apart(&logits(&bf16, &alone)[0]));
            }
        }
        println!("{}: largest differences in f16 and bf16 {largest:?}", fixture.name);
        let is_close = largest[0] < TOLERANCE && largest[1] < 8.0 * TOLERANCE;
        assert!(is_close, "{}, f16 and bf16: {largest:?}", fixture.name);
    }
}

/// What a head for unsupported words reads.
#[test]
fn states_before_the_last_layer_agree_with_the_host() {
    for fixture in MODELS.map(Fixture::read) {
        let host = ModernBertClassifier::load(&fixture.config, &fixture.weights, Precision::F32).unwrap();
        let batch = fixture.batch();
        let expected = Classifier::before_last(&host, &batch).unwrap();
        let ours = fixture.on_cuda(Dtype::F16).before_last(&batch).unwrap();
        assert_eq!(ours.len(), batch.tokens() * fixture.config.hidden_size);
        let largest = expected.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        let difference = largest_difference(&ours, &expected) / largest;
        println!("{}: {difference}", fixture.name);
        assert!(difference < TOLERANCE, "{}: {difference}", fixture.name);
    }
}

#[test]
fn invalid_batches_are_refused_as_on_the_host() {
    let fixture = Fixture::read("published");
    let network = fixture.on_cuda(Dtype::F16);
    let message = |ids: &[u32]| network.logits(&batch([ids])).err().unwrap().to_string();
    assert!(message(&[fixture.config.vocab_size as u32]).contains("outside the model's table"));
    assert!(message(&[]).contains("empty"));
    let beyond = PackedBatch::from_sequences([(&[5; 513][..], &[0; 513][..])]);
    assert!(network.logits(&beyond).err().unwrap().to_string().contains("limit"));
}
