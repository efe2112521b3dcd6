//! Damaged and hostile PyTorch checkpoints: an error with the file's name, never a panic, and no function that a pickle
//! names is called.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use veridic_models::{LoadOptions, ModelError, ModelSource, NliModel, Weights};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::common;

fn fixture(name: &str) -> PathBuf {
    common::fixture("roberta").join(name)
}

/// A file of these bytes, opened as weights.
fn open(folder: &Path, bytes: &[u8]) -> Result<Weights, ModelError> {
    let path = folder.join("pytorch_model.bin");
    fs::write(&path, bytes).unwrap();
    Weights::from_file(&path)
}

fn refusal(folder: &Path, bytes: &[u8]) -> String {
    open(folder, bytes).err().expect("these are no weights").to_string()
}

/// A zip archive in PyTorch's format, with this list of tensors and one storage of 64 bytes.
fn archive(pickle: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("archive/data.pkl", plain).unwrap();
    zip.write_all(pickle).unwrap();
    zip.start_file("archive/data/0", plain).unwrap();
    zip.write_all(&[0; 64]).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn both_formats_of_checkpoints_hold_the_same_tensors() {
    let new = Weights::from_file(&fixture("published_bin/pytorch_model.bin")).unwrap();
    let old = Weights::from_file(&fixture("old_format.bin")).unwrap();
    let shape = [3, 32];
    let numbers = |weights: &Weights| {
        weights.tensor("classifier.out_proj.weight", &shape).unwrap().to_vec2::<f32>().unwrap()
    };
    assert_eq!(numbers(&new), numbers(&old));
    assert_eq!(old.parameters(), 3 * 32 + 3);
    let error = old.tensor("classifier.out_proj.weight", &[32, 3]).unwrap_err().to_string();
    assert!(error.contains("old_format.bin") && error.contains("[3, 32]"), "{error}");
}

#[test]
fn a_folder_with_both_files_uses_safetensors() {
    let folder =
        common::copied(&fixture("published"), &["config.json", "tokenizer.json", "model.safetensors"]);
    fs::write(folder.path().join("pytorch_model.bin"), "nonsense").unwrap();
    let source = ModelSource::Folder(folder.path().to_owned());
    assert!(NliModel::load(&source, &LoadOptions::default()).is_ok());
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let error = NliModel::load(&source, &LoadOptions::default()).err().unwrap().to_string();
    assert!(error.contains("pytorch_model.bin") && error.contains("not a PyTorch checkpoint"), "{error}");
}

#[test]
fn truncated_files_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["published_bin/pytorch_model.bin", "old_format.bin"] {
        let whole = fs::read(fixture(name)).unwrap();
        let step = (whole.len() / 60).max(1);
        for length in (0..whole.len()).step_by(step).chain([whole.len() - 1]) {
            let error = refusal(folder.path(), &whole[..length]);
            assert!(error.contains("pytorch_model.bin"), "{error}");
        }
    }
}

#[test]
fn changed_bytes_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["published_bin/pytorch_model.bin", "old_format.bin"] {
        let whole = fs::read(fixture(name)).unwrap();
        let mut state = 7u32;
        for _ in 0..300 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The lists of tensors are at both ends.
            let from_start = (state >> 8) as usize % whole.len().min(6000);
            let place = if state & 1 == 0 { from_start } else { whole.len() - 1 - from_start };
            let mut changed = whole.clone();
            changed[place] = (state >> 16) as u8;
            if let Ok(weights) = open(folder.path(), &changed) {
                let _ = weights.tensor("classifier.out_proj.weight", &[3, 32]);
            }
        }
    }
}

#[test]
fn functions_named_by_a_pickle_are_not_called() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("called");
    let command = format!("touch {}", trace.display());
    let mut call = b"cos\nsystem\n(X".to_vec();
    call.extend((command.len() as u32).to_le_bytes());
    call.extend(command.as_bytes());
    call.extend(b"tR.");
    for pickle in [&call[..], b"}.", b"]q\0.", b"", b"\x80\x02cposix\nsystem\n)R."] {
        let error = refusal(folder.path(), &archive(pickle));
        assert!(error.contains("damaged"), "{error}");
    }
    assert!(!trace.exists());
}

