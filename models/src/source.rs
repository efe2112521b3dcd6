//! The source of a model's files: the program itself, a folder, or the models pulled from the hub. Files of a pulled
//! model are refused if they differ from those recorded at the first pull.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use veridic_store::{Entry, HubSettings, LocalModel, Manifest, Store, StoreError, WeightFiles, find_weights};

use crate::card::{languages_of, licence_of};
use crate::error::{ModelError, Result, refuse};
use crate::shipped::{EmbeddedModel, ShippedModels};
use crate::weights::{Weights, hexadecimal};

/// Files other than the weights that determine a model's outputs.
const SETTINGS_FILES: [&str; 4] = ["config.json", "generation_config.json", "tokenizer.json", "spiece.model"];

/// Files that determine them too if there is no tokenizer.json.
const TOKENIZER_FILES: [&str; 7] = [
    "spm.model",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
];

/// The place of a model.
#[derive(Debug, Clone)]
pub enum ModelSource {
    /// In the program.
    Embedded(EmbeddedModel),
    /// In a folder that comes with the program.
    Shipped {
        /// The model's name.
        name: &'static str,
        /// Its folder on this machine.
        folder: PathBuf,
    },
    /// In a folder with config.json, a tokenizer's files, and model.safetensors or pytorch_model.bin, whole or in
    /// parts.
    Folder(PathBuf),
    /// Among the models pulled from the hub.
    Pulled(Box<LocalModel>),
}

impl ModelSource {
    /// Finds the model with this name: one of `shipped`, a known name, a folder or a hub id, in this order. Reads the
    /// disk only: a model of the hub must have been pulled.
    ///
    /// # Errors
    /// When there is no such model on this machine.
    pub fn find(name: &str, shipped: &ShippedModels) -> Result<Self> {
        if let Some(model) = shipped.embedded(name) {
            return Ok(Self::Embedded(model));
        }
        if let Some((name, folder)) = shipped.in_folder(name)? {
            return Ok(Self::Shipped { name, folder });
        }
        let is_known = Manifest::get().contains(name);
        if !is_known && Path::new(name).is_dir() {
            return Ok(Self::Folder(PathBuf::from(name)));
        }
        let unknown = || ModelError::Unknown { name: name.to_owned(), known: known_names(shipped) };
        if !is_known && !name.contains('/') {
            return Err(unknown());
        }
        match Store::new(HubSettings::from_environment()?).find(name) {
            Ok(model) => Ok(Self::Pulled(Box::new(model))),
            Err(StoreError::Unknown { .. } | StoreError::BadId { .. }) => Err(unknown()),
            Err(error) => Err(error.into()),
        }
    }

