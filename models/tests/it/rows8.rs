//! Weights in 8-bit rows: whole and in parts; damaged or inconsistent files are an error with the file, the tensor and the
//! remedy.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};
use tempfile::TempDir;
use veridic_models::{LoadOptions, ModelSource, NliModel, PackedBatch, Precision, Weights};

use crate::common::{self, copied, json};

const FILE: &str = "model.int8.safetensors";
const MATRIX: &str = "mpnet.encoder.layer.1.attention.attn.q.weight";
const WORDS: &str = "mpnet.embeddings.word_embeddings.weight";

/// A stored tensor.
#[derive(Clone)]
struct Stored {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

type Tensors = BTreeMap<String, Stored>;

fn fixture() -> PathBuf {
    common::fixture("bert/mpnet_int8")
}

fn tensors() -> Tensors {
    let file = fs::read(fixture().join(FILE)).unwrap();
    let tensors = SafeTensors::deserialize(&file).unwrap();
    let stored = |view: &TensorView<'_>| Stored {
        dtype: view.dtype(),
        shape: view.shape().to_vec(),
        bytes: view.data().to_vec(),
    };
    tensors.tensors().iter().map(|(name, view)| (name.clone(), stored(view))).collect()
}

fn bytes_of(tensors: &Tensors) -> Vec<u8> {
    let views = tensors.iter().map(|(name, stored)| {
        (name, TensorView::new(stored.dtype, stored.shape.clone(), &stored.bytes).unwrap())
    });
    serialize(views, None).unwrap()
}

/// The fixture's folder with other weights.
fn folder_with(bytes: &[u8]) -> TempDir {
    let folder = copied(&fixture(), &["config.json", "tokenizer.json"]);
    fs::write(folder.path().join(FILE), bytes).unwrap();
    folder
}

fn load(folder: &Path) -> Result<NliModel, String> {
    let source = ModelSource::Folder(folder.to_owned());
    NliModel::load(&source, &LoadOptions::default()).map_err(|error| error.to_string())
}

/// The error of a folder that is not a model.
fn refusal(folder: &Path) -> String {
    load(folder).err().expect("it is not loaded")
}

fn logits(folder: &Path) -> Vec<Vec<f32>> {
    let batch = PackedBatch::of_one_type([&[0, 9, 30, 2, 2, 31, 9, 77, 2][..]]);
    load(folder).unwrap().logits(&batch).unwrap()
}

/// The fixture's weights after a change.
fn changed(change: impl FnOnce(&mut Tensors)) -> TempDir {
    let mut tensors = tensors();
    change(&mut tensors);
    folder_with(&bytes_of(&tensors))
}

fn integers() -> String {
    format!("{MATRIX}.int8")
}

fn scales() -> String {
    format!("{MATRIX}.scale")
}

/// Shortens a tensor to fewer rows.
fn cut(tensors: &mut Tensors, name: &str, rows: usize) {
    let stored = tensors.get_mut(name).unwrap();
    stored.bytes.truncate(stored.bytes.len() / stored.shape[0] * rows);
    stored.shape[0] = rows;
}

#[test]
fn inconsistent_pairs_are_an_error_with_file_and_tensor() {
    const REMEDY: &str = "packed or fetched again";
    let (integers, scales) = (&*integers(), &*scales());
    let again = Stored { dtype: Dtype::F32, shape: vec![1], bytes: vec![0; 4] };
    let words = &format!("{WORDS}.int8");
    let refused = |parts: &[&str], change: &dyn Fn(&mut Tensors)| {
        let error = refusal(changed(|tensors| change(tensors)).path());
        for part in parts.iter().chain(&[FILE]) {
            assert!(error.contains(part), "{part} in {error}");
        }
        assert!(!error.contains('\n'), "{error}");
    };
    refused(&[integers, scales, "missing", REMEDY], &|tensors| drop(tensors.remove(scales)));
    refused(&[scales, "[31]", "32 rows", REMEDY], &|tensors| cut(tensors, scales, 31));
    refused(&[integers, "[1024]", "matrix", REMEDY], &|tensors| {
        tensors.get_mut(integers).unwrap().shape = vec![32 * 32];
    });
    refused(&[scales, "F32", REMEDY], &|tensors| tensors.get_mut(scales).unwrap().dtype = Dtype::I32);
    refused(&[integers, "I8", REMEDY], &|tensors| tensors.get_mut(integers).unwrap().dtype = Dtype::U8);
    refused(&[MATRIX, "twice", REMEDY], &|tensors| drop(tensors.insert(MATRIX.into(), again.clone())));
    refused(&[WORDS, "the config asks for"], &|tensors| {
        let rows = tensors[words].shape[0] - 1;
        cut(tensors, words, rows);
        cut(tensors, &format!("{WORDS}.scale"), rows);
    });
    refused(&[MATRIX, "type I8"], &|tensors| {
        let stored = tensors.remove(integers).unwrap();
        tensors.remove(scales);
        tensors.insert(MATRIX.into(), stored);
    });
}

