//! A model whose outputs are not finite for texts with one word.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::repository;

/// The token with an embedding of NaN, and its id.
pub const BAD: (&str, usize) = ("boat", 41);

/// The tiny model with that embedding.
pub fn failing_model() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tiny = repository("models/tests/fixtures/deberta/tiny_with_tokenizer");
    for file in ["config.json", "tokenizer.json"] {
        fs::copy(tiny.join(file), folder.path().join(file)).unwrap();
    }
    let bytes = fs::read(tiny.join("model.safetensors")).unwrap();
    fs::write(folder.path().join("model.safetensors"), with_nan(&bytes)).unwrap();
    folder
}

/// The weights with an embedding of NaN for the bad token.
fn with_nan(bytes: &[u8]) -> Vec<u8> {
    let (length, rest) = bytes.split_first_chunk::<8>().unwrap();
    let header = u64::from_le_bytes(*length) as usize;
    let tensors: Value = serde_json::from_slice(&rest[..header]).unwrap();
    let (_, words) = tensors
        .as_object()
        .unwrap()
        .iter()
        .find(|(name, _)| name.ends_with("word_embeddings.weight"))
        .unwrap();
    assert_eq!(words["dtype"], "F32");
    let row_bytes = 4 * words["shape"][1].as_u64().unwrap() as usize;
    let start = 8 + header + words["data_offsets"][0].as_u64().unwrap() as usize + BAD.1 * row_bytes;
    let mut bytes = bytes.to_vec();
    for number in bytes[start..][..row_bytes].chunks_exact_mut(4) {
        number.copy_from_slice(&f32::NAN.to_le_bytes());
    }
    bytes
}