    /// The model's id in results: its name, or its folder as given.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Embedded(model) => model.name.to_owned(),
            Self::Shipped { name, .. } => (*name).to_owned(),
            Self::Folder(folder) => folder.display().to_string(),
            Self::Pulled(model) => model.id.clone(),
        }
    }

    /// The manifest's entry for the model, if it has one.
    #[must_use]
    pub fn entry(&self) -> Option<&'static Entry> {
        match self {
            Self::Pulled(model) => model.entry(),
            _ => None,
        }
    }

    /// The folder of a file; `None` for a model in the program.
    fn folder_of(&self, file: &str) -> Option<&Path> {
        match self {
            Self::Pulled(model) => Some(&model.owner_of(file).folder),
            _ => self.folder(),
        }
    }

    /// The folder of the model's own files; `None` for a model in the program.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::Embedded(_) => None,
            Self::Shipped { folder, .. } | Self::Folder(folder) => Some(folder),
            Self::Pulled(model) => Some(&model.folder),
        }
    }

    /// The bytes of a small file of the model, and its name in errors.
    pub(crate) fn small_file(&self, file: &'static str) -> Result<(Vec<u8>, String)> {
        match self {
            Self::Embedded(model) => {
                let bytes = if file == "config.json" { model.config } else { model.tokenizer };
                Ok((bytes.to_vec(), embedded_name(model, file)))
            }
            Self::Shipped { folder, .. } | Self::Folder(folder) => read(folder, file),
            Self::Pulled(model) => {
                let model = model.owner_of(file);
                let (bytes, name) = read(&model.folder, file)?;
                model.check_digest(file, &hexadecimal(&Sha256::digest(&bytes)))?;
                Ok((bytes, name))
            }
        }
    }

    /// The same for a file that a model may lack.
    pub(crate) fn optional_file(&self, file: &'static str) -> Result<Option<(Vec<u8>, String)>> {
        if self.has_file(file) { self.small_file(file).map(Some) } else { Ok(None) }
    }

    /// Whether the model has a file.
    pub(crate) fn has_file(&self, file: &str) -> bool {
        match self.folder_of(file) {
            Some(folder) => folder.join(file).is_file(),
            None => matches!(file, "config.json" | "tokenizer.json"),
        }
    }

    /// SHA-256 over everything that determines the model's outputs except its weights, in hexadecimal: its
    /// configuration and tokenizer files, and the caller's `adds`.
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
            Self::Embedded(model) => {
                Weights::from_static(&embedded_name(model, "model.int8.safetensors"), model.weights)
            }
            Self::Shipped { folder, .. } | Self::Folder(folder) => weights_of(folder),
            Self::Pulled(model) => weights_in(&model.folder, model.weights()),
        }
    }

    /// SHA-256 of the weights; refuses those that changed since they were pulled.
    pub(crate) fn weights_sha256(&self, weights: &Weights) -> Result<String> {
        if let Self::Embedded(model) = self {
            return Ok(model.sha256.to_owned());
        }
        let digests = weights.digests()?;
        if let Self::Pulled(model) = self {
            digests.iter().try_for_each(|(file, sha256)| model.check_digest(file, sha256))?;
        }
        Ok(match &digests[..] {
            [(_, sha256)] => sha256.clone(),
            parts => {
                let all: Vec<&str> = parts.iter().map(|(_, sha256)| sha256.as_str()).collect();
                hexadecimal(&Sha256::digest(all.join("\n")))
            }
        })
    }

    /// The text of the model's rules.toml, if there is one, and the file's name in errors.
    ///
    /// # Errors
    /// When the file cannot be read or is not UTF-8.
    pub fn rules(&self) -> Result<Option<(String, String)>> {
        let file = match self {
            Self::Embedded(model) => {
                let file = embedded_name(model, "rules.toml");
                return Ok(model.rules.map(|text| (text.to_owned(), file)));
            }
            // On the hub, a file of that name belongs to another program.
            Self::Pulled(_) => None,
            Self::Shipped { .. } | Self::Folder(_) => self.optional_file("rules.toml")?,
        };
        let Some((bytes, file)) = file else { return Ok(None) };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some((text, file))),
            Err(_) => Err(refuse(&file, "is not UTF-8 text".into())),
        }
    }

    /// The licence that the model's card states, else that of the manifest.
    pub(crate) fn licence(&self) -> Option<String> {
        let published = || self.entry().map(|entry| entry.licence.clone());
        self.card().and_then(|card| licence_of(&card)).or_else(published)
    }

    /// The languages that the model's card lists.
    pub(crate) fn languages(&self) -> Option<Vec<String>> {
        languages_of(&self.card()?)
    }

    /// The model's card, if there is a readable one.
    fn card(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Embedded(model) => Some(Cow::Borrowed(model.card)),
            _ => fs::read_to_string(self.folder()?.join("README.md")).ok().map(Cow::Owned),
        }
    }
}

/// The name of an embedded model's file in errors.
fn embedded_name(model: &EmbeddedModel, file: &str) -> String {
    format!("embedded model {}: {file}", model.name)
}

/// All names of models, for the error on an unknown one.
fn known_names(shipped: &ShippedModels) -> String {
    let named = Manifest::get().models.iter().map(|entry| entry.name.as_str());
    shipped.names().into_iter().chain(named).collect::<Vec<_>>().join(", ")
}

/// A file's bytes, and its name in errors.
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
    weights_in(folder, find_weights(folder))
}

/// The weights found in a folder, or the error about a missing file.
fn weights_in(folder: &Path, found: std::result::Result<WeightFiles, String>) -> Result<Weights> {
    match found {
        Ok(files) => Weights::from_files(&files),
        Err(file) => Err(ModelError::MissingFile { folder: folder.to_owned(), file }),
    }
}
