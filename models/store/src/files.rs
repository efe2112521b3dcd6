//! The files of a model: which files of a repository are fetched, which a folder lacks, and which of several weight
//! files are used. Reads no file except the index of sharded weights.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::contents::Contents;
use crate::quoting::{quoted_name, without_values};

/// Fetched if present. None of them is code or lies in a subfolder.
const SMALL_FILES: &[&str] = &[
    "README.md",
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.md",
    "config.json",
    "generation_config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
];

/// Tokenizer files; a model needs at least one.
const TOKENIZERS: &[&str] = &[
    "tokenizer.json",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
];

/// Files that define a tokenizer together with its vocabulary.
const TOKENIZER_SETTINGS: &[&str] =
    &["tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"];

/// Weight formats in order of preference: safetensors in the trained dtype, safetensors in 8-bit rows, PyTorch. The
/// names of variants and shards are those of Python's `transformers`.
const FORMATS: &[WeightFormat] = &[
    WeightFormat {
        file: "model.safetensors",
        index: "model.safetensors.index.json",
        stem: "model",
        end: ".safetensors",
    },
    WeightFormat {
        file: "model.int8.safetensors",
        index: "model.safetensors.index.int8.json",
        stem: "model.int8",
        end: ".safetensors",
    },
    WeightFormat {
        file: "pytorch_model.bin",
        index: "pytorch_model.bin.index.json",
        stem: "pytorch_model",
        end: ".bin",
    },
];

struct WeightFormat {
    /// The name of a single file.
    file: &'static str,
    /// The name of the index of a sharded checkpoint.
    index: &'static str,
    /// A shard's name up to its number.
    stem: &'static str,
    /// The file extension.
    end: &'static str,
}

impl WeightFormat {
    /// Whether a name is a shard's, such as `model-00001-of-00003.safetensors`.
    fn is_shard(&self, name: &str) -> bool {
        let middle = name.strip_prefix(self.stem).and_then(|rest| rest.strip_suffix(self.end));
        let Some((number, of)) = middle.and_then(|middle| middle.strip_prefix('-')?.split_once("-of-"))
        else {
            return false;
        };
        [number, of]
            .iter()
            .all(|digits| digits.len() == 5 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// Whether a file belongs to a tokenizer.
pub(crate) fn is_of_tokenizer(name: &str) -> bool {
    TOKENIZERS.contains(&name) || TOKENIZER_SETTINGS.contains(&name)
}

/// Whether a file documents a model.
fn is_about(name: &str) -> bool {
    name == "README.md" || name.starts_with("LICENSE") && SMALL_FILES.contains(&name)
}

/// The files of a listing to fetch, sorted. The error describes what the listing lacks.
pub(crate) fn files_to_fetch(listing: &BTreeSet<String>, contents: Contents) -> Result<Vec<String>, String> {
    let has = |name: &str| listing.contains(name);
    let has_tokenizer = TOKENIZERS.iter().any(|name| has(name));
    if contents == Contents::Tokenizer && has_tokenizer {
        return Ok(listing.iter().filter(|name| is_of_tokenizer(name)).cloned().collect());
    }
    if let Contents::Checkpoint(checkpoint) = contents {
        return if has(checkpoint) {
            Ok(listing.iter().filter(|name| is_about(name) || *name == checkpoint).cloned().collect())
        } else {
            Err(format!("it has no {checkpoint}"))
        };
    }
    if contents != Contents::Tokenizer && !has("config.json") {
        return Err("it has no config.json".to_owned());
    }
    if contents != Contents::WithoutTokenizer && !has_tokenizer {
        return Err(format!("it has no tokenizer (none of {})", TOKENIZERS.join(", ")));
    }
    if contents == Contents::Settings {
        let is_setting = |name: &&String| is_of_tokenizer(name) || *name == "config.json";
        return Ok(listing.iter().filter(is_setting).cloned().collect());
    }
    let is_wanted = |name: &str| has(name) && (contents == Contents::Whole || !is_of_tokenizer(name));
    let small = SMALL_FILES.iter().chain(TOKENIZERS).filter(|name| is_wanted(name));
    let mut files: Vec<String> = small.map(|name| (*name).to_owned()).collect();
    match FORMATS.iter().find(|format| has(format.file) || has(format.index)) {
        Some(format) if has(format.file) => files.push(format.file.to_owned()),
        Some(format) => {
            files.push(format.index.to_owned());
            files.extend(listing.iter().filter(|name| format.is_shard(name)).cloned());
        }
        None => {
            let files: Vec<&str> = FORMATS.iter().map(|format| format.file).collect();
            return Err(format!("it has no weights (none of {}, single or sharded)", files.join(", ")));
        }
    }
    files.sort();
    Ok(files)
}

/// The files of a folder that a loader reads, sorted; empty if the folder is not a model.
pub(crate) fn loaded_files(folder: &Path, contents: Contents) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    files_to_fetch(&names, contents).unwrap_or_default()
}

/// The weight files of a model folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightFiles {
    /// One file: model.safetensors, model.int8.safetensors, pytorch_model.bin or a checkpoint of PyTorch Lightning.
    Single(PathBuf),
    /// A sharded checkpoint.
    Shards {
        /// The index file.
        index: PathBuf,
        /// The shards, sorted.
        shards: Vec<PathBuf>,
    },
}

/// The ending of a checkpoint as PyTorch Lightning writes it. Its name is its author's choice.
const CHECKPOINT: &str = ".ckpt";

/// Finds the weights in a folder: the first format present, a single file before a sharded one; else the only checkpoint
/// of PyTorch Lightning.
///
/// # Errors
/// A description of the missing or damaged file.
pub fn find_weights(folder: &Path) -> Result<WeightFiles, String> {
    for format in FORMATS {
        if folder.join(format.file).is_file() {
            return Ok(WeightFiles::Single(folder.join(format.file)));
        }
        if folder.join(format.index).is_file() {
            let shards = shards_of(folder, format)?;
            return Ok(WeightFiles::Shards { index: folder.join(format.index), shards });
        }
    }
    match &checkpoints(folder)[..] {
        [checkpoint] => Ok(WeightFiles::Single(folder.join(checkpoint))),
        [] => {
            let files: Vec<&str> = FORMATS.iter().map(|format| format.file).collect();
            Err(format!("weights ({}, or one file *{CHECKPOINT})", files.join(", ")))
        }
        several => Err(format!("single checkpoint (it has {})", several.join(", "))),
    }
}

/// The names of a folder's checkpoints of PyTorch Lightning, sorted.
fn checkpoints(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(CHECKPOINT)).collect();
    names.sort();
    names
}

