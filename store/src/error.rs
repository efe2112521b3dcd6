//! What can go wrong between a model's name and its files, each with the repository, the file and the next step.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::hub_id::Source;
use crate::manifest::Manifest;
use crate::nearest::did_you_mean;

/// The result of the store's functions.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A model of the hub, and a file of it where one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// `OWNER/NAME`, with `@REVISION` unless it is the newest.
    pub model: String,
    /// The file.
    pub file: Option<String>,
}

impl Location {
    pub(crate) fn new(source: &Source, file: Option<&str>) -> Self {
        Self { model: source.to_string(), file: file.map(str::to_owned) }
    }
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
    /// Not the form of a hub id.
    #[error("`{given}` is no hub id: {reason}; write OWNER/NAME, or OWNER/NAME@REVISION")]
    BadId {
        /// What was given.
        given: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Neither a name of the manifest, nor a folder, nor a hub id.
    #[error(
        "no model `{given}`{}: it is no name that `veridic models list` shows, no folder, and no hub id (OWNER/NAME)",
        did_you_mean(given, Manifest::get().names())
    )]
    Unknown {
        /// What was given.
        given: String,
    },
    /// A bundle where one model is needed.
    #[error("`{given}` is a bundle of {members}: name one of them")]
    Bundle {
        /// The bundle.
        given: String,
        /// Its models.
        members: String,
    },
    /// A setting from the environment cannot be used.
    #[error("{variable}: {reason}")]
    Setting {
        /// The variable.
        variable: &'static str,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// The model, or a part of it, is not on this machine.
    #[error("{model} is not here: {} has no {missing} of it; fetch it with `veridic models pull {model}`{}", cache.display(), offline_note(*offline))]
    NotCached {
        /// As the user names it.
        model: String,
        /// The cache that was looked into.
        cache: PathBuf,
        /// What is missing.
        missing: String,
        /// Whether the network is switched off.
        offline: bool,
    },
    /// The hub could not be reached.
    #[error(
        "{location}: no connection to {endpoint}: {reason}; check the network (HTTPS_PROXY, HF_ENDPOINT), then run the same command again"
    )]
    NoNetwork {
        /// What was asked for.
        location: Location,
        /// The hub.
        endpoint: String,
        /// What the system says.
        reason: String,
    },
    /// The repository asks for consent or permission.
    #[error("{location}: access is restricted (HTTP {status}): {}", gate_steps(page, *with_token))]
    Gated {
        /// What was asked for.
        location: Location,
        /// 401 or 403.
        status: u16,
        /// Where access is asked for.
        page: String,
        /// Whether a token was sent.
        with_token: bool,
    },
    /// The hub does not accept the token.
    #[error(
        "{location}: the hub refuses the token (HTTP {status}): set HF_TOKEN to a valid one, or unset it (a file `token` in HF_HOME counts too)"
    )]
    BadToken {
        /// What was asked for.
        location: Location,
        /// 401 or 403.
        status: u16,
    },
    /// The hub knows no such repository, or does not show it.
    #[error(
        "{location}: the hub has no such repository (HTTP {status}), or it is private: check the name, and set HF_TOKEN for a private one"
    )]
    NoRepository {
        /// What was asked for.
        location: Location,
        /// 401 or 404.
        status: u16,
    },
    /// The repository has no such revision.
    #[error(
        "{location}: the hub has no such revision (HTTP 404): leave what stands after `@` out for the newest"
    )]
    NoRevision {
        /// What was asked for.
        location: Location,
    },
    /// The repository has no such file.
    #[error(
        "{location}: the hub has no such file (HTTP 404): the repository changed meanwhile, run the same command again"
    )]
    NoFile {
        /// The file.
        location: Location,
    },
    /// The repository is not a model that can be loaded.
    #[error("{model}: {reason}: it is no model that can be loaded")]
    NotAModel {
        /// The repository.
        model: String,
        /// What it lacks.
        reason: String,
    },
    /// Too many requests.
    #[error("{location}: the hub asks to wait (HTTP 429){}: try again later, or set HF_TOKEN for a higher limit", wait_note(*wait_seconds))]
    TooManyRequests {
        /// What was asked for.
        location: Location,
        /// How long, if it says so.
        wait_seconds: Option<u64>,
    },
    /// The hub failed or said something that has no other name here.
    #[error("{location}: the hub answers HTTP {status}{}: try again later", message_note(message))]
    Refused {
        /// What was asked for.
        location: Location,
        /// Its status.
        status: u16,
        /// Its own words, if any.
        message: String,
    },
    /// The hub's answer cannot be understood.
    #[error("{location}: {reason}; is {endpoint} a Hugging Face hub?")]
    BadAnswer {
        /// What was asked for.
        location: Location,
        /// What is wrong.
        reason: String,
        /// The hub.
        endpoint: String,
    },
    /// The connection ended before the file did.
    #[error("{location}: interrupted at {have} of {size} bytes ({reason}); run the same command again: {}", resume_note(*kept))]
    Interrupted {
        /// The file.
        location: Location,
        /// Bytes that arrived.
        have: u64,
        /// Bytes that the file has.
        size: u64,
        /// What happened.
        reason: String,
        /// Whether the next try goes on from there.
        kept: bool,
    },
    /// No room for the file.
    #[error("{location}: the disk is full at {} ({needed} bytes are still to come): free some space, or set HF_HOME to another disk, then run the same command again", folder.display())]
    DiskFull {
        /// The file.
        location: Location,
        /// Where it goes.
        folder: PathBuf,
        /// Bytes that are missing.
        needed: u64,
    },
    /// What arrived is not what the hub says it is.
    #[error(
        "{location}: what arrived has the digest {found}, the hub states {stated}: nothing was kept, run the same command again; if it stays so, a proxy or mirror changes the file"
    )]
    WrongContent {
        /// The file.
        location: Location,
        /// SHA-256 that the hub states.
        stated: String,
        /// SHA-256 of what arrived.
        found: String,
    },
    /// A file is not the one that was recorded at the first pull.
    #[error("{location}: refused, it changed since it was first pulled (recorded {recorded}, found {found}); {}", change_steps(&location.model, *on_hub))]
    Changed {
        /// The file.
        location: Location,
        /// SHA-256 in the record.
        recorded: String,
        /// SHA-256 now.
        found: String,
        /// Whether it changed on the hub, not on this machine.
        on_hub: bool,
    },
    /// A file that would be loaded was not there at the first pull.
    #[error("{location}: refused, it was not there when the model was first pulled: remove it, or record it with `veridic models pull {} --update`", location.model)]
    Unrecorded {
        /// The file.
        location: Location,
    },
    /// There is nothing to compare with.
    #[error("{model}: no digests are recorded: `veridic models pull` records them for models of the hub")]
    NoRecord {
        /// As the user names it.
        model: String,
    },
    /// The record of digests is damaged.
    #[error("{}: {reason}; restore it, or delete it and pull the model again", path.display())]
    BadRecord {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of the cache could not be read or written.
    #[error("{location}: cannot {action} {}: {source}{}", path.display(), permission_note(source))]
    File {
        /// The model's file.
        location: Location,
        /// What was tried.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl StoreError {
    /// The error of an operation on a file; `needed` bytes were still to be written.
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

fn gate_steps(page: &str, with_token: bool) -> String {
    let ask = format!("open {page}, sign in and accept its terms");
    if with_token {
        format!("{ask} with the account of your token, then run the same command again")
    } else {
        format!(
            "{ask}, make a token in your settings there, set HF_TOKEN to it, then run the same command again"
        )
    }
}

fn wait_note(seconds: Option<u64>) -> String {
    seconds.map_or_else(String::new, |seconds| format!(" for {seconds} s"))
}

fn message_note(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(" ({message})") }
}

fn resume_note(kept: bool) -> &'static str {
    if kept { "it goes on from there" } else { "this file starts again, others are kept" }
}

fn change_steps(model: &str, on_hub: bool) -> String {
    if on_hub {
        format!("if you trust what the hub has now: `veridic models pull {model} --update`")
    } else {
        format!("to fetch the recorded file again: `veridic models pull {model}`")
    }
}

fn permission_note(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; set HF_HOME to a folder that you may write to"
        }
        _ => "",
    }
}
