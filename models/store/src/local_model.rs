//! A model on this machine: its folder and the record of its first pull.

use std::path::PathBuf;

use crate::contents::Contents;
use crate::error::{Result, StoreError};
use crate::files::{WeightFiles, find_weights, is_of_tokenizer};
use crate::hub_id::HubId;
use crate::manifest::{Entry, Manifest};
use crate::record::{FileDigest, Record};

/// A model on this machine.
#[derive(Debug, Clone)]
pub struct LocalModel {
    /// The name the user gave.
    pub id: String,
    /// The folder of its files.
    pub folder: PathBuf,
    /// The hub repository; none for a folder of the user's own.
    pub repository: Option<HubId>,
    /// The commit of the snapshot.
    pub commit: Option<String>,
    /// The record of the first pull; none for folders and for models fetched by other programs.
    pub record: Option<Record>,
    /// The part that it was pulled for.
    pub contents: Contents,
    /// Its tokenizer, where that is another repository's.
    pub tokenizer: Option<Box<Self>>,
}

impl LocalModel {
    /// The model's entry in the manifest, if it is a named model.
    #[must_use]
    pub fn entry(&self) -> Option<&'static Entry> {
        Manifest::get().model_of(self.repository.as_ref()?, self.contents)
    }

    /// The model that has a file of this name: itself, or its tokenizer.
    #[must_use]
    pub fn owner_of(&self, file: &str) -> &Self {
        let has = |other: &&Self| {
            is_of_tokenizer(file) || other.contents == Contents::Settings && file == "config.json"
        };
        self.tokenizer.as_deref().filter(has).unwrap_or(self)
    }

    /// Its weights.
    ///
    /// # Errors
    /// A description of the missing or damaged file.
    pub fn weights(&self) -> std::result::Result<WeightFiles, String> {
        match self.contents.checkpoint() {
            Some(checkpoint) => Ok(WeightFiles::Single(self.folder.join(checkpoint))),
            None => find_weights(&self.folder),
        }
    }

    /// The recorded digest of a file.
    #[must_use]
    pub fn recorded(&self, file: &str) -> Option<&FileDigest> {
        self.record.as_ref()?.files.get(file)
    }

    /// Checks the digest of a file that a loader has read against the record. Without a record every file passes.
    ///
    /// # Errors
    /// [`StoreError::Changed`] with both digests, or [`StoreError::Unrecorded`].
    pub fn check_digest(&self, file: &str, sha256: &str) -> Result<()> {
        let Some(record) = &self.record else { return Ok(()) };
        let location = record.location(Some(file));
        match record.files.get(file) {
            Some(recorded) if recorded.sha256 == sha256 => Ok(()),
            Some(recorded) => {
                let (recorded, found) = (recorded.sha256.clone(), sha256.to_owned());
                Err(StoreError::Changed { location, recorded, found, on_hub: false })
            }
            None => Err(StoreError::Unrecorded { location }),
        }
    }
}
