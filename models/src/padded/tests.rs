//! Every architecture on padded batches beside the fused kernels, in f32, with the weights of the fixtures that are
//! compared with `transformers`.

use std::fs;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};
use veridic_store::WeightFiles;

use super::*;
use crate::architectures::{LayeredConfig, NetworkConfig, classifier_config};
use crate::bert::{ALIGN_ENCODER, AlignHead, BertConfig};
use crate::generation::{EarlyStopping, GenerationOptions};
use crate::network::Generator;
use crate::t5::{T5, T5Config};
use crate::weights::Weights;

/// Largest difference that is attributed to rounding.
const TOLERANCE: f32 = 1e-4;

const ON_CPU: ComputeDevice = ComputeDevice::CpuCandle;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn config(folder: &Path) -> Box<dyn NetworkConfig> {
    classifier_config(&fs::read(folder.join("config.json")).unwrap(), "config.json", None).unwrap()
}

fn weights(folder: &Path) -> Weights {
    let names = ["model.safetensors", "model.int8.safetensors", "pytorch_model.bin"];
    let file = names.iter().map(|name| folder.join(name)).find(|path| path.exists()).unwrap();
    Weights::from_files(&WeightFiles::Single(file)).unwrap()
}

/// Sequences of many lengths, short ones and one of the longest allowed.
fn batch(config: &dyn NetworkConfig) -> PackedBatch {
    let longest = config.facts().token_limit.min(512);
    let mut batch = PackedBatch::default();
    for (sequence, length) in
        [longest, 1, 2, 3, 5, 17, 16, 40, longest - 1, longest / 2, 33].into_iter().enumerate()
    {
        let length = length.min(longest);
        let id =
            |token: usize| (3 + (sequence * 7919 + token * 104_729) % (config.facts().vocab_size - 3)) as u32;
        let ids: Vec<u32> = (0..length).map(id).collect();
        batch.push(&ids, &vec![0; length]);
    }
    batch
}

/// The largest difference of two results, and the largest number.
fn difference(one: &Tensor, other: &Tensor) -> f32 {
    assert_eq!(one.dims(), other.dims());
    let values = |tensor: &Tensor| tensor.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    let pairs = values(one).into_iter().zip(values(other));
    pairs.map(|(one, other)| (one - other).abs() / one.abs().max(1.0)).fold(0.0, f32::max)
}

fn padded(config: &dyn NetworkConfig, weights: &Weights) -> OnDevice<2> {
    OnDevice::load(weights, ON_CPU, Precision::F32, |target| config.padded(weights, target)).unwrap()
}

fn check(name: &str, config: &dyn NetworkConfig, weights: &Weights) {
    let padded = padded(config, weights);
    let fused = config.classifier(weights, Precision::F32).unwrap();
    let batch = batch(config);
    let (logits, states) = padded.logits_and_states(&batch).unwrap();
    let (expected, expected_states) = fused.logits_and_states(&batch).unwrap();
    assert!(difference(&expected, &logits) < TOLERANCE, "{name}: {}", difference(&expected, &logits));
    let states = difference(&expected_states, &states);
    assert!(states < TOLERANCE, "{name}: states before the last layer differ by {states}");
}

