//! Shared fixtures: a repository, settings without waits, and views of the cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use tempfile::TempDir;
use veridic_store::{HubModel, HubSettings, Progress, PullSummary, PullTarget, Result, Store};

use crate::hub::{File, Hub, Repository};

pub const ID: &str = "owner/model";
pub const WEIGHTS: &str = "model.safetensors";

pub fn commit(digit: char) -> String {
    String::from(digit).repeat(40)
}

/// Pseudo-random bytes, so that misplaced parts are noticed.
pub fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..count).map(|_| next()).collect()
}

pub fn small(text: &str) -> File {
    File::new(text.as_bytes().to_vec(), false)
}

pub fn large(seed: u64, count: usize) -> File {
    File::new(bytes(seed, count), true)
}

pub fn files(list: Vec<(&str, File)>) -> BTreeMap<String, File> {
    list.into_iter().map(|(name, file)| (name.to_owned(), file)).collect()
}

/// A model with a large file, small files (one empty), and files that are not part of it.
pub static MODEL: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    files(vec![
        (".gitattributes", small("*.bin")),
        ("README.md", small("---\nlicense: mit\n---\n")),
        ("added_tokens.json", small("")),
        ("config.json", small("{\"model_type\": \"deberta-v2\"}")),
        (WEIGHTS, large(1, 300_000)),
        ("onnx/model.onnx", small("never")),
        ("pytorch_model.bin", large(2, 300_000)),
        ("tf_model.h5", large(3, 10)),
        ("tokenizer.json", small("{\"version\": \"1.0\"}")),
    ])
});

pub fn model() -> BTreeMap<String, File> {
    MODEL.clone()
}

pub const FETCHED: [&str; 5] = ["README.md", "added_tokens.json", "config.json", WEIGHTS, "tokenizer.json"];

pub fn repository(files: BTreeMap<String, File>) -> Repository {
    Repository {
        commits: BTreeMap::from([(commit('a'), files)]),
        branches: BTreeMap::from([("main".to_owned(), commit('a'))]),
        ..Repository::default()
    }
}

/// A hub with one model and an empty cache.
pub struct Setup {
    pub hub: Hub,
    pub home: TempDir,
}

impl Setup {
    pub fn new() -> Self {
        Self::with(model())
    }

    pub fn with(files: BTreeMap<String, File>) -> Self {
        let hub = Hub::start();
        hub.put(ID, repository(files));
        Self { hub, home: tempfile::tempdir().unwrap() }
    }

    /// Settings without retries.
    pub fn settings(&self) -> HubSettings {
        HubSettings {
            endpoint: self.hub.endpoint.clone(),
            retries: 0,
            initial_backoff: Duration::from_millis(1),
            longest_backoff: Duration::from_secs(5),
            read_timeout: Duration::from_secs(30),
            ..HubSettings::with_home(self.home.path())
        }
    }

    pub fn store(&self) -> Store {
        Store::new(self.settings())
    }

    pub fn pull(&self) -> Result<PullSummary> {
        pull(&self.store())
    }

    pub fn repository_folder(&self) -> PathBuf {
        self.home.path().join("hub/models--owner--model")
    }

    pub fn snapshot(&self) -> PathBuf {
        self.repository_folder().join("snapshots").join(commit('a'))
    }

    /// The file names in `blobs/`, sorted.
    pub fn blobs(&self) -> Vec<String> {
        names(&self.repository_folder().join("blobs"))
    }

    pub fn partials(&self) -> Vec<String> {
        self.blobs().into_iter().filter(|name| name.ends_with(".incomplete")).collect()
    }
}

pub fn hub_model() -> HubModel {
    HubModel::parse(ID).unwrap()
}

pub fn pull(store: &Store) -> Result<PullSummary> {
    store.pull(&hub_model(), PullTarget::Recorded, &mut ignore)
}

pub fn ignore(_: Progress<'_>) {}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every path under a folder with its content or, for a link, its target.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in names(folder) {
        let path = folder.join(name);
        let format = fs::symlink_metadata(&path).unwrap().file_type();
        if format.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(path, target.to_string_lossy().into_owned().into_bytes());
        } else if format.is_dir() {
            found.extend(tree(&path));
        } else {
            let content = fs::read(&path).unwrap();
            found.insert(path, content);
        }
    }
    found
}

/// Asserts that the message contains every part.
pub fn assert_contains(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}