#[test]
fn tensors_outside_their_storage_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    // {"w": _rebuild_tensor_v2((storage of 16 floats), offset, (rows, 8), (8, 1), ...)}
    let pickle = |offset: u8, rows: u8| {
        let mut bytes = b"\x80\x02}X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n(".to_vec();
        bytes.extend(b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x10tQ");
        bytes.extend([b'K', offset, b'K', rows, b'K', 8, 0x86, b'K', 8, b'K', 1, 0x86]);
        bytes.extend(b"\x89}tRs.");
        archive(&bytes)
    };
    let weights = open(folder.path(), &pickle(0, 2)).unwrap();
    assert!(weights.tensor("w", &[2, 8]).is_ok());
    for (offset, rows) in [(1, 2), (0, 3), (255, 255)] {
        let error = refusal(folder.path(), &pickle(offset, rows));
        assert!(error.contains("`w`") && error.contains("outside its storage"), "{error}");
    }
}

/// They would end the process: values are compared, copied and freed by recursion.
#[test]
fn deeply_nested_pickles_are_an_error() {
    const LEVELS: usize = 1_000_000;
    let folder = tempfile::tempdir().unwrap();
    let nested = |begin: &[u8], level: &[u8]| [begin, &level.repeat(LEVELS), b"."].concat();
    let lists = [&b"]".repeat(LEVELS)[..], &b"a".repeat(LEVELS - 1), b"."].concat();
    for pickle in [
        nested(b"N", b"\x85"),
        nested(b"N", b"N\x86"),
        nested(b"N", b"NN\x87"),
        nested(b"N", b"Q"),
        nested(b"N", b"NR"),
        nested(b"N", b"Nb"),
        [&b"(".repeat(LEVELS)[..], &b"t".repeat(LEVELS), b"."].concat(),
        [&b"}K\0".repeat(LEVELS)[..], b"N", &b"s".repeat(LEVELS), b"."].concat(),
        [&b"](".repeat(LEVELS)[..], b"N", &b"e".repeat(LEVELS), b"."].concat(),
        lists,
    ] {
        let error = refusal(folder.path(), &archive(&pickle));
        assert!(error.contains("pytorch_model.bin: its pickle nests values more than 64"), "{error}");
    }
    // The older format, whose list of tensors is its fourth pickle.
    let magic = &fs::read(fixture("old_format.bin")).unwrap()[..15];
    let old = [magic, b"M\xe9\x03.}.", &nested(b"N", b"\x85")].concat();
    assert!(refusal(folder.path(), &old).contains("more than 64"));
    // A long list is not a deep one.
    let flat = [b"}X\x01\0\0\0w]", &b"Na".repeat(LEVELS)[..], b"s."].concat();
    assert!(refusal(folder.path(), &archive(&flat)).contains("no tensors"));
}

/// Each step copies the value before it twice.
#[test]
fn pickles_that_repeat_values_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let doubled: Vec<u8> = (0..50u8).flat_map(|step| [b'q', step, b'h', step, 0x86]).collect();
    let error = refusal(folder.path(), &archive(&[b"N", &doubled[..], b"."].concat()));
    assert!(error.contains("repeats values"), "{error}");
}

#[test]
fn a_tensor_that_a_pickle_has_twice_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut tensor = b"X\x01\0\0\0wctorch._utils\n_rebuild_tensor_v2\n(".to_vec();
    tensor.extend(b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x10tQ");
    tensor.extend(b"K\0K\x10\x85K\x01\x85\x89}tRs");
    assert!(open(folder.path(), &archive(&[b"}", &tensor[..], b"."].concat())).is_ok());
    let error = refusal(folder.path(), &archive(&[b"}", &tensor[..], &tensor, b"."].concat()));
    assert!(error.contains("tensor `w` is there twice"), "{error}");
}
