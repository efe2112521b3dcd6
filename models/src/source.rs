//! Where a model's files come from: the binary itself, a folder, or the store of models from the hub, whose files are
//! read only if they are what their first pull recorded. Two come with the program: `mini` is inside it, `base` beside it.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use veridic_store::{Entry, HubSettings, LocalModel, Manifest, Store, StoreError, find_weights};

use crate::beside;
use crate::card::{languages_of, licence_of};
use crate::error::{ModelError, Result};
use crate::weights::Weights;

/// Files beside the weights that decide what a model says.
const SETTINGS_FILES: [&str; 4] = ["config.json", "generation_config.json", "tokenizer.json", "spiece.model"];

/// Files that count where there is no tokenizer.json.
const TOKENIZER_FILES: [&str; 7] = [
    "spm.model",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
];

/// A model that is part of the program.
#[derive(Debug)]
pub struct BundledModel {
    /// The name that `--model` takes.
    pub name: &'static str,
    pub(crate) config: &'static [u8],
    pub(crate) tokenizer: &'static [u8],
    pub(crate) weights: &'static [u8],
    pub(crate) card: &'static str,
    pub(crate) calibration: Option<&'static str>,
    /// SHA-256 of the weights, in hexadecimal; a test compares it with the file.
    pub(crate) sha256: &'static str,
}

#[cfg(feature = "bundled")]
static MINI: BundledModel = BundledModel {
    name: "mini",
    config: include_bytes!("../weights/mini/config.json"),
    tokenizer: include_bytes!("../weights/mini/tokenizer.json"),
    weights: include_bytes!("../weights/mini/model.int8.safetensors"),
    card: include_str!("../weights/mini/README.md"),
    calibration: Some(include_str!("../weights/mini/calibration.json")),
    sha256: "d668e30f8f92cb53bac40efca7bd06d4b2e72497decbb05359969e036f6fb09c",
};

/// Names of the models that come with the program, the default first.
#[must_use]
pub fn own_models() -> Vec<&'static str> {
    beside::NAMES.into_iter().chain(bundled_models().iter().map(|model| model.name)).collect()
}

/// The models inside this build; none without the feature `bundled`.
fn bundled_models() -> &'static [&'static BundledModel] {
    #[cfg(feature = "bundled")]
    static MODELS: &[&BundledModel] = &[&MINI];
    #[cfg(not(feature = "bundled"))]
    static MODELS: &[&BundledModel] = &[];
    MODELS
}

/// Where a model is.
#[derive(Debug, Clone)]
pub enum ModelSource {
    /// In the program.
    Bundled(&'static BundledModel),
    /// In a folder that comes with the program.
    Beside {
        /// The name that `--model` takes.
        name: &'static str,
        /// Where it is on this machine.
        folder: PathBuf,
    },
    /// In a folder of config.json, a tokenizer's files, and model.safetensors or pytorch_model.bin, whole or in parts.
    Folder(PathBuf),
    /// In the store.
    Stored(Box<LocalModel>),
}

impl ModelSource {
    /// A model that comes with the program or has a name, a folder, or a hub id, in this order. Reads the disk only: a model of the hub must
    /// have been pulled.
    ///
    /// # Errors
    /// When there is no such model on this machine.
    pub fn find(name: &str) -> Result<Self> {
        if let Some(model) = bundled_models().iter().find(|model| model.name == name) {
            return Ok(Self::Bundled(model));
        }
        if let Some(name) = beside::NAMES.into_iter().find(|own| *own == name) {
            return Ok(Self::Beside { name, folder: beside::folder_of(name)? });
        }
        let is_named = Manifest::get().contains(name);
        if !is_named && Path::new(name).is_dir() {
            return Ok(Self::Folder(PathBuf::from(name)));
        }
        if !is_named && !name.contains('/') {
            return Err(ModelError::Unknown { name: name.to_owned(), known: known_names() });
        }
        match Store::new(HubSettings::from_environment()?).find(name) {
            Ok(found) => Ok(Self::Stored(Box::new(found))),
            Err(StoreError::Unknown { .. } | StoreError::BadId { .. }) => {
                Err(ModelError::Unknown { name: name.to_owned(), known: known_names() })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What results call the model: its name, or its folder as given.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Bundled(model) => model.name.to_owned(),
            Self::Beside { name, .. } => (*name).to_owned(),
            Self::Folder(folder) => folder.display().to_string(),
            Self::Stored(found) => found.id.clone(),
        }
    }

    /// What is published of the model, if it has a name.
    #[must_use]
    pub fn entry(&self) -> Option<&'static Entry> {
        match self {
            Self::Stored(found) => found.entry(),
            _ => None,
        }
    }

    /// The bytes of a small file of the model, and what errors call that file.
    pub(crate) fn small_file(&self, file: &'static str) -> Result<(Vec<u8>, String)> {
        match self {
            Self::Bundled(model) => {
                let bytes = if file == "config.json" { model.config } else { model.tokenizer };
                Ok((bytes.to_vec(), format!("bundled model {}: {file}", model.name)))
            }
            Self::Beside { folder, .. } | Self::Folder(folder) => read(folder, file),
            Self::Stored(found) => {
                let (bytes, name) = read(&found.folder, file)?;
                found.check_digest(file, &hexadecimal(&Sha256::digest(&bytes)))?;
                Ok((bytes, name))
            }
        }
    }

