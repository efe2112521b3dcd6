//! Errors between a model's name and its files. Each names the repository, the file and the next step.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of the store's functions.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A model on the hub, or one of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// `OWNER/NAME`, with `@REVISION` unless the revision is `main`.
    pub model: String,
    /// The file, if the error concerns one file.
    pub file: Option<String>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}: {file}", self.model),
            None => f.write_str(&self.model),
        }
    }
}

/// A model could not be found, fetched or trusted.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A malformed hub id.
    #[error("`{given}` is not a hub id: {reason}; write OWNER/NAME or OWNER/NAME@REVISION")]
    BadId {
        /// The text that was given.
        given: String,
        /// The problem.
        reason: &'static str,
    },
    /// Neither a named model, nor a folder, nor a hub id.
    #[error(
        "unknown model `{given}`{suggestion}: give a name from `veridic models list`, a folder, or a hub id (OWNER/NAME)"
    )]
    Unknown {
        /// The text that was given.
        given: String,
        /// The name that may be meant, in words; empty if none is similar.
        suggestion: String,
    },
    /// A bundle was given where one model is needed.
    #[error("`{given}` is a bundle of {members}: choose one of them")]
    Bundle {
        /// The bundle.
        given: String,
        /// Its models.
        members: String,
    },
    /// An environment variable has a value that cannot be used.
    #[error("{variable}: {reason}")]
    Setting {
        /// The variable.
        variable: &'static str,
        /// The problem with the value, and the remedy.
        reason: String,
    },
    /// The model, or one of its files, is not on this machine.
    #[error("{model} is not on this machine: {} has no {missing}; fetch it with `veridic models pull {model}`{}", cache.display(), offline_note(*offline))]
    NotCached {
        /// The name the user gave.
        model: String,
        /// The folder that was searched.
        cache: PathBuf,
        /// The missing part.
        missing: String,
        /// Whether the network is switched off.
        offline: bool,
    },
    /// The hub could not be reached.
    #[error(
        "{location}: cannot connect to {endpoint}: {reason}; check the network (HTTPS_PROXY, HF_ENDPOINT), then run the same command again"
    )]
    NoNetwork {
        /// The model or file that was requested.
        location: Location,
        /// The hub.
        endpoint: String,
        /// The operating system's description.
        reason: String,
    },
    /// The hub answered with an error status.
    #[error("{location}: {reason}")]
    Refused {
        /// The model or file that was requested.
        location: Location,
        /// The status.
        status: u16,
        /// What it means, and the next step.
        reason: String,
    },
    /// The repository does not hold a loadable model.
    #[error("{model} cannot be loaded as a model: {reason}")]
    NotAModel {
        /// The repository.
        model: String,
        /// The missing part.
        reason: String,
    },
    /// The hub's answer could not be parsed.
    #[error("{location}: {reason}; is {endpoint} a Hugging Face hub?")]
    BadAnswer {
        /// The model or file that was requested.
        location: Location,
        /// The problem with the answer.
        reason: String,
        /// The hub.
        endpoint: String,
    },
    /// The connection ended before the file was complete.
    #[error("{location}: interrupted at {have} of {size} bytes ({reason}); run the same command again: {}", resume_note(*kept))]
    Interrupted {
        /// The file.
        location: Location,
        /// Bytes received.
        have: u64,
        /// Size of the file in bytes.
        size: u64,
        /// The failure.
        reason: String,
        /// Whether the next pull resumes from these bytes.
        kept: bool,
    },
    /// The disk is full.
    #[error("{location}: the disk is full at {}{}: free some space, or set HF_HOME to another disk, then run the same command again", folder.display(), missing_note(*needed))]
    DiskFull {
        /// The file.
        location: Location,
        /// The folder it was written to.
        folder: PathBuf,
        /// Bytes still to be written; 0 if the operation writes none.
        needed: u64,
    },
    /// The downloaded content does not have the stated digest.
    #[error(
        "{location}: the downloaded content has the digest {found}, but the hub states {stated}: nothing was kept; run the same command again, and if the error persists, look for a proxy or mirror that alters the file"
    )]
    WrongContent {
        /// The file.
        location: Location,
        /// SHA-256 stated by the hub.
        stated: String,
        /// SHA-256 of the downloaded content.
        found: String,
    },
    /// A file differs from the one recorded at the first pull.
    #[error("{location}: the file has changed since it was first pulled (recorded {recorded}, found {found}); {}", change_steps(&location.model, *on_hub))]
    Changed {
        /// The file.
        location: Location,
        /// SHA-256 in the record.
        recorded: String,
        /// SHA-256 now.
        found: String,
        /// Whether the changed file is on the hub rather than on this machine.
        on_hub: bool,
    },
    /// A file that would be loaded is not in the record of the first pull.
    #[error("{location}: the file was not part of the model when it was first pulled: remove it, or record it by `veridic models pull {} --update`", location.model)]
    Unrecorded {
        /// The file.
        location: Location,
    },
    /// No digests are recorded for the model.
    #[error("{model}: no digests are recorded; `veridic models pull` records them for models from the hub")]
    NoRecord {
        /// The name the user gave.
        model: String,
    },
    /// The record of digests is damaged.
    #[error("{}: {reason}; restore it, or delete it and pull the model again", path.display())]
    BadRecord {
        /// The record.
        path: PathBuf,
        /// The problem with the record.
        reason: String,
    },
    /// A file in the cache could not be read or written.
    #[error("{location}: cannot {action} {}: {source}{}", path.display(), permission_note(source))]
    File {
        /// The file of the model.
        location: Location,
        /// The operation: `read`, `write`, `link`, ...
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl StoreError {
    /// The error for a failed file operation; `needed` bytes were still to be written.
    pub(crate) fn file(
        location: &Location,
        action: &'static str,
        path: &Path,
        needed: u64,
        source: io::Error,
    ) -> Self {
        let location = location.clone();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::DiskFull { location, folder: path.parent().unwrap_or(path).to_owned(), needed }
            }
            _ => Self::File { location, action, path: path.to_owned(), source },
        }
    }
}

fn offline_note(offline: bool) -> &'static str {
    if offline { " (without --offline and HF_HUB_OFFLINE)" } else { "" }
}

fn missing_note(bytes: u64) -> String {
    if bytes == 0 { String::new() } else { format!(" ({bytes} bytes are still missing)") }
}

fn resume_note(kept: bool) -> &'static str {
    if kept { "it resumes from there" } else { "this file starts again, finished files are kept" }
}

fn change_steps(model: &str, on_hub: bool) -> String {
    if on_hub {
        format!("if you trust the hub's new file, accept it by `veridic models pull {model} --update`")
    } else {
        format!("`veridic models pull {model}` restores the recorded file")
    }
}

fn permission_note(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; set HF_HOME to a folder that you can write to"
        }
        _ => "",
    }
}
