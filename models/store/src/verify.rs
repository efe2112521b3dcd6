//! Compares a model's files with the record of its first pull.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::digest;
use crate::error::{Result, StoreError};
use crate::files;
use crate::local_model::LocalModel;
use crate::progress::{Listener, Progress};
use crate::record::Record;

/// The verification result of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVerification {
    /// The file's name.
    pub file: String,
    /// The comparison with the record.
    pub state: FileState,
}

/// The comparison of a file with its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// The file has the recorded digest.
    Same {
        /// The file's SHA-256.
        sha256: String,
    },
    /// The file has another digest.
    Changed {
        /// SHA-256 in the record.
        recorded: String,
        /// SHA-256 now.
        found: String,
    },
    /// The file is recorded but missing.
    Missing,
    /// The file is not recorded, but a loader would read it.
    Unrecorded,
}

/// The verification result of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    name: String,
    folder: PathBuf,
    record: Record,
    /// All files, sorted by name.
    pub files: Vec<FileVerification>,
}

impl Verification {
    /// Returns an error for the first file that differs from the record.
    ///
    /// # Errors
    /// [`StoreError::Changed`] with both digests, [`StoreError::Unrecorded`], or [`StoreError::NotCached`].
    pub fn check(&self) -> Result<()> {
        self.files.iter().try_for_each(|verified| {
            let location = self.record.location(Some(&verified.file));
            match &verified.state {
                FileState::Same { .. } => Ok(()),
                FileState::Changed { recorded, found } => {
                    let (recorded, found) = (recorded.clone(), found.clone());
                    Err(StoreError::Changed { location, recorded, found, on_hub: false })
                }
                FileState::Unrecorded => Err(StoreError::Unrecorded { location }),
                FileState::Missing => Err(StoreError::NotCached {
                    model: self.name.clone(),
                    cache: self.folder.clone(),
                    missing: verified.file.clone(),
                    offline: false,
                }),
            }
        })
    }
}

pub(crate) fn verify(found: &LocalModel, listener: Listener<'_>) -> Result<Verification> {
    let Some(record) = &found.record else { return Err(StoreError::NoRecord { model: found.id.clone() }) };
    let here: BTreeSet<String> = files::loaded_files(&found.folder, found.contents).into_iter().collect();
    let names: BTreeSet<&String> = here.iter().chain(record.files.keys()).collect();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let state = state_of(found, record, name, listener)?;
        files.push(FileVerification { file: name.clone(), state });
    }
    Ok(Verification { name: found.id.clone(), folder: found.folder.clone(), record: record.clone(), files })
}

fn state_of(found: &LocalModel, record: &Record, name: &str, listener: Listener<'_>) -> Result<FileState> {
    let Some(recorded) = record.files.get(name) else { return Ok(FileState::Unrecorded) };
    let path = found.folder.join(name);
    if !path.is_file() {
        return Ok(FileState::Missing);
    }
    listener(Progress::Checking { file: name });
    let (_, sha256) = digest::of_file(&path)
        .map_err(|error| StoreError::file(&record.location(Some(name)), "read", &path, 0, error))?;
    Ok(if sha256 == recorded.sha256 {
        FileState::Same { sha256 }
    } else {
        FileState::Changed { recorded: recorded.sha256.clone(), found: sha256 }
    })
}