#[test]
fn truncated_and_foreign_files_are_an_error() {
    let whole = fs::read(fixture().join(FILE)).unwrap();
    for length in (0..whole.len()).step_by(whole.len() / 40).chain([whole.len() - 1]) {
        let error = refusal(folder_with(&whole[..length]).path());
        assert!(error.contains(FILE) && error.contains("damaged"), "{length}: {error}");
    }
    for foreign in
        [&b"PK\x03\x04 an archive of something else"[..], b"{\"a\": 1}", b"version https://git-lfs"]
    {
        let error = refusal(folder_with(foreign).path());
        assert!(error.contains(FILE), "{error}");
    }
}

#[test]
fn scales_that_are_nan_are_an_error() {
    let folder = changed(|tensors| {
        tensors.get_mut(&scales()).unwrap().bytes[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    let source = ModelSource::Folder(folder.path().to_owned());
    for precision in [Precision::F32, Precision::Int8] {
        let model = common::load(&source, Some(precision));
        let batch = PackedBatch::of_one_type([&[0, 9, 2][..]]);
        let error = model.logits(&batch).unwrap_err().to_string();
        assert!(error.contains(FILE) && error.contains("not finite"), "{error}");
    }
}

/// Integers in one part, their scales in the other.
#[test]
fn parts_equal_the_whole_and_a_missing_part_is_an_error() {
    let names = ["model.int8-00001-of-00002.safetensors", "model.int8-00002-of-00002.safetensors"];
    let (first, second): (Tensors, Tensors) =
        tensors().into_iter().partition(|(name, _)| name.ends_with(".int8"));
    let folder = folder_with(b"");
    let path = |name: &str| folder.path().join(name);
    fs::remove_file(path(FILE)).unwrap();
    let map: BTreeMap<&String, &str> =
        first.keys().map(|name| (name, names[0])).chain(second.keys().map(|name| (name, names[1]))).collect();
    let index = serde_json::json!({ "metadata": {}, "weight_map": map });
    fs::write(path("model.safetensors.index.int8.json"), index.to_string()).unwrap();
    fs::write(path(names[0]), bytes_of(&first)).unwrap();
    fs::write(path(names[1]), bytes_of(&second)).unwrap();
    assert_eq!(logits(folder.path()), logits(&fixture()));
    fs::remove_file(path(names[1])).unwrap();
    let error = refusal(folder.path());
    assert!(error.contains(names[1]), "{error}");
}

#[test]
fn a_tensor_in_8_bits_is_one_tensor_of_integers_times_scales() {
    let weights = Weights::from_file(&fixture().join(FILE)).unwrap();
    let tensors = tensors();
    assert!(weights.tensors().all(|(name, _)| !name.ends_with(".int8") && !name.ends_with(".scale")));
    let numbers = tensors.iter().filter(|(name, _)| !name.ends_with(".scale"));
    assert_eq!(weights.parameters(), numbers.map(|(_, t)| t.shape.iter().product::<usize>()).sum::<usize>());
    let read = weights.tensor(MATRIX, &[32, 32]).unwrap().to_vec2::<f32>().unwrap();
    let scales = &tensors[&scales()].bytes.as_chunks::<4>().0;
    for (row, values) in read.iter().enumerate() {
        let integers = &tensors[&integers()].bytes[row * 32..][..32];
        for (value, integer) in values.iter().zip(integers) {
            assert_eq!(*value, f32::from(integer.cast_signed()) * f32::from_le_bytes(scales[row]));
        }
    }
}

#[test]
fn a_configuration_that_does_not_fit_the_weights_is_an_error() {
    let whole = fs::read(fixture().join(FILE)).unwrap();
    let config = json(&fixture().join("config.json"));
    let words = config["vocab_size"].as_u64().unwrap();
    let cases = [
        ("model_type", serde_json::json!("electra"), vec!["config.json", "electra", "mpnet"]),
        ("architectures", serde_json::json!(["MPNetForMaskedLM"]), vec!["config.json", "MPNetForMaskedLM"]),
        ("relative_attention_num_buckets", serde_json::json!(64), vec!["config.json", "64", "32"]),
        (
            "id2label",
            serde_json::json!({"0": "good", "1": "bad", "2": "ugly"}),
            vec!["config.json", "give `labels`"],
        ),
        ("vocab_size", serde_json::json!(words - 1), vec!["tokenizer.json", "embedding"]),
        ("vocab_size", serde_json::json!(words + 1), vec![FILE, WORDS]),
        ("num_hidden_layers", serde_json::json!(4), vec![FILE, "layer.3", "missing"]),
    ];
    for (field, value, words) in cases {
        let folder = folder_with(&whole);
        let mut config = config.clone();
        config[field] = value;
        fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
        let error = refusal(folder.path());
        for word in words {
            assert!(error.contains(word), "{field}: {word} in {error}");
        }
    }
}