    /// A file that a model need not have.
    pub(crate) fn optional_file(&self, file: &'static str) -> Result<Option<(Vec<u8>, String)>> {
        if self.has_file(file) { self.small_file(file).map(Some) } else { Ok(None) }
    }

    /// Whether it has a file.
    pub(crate) fn has_file(&self, file: &str) -> bool {
        match self {
            Self::Bundled(_) => matches!(file, "config.json" | "tokenizer.json"),
            Self::Beside { folder, .. } | Self::Folder(folder) => folder.join(file).is_file(),
            Self::Stored(found) => found.folder.join(file).is_file(),
        }
    }

    /// SHA-256 over all that the model is made of beside its weights, in hexadecimal: its files of settings and
    /// tokens, and what the caller `adds`.
    pub(crate) fn settings_sha256(&self, adds: &str) -> Result<String> {
        let mut digest = Sha256::new();
        let others: &[&'static str] = if self.has_file("tokenizer.json") { &[] } else { &TOKENIZER_FILES };
        for name in SETTINGS_FILES.iter().chain(others) {
            if let Some((bytes, _)) = self.optional_file(name)? {
                digest.update(format!("{name} {} ", bytes.len()));
                digest.update(&bytes);
            }
        }
        digest.update(adds);
        Ok(hexadecimal(&digest.finalize()))
    }

    pub(crate) fn weights(&self) -> Result<Weights> {
        match self {
            Self::Bundled(model) => Weights::from_static(
                &format!("bundled model {}: model.int8.safetensors", model.name),
                model.weights,
            ),
            Self::Beside { folder, .. } | Self::Folder(folder) => weights_of(folder),
            Self::Stored(found) => weights_of(&found.folder),
        }
    }

    /// SHA-256 of the weights; refuses those that changed since they were pulled.
    pub(crate) fn weights_sha256(&self, weights: &Weights) -> Result<String> {
        if let Self::Bundled(model) = self {
            return Ok(model.sha256.to_owned());
        }
        let digests = weights.digests()?;
        if let Self::Stored(found) = self {
            digests.iter().try_for_each(|(file, sha256)| found.check_digest(file, sha256))?;
        }
        Ok(match &digests[..] {
            [(_, sha256)] => sha256.clone(),
            parts => {
                let all: Vec<&str> = parts.iter().map(|(_, sha256)| sha256.as_str()).collect();
                hexadecimal(&Sha256::digest(all.join("\n")))
            }
        })
    }

    /// The text of `calibration.json` beside the model, if there is one, and what errors call that file.
    ///
    /// # Errors
    /// When the file cannot be read or is no text.
    pub fn calibration(&self) -> Result<Option<(String, String)>> {
        let file = match self {
            Self::Bundled(model) => {
                let file = format!("bundled model {}: calibration.json", model.name);
                return Ok(model.calibration.map(|text| (text.to_owned(), file)));
            }
            // What the hub has beside a model is of other programs.
            Self::Stored(_) => None,
            Self::Beside { .. } | Self::Folder(_) => self.optional_file("calibration.json")?,
        };
        let Some((bytes, file)) = file else { return Ok(None) };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some((text, file))),
            Err(_) => Err(ModelError::Config { file, reason: "is not UTF-8 text".into() }),
        }
    }

    /// The licence that the model's card states, or what is published of the model.
    pub(crate) fn licence(&self) -> Option<String> {
        let published = || self.entry().map(|entry| entry.licence.clone());
        self.card().and_then(|card| licence_of(&card)).or_else(published)
    }

    /// The languages that the model's card lists.
    pub(crate) fn languages(&self) -> Option<Vec<String>> {
        languages_of(&self.card()?)
    }

    /// The model's card, if there is one that can be read.
    fn card(&self) -> Option<Cow<'static, str>> {
        let read = |folder: &Path| fs::read_to_string(folder.join("README.md")).ok().map(Cow::Owned);
        match self {
            Self::Bundled(model) => Some(Cow::Borrowed(model.card)),
            Self::Beside { folder, .. } | Self::Folder(folder) => read(folder),
            Self::Stored(found) => read(&found.folder),
        }
    }
}

/// The names of models, for a word that is none.
fn known_names() -> String {
    let named = Manifest::get().models.iter().map(|entry| entry.name.as_str());
    own_models().into_iter().chain(named).collect::<Vec<_>>().join(", ")
}

/// A file's bytes, and what errors call it.
fn read(folder: &Path, file: &'static str) -> Result<(Vec<u8>, String)> {
    let path = folder.join(file);
    if !path.is_file() {
        return Err(ModelError::MissingFile { folder: folder.to_owned(), file: file.to_owned() });
    }
    let name = path.display().to_string();
    match fs::read(&path) {
        Ok(bytes) => Ok((bytes, name)),
        Err(source) => Err(ModelError::Read { file: name, source }),
    }
}

fn weights_of(folder: &Path) -> Result<Weights> {
    match find_weights(folder) {
        Ok(files) => Weights::from_files(&files),
        Err(file) => Err(ModelError::MissingFile { folder: folder.to_owned(), file }),
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