#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

fn shards_of(folder: &Path, format: &WeightFormat) -> Result<Vec<PathBuf>, String> {
    let damaged = |reason: String| format!("usable {} ({reason})", format.index);
    let bytes = fs::read(folder.join(format.index)).map_err(|error| damaged(error.to_string()))?;
    let index: Index = serde_json::from_slice(&bytes).map_err(|error| damaged(without_values(&error)))?;
    let names: BTreeSet<String> = index.weight_map.into_values().collect();
    if names.is_empty() {
        return Err(damaged("it names no shard".to_owned()));
    }
    for name in &names {
        // A shard must lie in the index's folder.
        if !format.is_shard(name) {
            return Err(damaged(format!("the shard {} is not in its folder", quoted_name(name))));
        }
        if !folder.join(name).is_file() {
            return Err(name.clone());
        }
    }
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

/// The first missing part of a model folder; none if it is complete.
pub(crate) fn first_missing(folder: &Path, contents: Contents) -> Option<String> {
    if let Contents::Checkpoint(checkpoint) = contents {
        return (!folder.join(checkpoint).is_file()).then(|| checkpoint.to_owned());
    }
    let is_model = !matches!(contents, Contents::Tokenizer | Contents::Settings);
    if contents != Contents::Tokenizer && !folder.join("config.json").is_file() {
        return Some("config.json".to_owned());
    }
    let needs_tokenizer = contents != Contents::WithoutTokenizer;
    if needs_tokenizer && !TOKENIZERS.iter().any(|name| folder.join(name).is_file()) {
        return Some("tokenizer".to_owned());
    }
    if is_model { find_weights(folder).err() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(names: &[&str], contents: Contents) -> Result<Vec<String>, String> {
        files_to_fetch(&names.iter().map(ToString::to_string).collect(), contents)
    }

    fn whole(names: &[&str]) -> Result<Vec<String>, String> {
        chosen(names, Contents::Whole)
    }

    #[test]
    fn a_tokenizer_and_its_model_are_chosen_from_two_repositories() {
        let model = ["config.json", "model.safetensors", "modeling.py"];
        let with_tokenizer = ["config.json", "model.safetensors", "tokenizer.json"];
        let foundation = ["config.json", "model.safetensors", "spiece.model", "tokenizer_config.json"];
        assert_eq!(chosen(&model, Contents::WithoutTokenizer).unwrap(), model[..2]);
        assert_eq!(chosen(&with_tokenizer, Contents::WithoutTokenizer).unwrap(), model[..2]);
        assert_eq!(chosen(&foundation, Contents::Tokenizer).unwrap(), foundation[2..]);
        assert!(chosen(&model, Contents::Tokenizer).unwrap_err().contains("no tokenizer"));
        assert!(chosen(&model, Contents::Whole).unwrap_err().contains("no tokenizer"));
        assert!(chosen(&model[1..], Contents::WithoutTokenizer).unwrap_err().contains("config.json"));
    }

    #[test]
    fn a_checkpoint_and_its_settings_are_chosen_from_two_repositories() {
        let checkpoints = ["README.md", "a.ckpt", "b.ckpt"];
        let encoder = ["config.json", "model.safetensors", "tokenizer.json", "vocab.json"];
        assert_eq!(chosen(&checkpoints, Contents::Checkpoint("b.ckpt")).unwrap(), ["README.md", "b.ckpt"]);
        assert!(chosen(&checkpoints, Contents::Checkpoint("c.ckpt")).unwrap_err().contains("c.ckpt"));
        let settings = ["config.json", "tokenizer.json", "vocab.json"];
        assert_eq!(chosen(&encoder, Contents::Settings).unwrap(), settings);
        assert!(chosen(&encoder[..1], Contents::Settings).unwrap_err().contains("no tokenizer"));
        assert!(chosen(&encoder[1..], Contents::Settings).unwrap_err().contains("config.json"));
    }

    #[test]
    fn safetensors_are_preferred_and_other_files_are_not_fetched() {
        let listing = [
            ".gitattributes",
            "config.json",
            "tokenizer.json",
            "onnx/model.onnx",
            "tf_model.h5",
            "pytorch_model.bin",
            "model.safetensors",
            "model.fp16.safetensors",
            "modeling_evil.py",
        ];
        assert_eq!(whole(&listing).unwrap(), ["config.json", "model.safetensors", "tokenizer.json"]);
    }

    #[test]
    fn shards_are_fetched_with_their_index() {
        let listing = [
            "config.json",
            "spiece.model",
            "model.safetensors.index.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
            "model-00001-of-00002.safetensors.bak",
        ];
        let mut expected = listing[..5].to_vec();
        expected.sort_unstable();
        assert_eq!(whole(&listing).unwrap(), expected);
    }

    #[test]
    fn int8_weights_rank_between_trained_dtype_and_pytorch() {
        let all =
            ["config.json", "model.int8.safetensors", "model.safetensors", "pytorch_model.bin", "vocab.txt"];
        assert_eq!(whole(&all).unwrap(), ["config.json", "model.safetensors", "vocab.txt"]);
        let packed = ["config.json", "model.int8.safetensors", "pytorch_model.bin", "vocab.txt"];
        assert_eq!(whole(&packed).unwrap(), ["config.json", "model.int8.safetensors", "vocab.txt"]);
        let old = ["config.json", "merges.txt", "pytorch_model.bin", "vocab.json"];
        assert_eq!(whole(&old).unwrap(), old);
        let parts = [
            "config.json",
            "model.int8-00001-of-00002.safetensors",
            "model.int8-00002-of-00002.safetensors",
            "model.safetensors.index.int8.json",
            "vocab.txt",
        ];
        assert_eq!(whole(&parts).unwrap(), parts);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let single = |name: &str| Ok(WeightFiles::Single(path(name)));
        fs::write(path("pytorch_model.bin"), "").unwrap();
        assert_eq!(find_weights(folder.path()), single("pytorch_model.bin"));
        fs::write(path("model.int8.safetensors"), "").unwrap();
        assert_eq!(find_weights(folder.path()), single("model.int8.safetensors"));
        fs::write(path("model.safetensors"), "").unwrap();
        assert_eq!(find_weights(folder.path()), single("model.safetensors"));
    }

    #[test]
    fn incomplete_listing_names_what_is_missing() {
        assert!(whole(&["tokenizer.json", "model.safetensors"]).unwrap_err().contains("config.json"));
        assert!(whole(&["config.json", "model.safetensors"]).unwrap_err().contains("tokenizer"));
        assert!(whole(&["config.json", "vocab.txt"]).unwrap_err().contains("model.safetensors"));
    }

    #[test]
    fn index_naming_files_outside_its_folder_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let index = |text: &str| fs::write(folder.path().join("model.safetensors.index.json"), text).unwrap();
        for damaged in [
            "",
            "{}",
            r#"{"weight_map":{}}"#,
            r#"{"weight_map":{"a":"../../secret"}}"#,
            r#"{"weight_map":{"a":"/etc/passwd"}}"#,
            r#"{"weight_map":{"a":"model-00001-of-00001.safetensors/.."}}"#,
        ] {
            index(damaged);
            assert!(find_weights(folder.path()).unwrap_err().starts_with("usable"), "{damaged}");
        }
        index(r#"{"weight_map":{"a":"model-00001-of-00001.safetensors"}}"#);
        assert_eq!(find_weights(folder.path()).unwrap_err(), "model-00001-of-00001.safetensors");
        fs::write(folder.path().join("model-00001-of-00001.safetensors"), "").unwrap();
        assert!(
            matches!(find_weights(folder.path()), Ok(WeightFiles::Shards { shards, .. }) if shards.len() == 1)
        );
    }
}
