//! A model on this machine: its folder, and what the first pull recorded of it.

use std::path::PathBuf;

use crate::error::{Result, StoreError};
use crate::hub_id::HubId;
use crate::manifest::{Entry, Manifest};
use crate::record::{FileDigest, Record};

/// A model on this machine.
#[derive(Debug, Clone)]
pub struct LocalModel {
    /// As the user named it.
    pub id: String,
    /// Its files.
    pub folder: PathBuf,
    /// Its repository, unless it is a folder of the user's.
    pub repository: Option<HubId>,
    /// The repository's state.
    pub commit: Option<String>,
    /// What the first pull recorded; nothing for folders and for models that other programs fetched.
    pub record: Option<Record>,
}

impl LocalModel {
    /// What the manifest says of it.
    #[must_use]
    pub fn entry(&self) -> Option<&'static Entry> {
        Manifest::get().model_in(self.repository.as_ref()?)
    }

    /// What was recorded of a file.
    #[must_use]
    pub fn recorded(&self, file: &str) -> Option<&FileDigest> {
        self.record.as_ref()?.files.get(file)
    }

    /// Refuses a file that is not the recorded one, for a loader that knows its digest. A model without a record
    /// has nothing to refuse by.
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