#[test]
fn logits_are_those_of_the_fused_kernels() {
    for folder in ["bert", "deberta", "roberta", "modernbert", "t5_judges"] {
        for entry in fs::read_dir(fixture(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.join("config.json").exists() {
                check(&path.display().to_string(), &*config(&path), &weights(&path));
            }
        }
    }
}

/// The fixtures of ALBERT and of DeBERTa's first version have no head; each gets one.
#[test]
fn albert_and_the_first_deberta_too() {
    for (name, dense) in [
        ("encoders/albert", "albert.pooler"),
        ("encoders/albert_groups", "albert.pooler"),
        ("encoders/deberta", "pooler.dense"),
        ("encoders/deberta_types", "pooler.dense"),
    ] {
        let path = fixture(name);
        let mut json: serde_json::Value =
            serde_json::from_slice(&fs::read(path.join("config.json")).unwrap()).unwrap();
        json["architectures"] = serde_json::Value::Null;
        json["num_labels"] = 3.into();
        let config = classifier_config(&serde_json::to_vec(&json).unwrap(), "config.json", None).unwrap();
        let (hidden, labels) = (config.facts().hidden, config.facts().labels.len());
        let values = |count: usize| -> Vec<u8> {
            (0..count).flat_map(|index| ((index as f32 * 0.37).sin() * 0.3).to_le_bytes()).collect()
        };
        let added = [
            (format!("{dense}.weight"), vec![hidden, hidden]),
            (format!("{dense}.bias"), vec![hidden]),
            ("classifier.weight".to_owned(), vec![labels, hidden]),
            ("classifier.bias".to_owned(), vec![labels]),
        ];
        let added = added.map(|(name, shape)| (name, values(shape.iter().product()), shape));
        let file = fs::read(path.join("model.safetensors")).unwrap();
        let own = SafeTensors::deserialize(&file).unwrap();
        let prefix = if name.contains("albert") { "albert." } else { "deberta." };
        let named = |name: String| if name.starts_with(prefix) { name } else { format!("{prefix}{name}") };
        let mut tensors: Vec<(String, TensorView<'_>)> = own.tensors();
        tensors.iter_mut().for_each(|(name, _)| *name = named(std::mem::take(name)));
        tensors.retain(|(name, _)| added.iter().all(|(other, ..)| other != name));
        for (name, bytes, shape) in &added {
            tensors.push((name.clone(), TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("model.safetensors"), serialize(tensors, None).unwrap()).unwrap();
        check(name, &*config, &weights(folder.path()));
    }
}

#[test]
fn alignscore_has_its_own_head() {
    let path = fixture("alignscore");
    let json = fs::read(path.join("config.json")).unwrap();
    let weights = || Weights::from_file(&path.join("AlignScore-tiny.ckpt")).unwrap();
    for head in [AlignHead::ThreeWay, AlignHead::Binary] {
        let config = BertConfig::parse(&json, "config.json").unwrap().with_align_head(head);
        let weights = weights().with_prefix_replaced(ALIGN_ENCODER, config.family.prefix());
        check(head.name(), &LayeredConfig::Bert(config), &weights);
    }
}

#[test]
fn eight_bits_and_long_sequences_are_refused() {
    assert!(Target::of(ON_CPU, Precision::Int8).is_err());
    let path = fixture("bert/bert");
    let config = config(&path);
    let padded = padded(&*config, &weights(&path));
    let ids = vec![3; config.facts().token_limit + 1];
    let batch = PackedBatch::from_sequences([(&ids[..], &vec![0; ids.len()][..])]);
    assert!(padded.logits_and_states(&batch).is_err());
}

/// A network on a device whose memory holds so many tokens, which says what CUDA says.
struct Small {
    network: Box<dyn PaddedNetwork<2>>,
    room: usize,
}

impl PaddedNetwork<2> for Small {
    fn token_limit(&self) -> Option<usize> {
        self.network.token_limit()
    }

    fn forward(&self, batch: &PaddedBatch) -> Result<[Tensor; 2]> {
        let (sequences, longest) = batch.shape();
        if sequences * longest > self.room {
            let said = r#"DriverError(CUDA_ERROR_OUT_OF_MEMORY, "out of memory")"#;
            return Err(candle_core::Error::Msg(said.into()).into());
        }
        self.network.forward(batch)
    }
}

#[test]
fn a_batch_beyond_the_memory_is_computed_in_halves() {
    let path = fixture("bert/bert");
    let (config, weights) = (config(&path), weights(&path));
    let with_room = |room| {
        let target = Target::of(ON_CPU, Precision::F32).unwrap();
        let network = config.padded(&weights, &target).unwrap();
        let small = Small { network, room };
        let most_tokens = AtomicUsize::new(MOST_TOKENS);
        OnDevice {
            network: Box::new(small),
            device: ComputeDevice::Cuda(0),
            turn: Arc::default(),
            most_tokens,
        }
    };
    let batch = batch(&*config);
    let longest = batch.longest();
    let fused = config.classifier(&weights, Precision::F32).unwrap().logits_and_states(&batch).unwrap();
    let halved = with_room(longest);
    let found = halved.logits_and_states(&batch).unwrap();
    assert!(difference(&fused.0, &found.0) < TOLERANCE && difference(&fused.1, &found.1) < TOLERANCE);
    assert!(halved.most_tokens.load(Ordering::Relaxed) < MOST_TOKENS, "later batches are smaller");
    let error = with_room(longest - 1).logits_and_states(&batch).unwrap_err().to_string();
    let expected = format!("cuda has too little memory for one text of {longest} tokens beside the weights");
    assert!(error.starts_with(&expected) && !error.contains('\n'), "{error}");
}

#[test]
fn texts_are_generated_as_by_the_fused_kernels() {
    for entry in fs::read_dir(fixture("t5")).unwrap() {
        let path = entry.unwrap().path();
        if !path.join("model.safetensors").exists() {
            continue;
        }
        let config = T5Config::parse(&fs::read(path.join("config.json")).unwrap(), "config.json").unwrap();
        let weights = weights(&path);
        let fused = T5::load(&config, &weights).unwrap();
        let padded = PaddedT5::load(&config, &weights, ON_CPU).unwrap();
        let id = |sequence: usize, token: usize| {
            (2 + (sequence * 7919 + token * 104_729) % (config.vocab_size - 2)) as u32
        };
        let sequences: Vec<Vec<u32>> = [9, 1, 10, 30, 9, 4]
            .into_iter()
            .enumerate()
            .map(|(sequence, length)| (0..length).map(|token| id(sequence, token)).collect())
            .collect();
        let sequences: Vec<&[u32]> = sequences.iter().map(Vec::as_slice).collect();
        for num_beams in [1, 3] {
            let options = GenerationOptions {
                num_beams,
                length_penalty: 1.0,
                early_stopping: EarlyStopping::Heuristic,
                no_repeat_ngram_size: 0,
                repetition_penalty: 1.0,
                min_length: 0,
                min_new_tokens: 0,
                max_length: 20,
                length_is_default: false,
                decoder_start_token_id: 0,
                eos_token_ids: vec![1],
            };
            let expected = fused.generate(&options, &sequences).unwrap();
            let found = Generator::generate(&padded, &options, &sequences).unwrap();
            for (expected, found) in expected.iter().zip(&found) {
                assert_eq!(expected.tokens, found.tokens, "{}, {num_beams} beams", path.display());
                let (expected, found) = (expected.score.unwrap_or(0.0), found.score.unwrap_or(0.0));
                assert!((expected - found).abs() < TOLERANCE, "{expected} {found}");
            }
        }
    }
}
