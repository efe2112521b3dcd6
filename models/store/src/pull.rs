//! Pulls a model: checks the cached files, lists the repository, fetches the missing files, records their digests.
//! The first pull of a revision fixes its commit and digests; later pulls restore exactly those files unless an
//! update is requested.

use std::collections::BTreeMap;

use crate::cache::RepositoryCache;
use crate::client::{Client, Listing, Remote};
use crate::digest;
use crate::error::{Result, StoreError};
use crate::files;
use crate::hub_model::HubModel;
use crate::progress::{Listener, Progress};
use crate::record::{FileDigest, Record};
use crate::retry::with_retries;
use crate::settings::HubSettings;
use crate::transfer::Transfer;

/// The state of a repository to pull.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullTarget {
    /// The state recorded by the first pull; at the first pull, the newest.
    Recorded,
    /// The newest state, which replaces the record.
    Newest,
}

/// The outcome of a pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullSummary {
    /// The record of the model's digests.
    pub record: Record,
    /// Files downloaded.
    pub fetched_files: usize,
    /// Bytes downloaded.
    pub fetched_bytes: u64,
    /// Whether this pull recorded the digests instead of comparing with a record.
    pub newly_recorded: bool,
}

pub(crate) fn pull(
    settings: &HubSettings,
    model: &HubModel,
    target: PullTarget,
    listener: Listener<'_>,
) -> Result<PullSummary> {
    let record = Record::read(&settings.records, &model.source, model.contents)?;
    // Offline there is nothing newer, and changed files must not replace the record.
    let record = record.filter(|_| target == PullTarget::Recorded || settings.offline);
    let pull = Pull { settings, model, cache: RepositoryCache::new(&settings.cache, &model.source), record };
    if settings.offline { pull.offline(listener) } else { pull.online(listener) }
}

struct Pull<'a> {
    settings: &'a HubSettings,
    model: &'a HubModel,
    cache: RepositoryCache,
    /// The digests that the files must have.
    record: Option<Record>,
}

/// The state of a file in the cache.
enum Local {
    Absent,
    Valid(FileDigest),
    Changed { expected: String, found: String },
}

impl Pull<'_> {
    fn online(self, listener: Listener<'_>) -> Result<PullSummary> {
        let client = Client::new(self.settings, &self.model.source)?;
        let (commit, names, newest) = match &self.record {
            Some(record) => (record.commit.clone(), record.files.keys().cloned().collect(), false),
            None => {
                let listing = self.listing(&client, listener)?;
                let names = files::files_to_fetch(&listing.files, self.model.contents)
                    .map_err(|reason| self.not_a_model(reason))?;
                (listing.commit, names, true)
            }
        };
        let (mut digests, missing) = self.check_local(&commit, names, listener)?;
        let (fetched_files, fetched_bytes) = self.fetch(&client, &commit, missing, &mut digests, listener)?;
        self.check_complete(&commit)?;
        if newest {
            self.cache.set_commit(&commit)?;
        }
        let (record, newly_recorded) = self.finish_record(commit, digests)?;
        Ok(PullSummary { record, fetched_files, fetched_bytes, newly_recorded })
    }

    /// Splits the files into valid ones, with their digests, and those to fetch. Removes changed files.
    fn check_local(
        &self,
        commit: &str,
        names: Vec<String>,
        listener: Listener<'_>,
    ) -> Result<(BTreeMap<String, FileDigest>, Vec<String>)> {
        let (mut digests, mut missing) = (BTreeMap::new(), Vec::new());
        for name in names {
            match self.local_state(commit, &name, listener)? {
                Local::Valid(digest) => drop(digests.insert(name, digest)),
                Local::Absent => missing.push(name),
                Local::Changed { expected, found } => {
                    listener(Progress::Repairing { file: &name, expected: &expected, found: &found });
                    self.cache.discard(commit, &name)?;
                    missing.push(name);
                }
            }
        }
        Ok((digests, missing))
    }

    /// Compares the cached files with the record, or records them.
    fn offline(self, listener: Listener<'_>) -> Result<PullSummary> {
        let commit = match &self.record {
            Some(record) => Some(record.commit.clone()),
            None => self.cache.commit(),
        };
        let Some(commit) = commit else { return Err(self.not_cached("snapshot of it".to_owned())) };
        self.check_complete(&commit)?;
        let names = match &self.record {
            Some(record) => record.files.keys().cloned().collect(),
            None => files::loaded_files(&self.cache.snapshot(&commit), self.model.contents),
        };
        let mut digests = BTreeMap::new();
        for name in names {
            match self.local_state(&commit, &name, listener)? {
                Local::Valid(digest) => digests.insert(name, digest),
                Local::Absent => return Err(self.not_cached(name)),
                Local::Changed { expected: recorded, found } => {
                    let location = self.cache.location(Some(&name));
                    return Err(StoreError::Changed { location, recorded, found, on_hub: false });
                }
            };
        }
        let (record, newly_recorded) = self.finish_record(commit, digests)?;
        Ok(PullSummary { record, fetched_files: 0, fetched_bytes: 0, newly_recorded })
    }

    fn listing(&self, client: &Client, listener: Listener<'_>) -> Result<Listing> {
        listener(Progress::Listing { source: &self.model.source });
        with_retries(self.settings, listener, || client.listing())
    }

    /// Checks a cached file against its recorded digest or, without one, against the digest in its blob's name.
    fn local_state(&self, commit: &str, name: &str, listener: Listener<'_>) -> Result<Local> {
        let path = self.cache.snapshot(commit).join(name);
        if !path.is_file() {
            return Ok(Local::Absent);
        }
        listener(Progress::Checking { file: name });
        let (bytes, sha256) = digest::of_file(&path)
            .map_err(|error| StoreError::file(&self.cache.location(Some(name)), "read", &path, 0, error))?;
        let recorded = self.recorded(name).map(|file| file.sha256.clone());
        let expected = recorded.or_else(|| self.cache.digest_in_blob_name(commit, name));
        match expected {
            Some(expected) if expected != sha256 => Ok(Local::Changed { expected, found: sha256 }),
            _ => Ok(Local::Valid(FileDigest { bytes, sha256 })),
        }
    }

    /// Fetches files and links them into the snapshot. Returns the numbers of files and bytes downloaded.
    fn fetch(
        &self,
        client: &Client,
        commit: &str,
        names: Vec<String>,
        digests: &mut BTreeMap<String, FileDigest>,
        listener: Listener<'_>,
    ) -> Result<(usize, u64)> {
        let remotes = self.remotes(client, commit, names, listener)?;
        if !remotes.is_empty() {
            let bytes = remotes.iter().fold(0, |sum: u64, (_, remote)| sum.saturating_add(remote.size));
            listener(Progress::Planned { files: remotes.len(), bytes });
        }
        let (mut fetched_files, mut fetched_bytes) = (0, 0);
        for (file, remote) in &remotes {
            let (cache, settings) = (&self.cache, self.settings);
            let fetched = Transfer { client, cache, settings, commit, file, remote }.run(listener)?;
            self.compare(file, &fetched.digest.sha256)?;
            self.cache.link(commit, file, &remote.etag)?;
            fetched_files += usize::from(fetched.bytes > 0);
            fetched_bytes += fetched.bytes;
            digests.insert(file.clone(), fetched.digest);
        }
        Ok((fetched_files, fetched_bytes))
    }

    /// The hub's metadata of files. Refuses a file whose stated digest differs from the record before fetching it.
    fn remotes(
        &self,
        client: &Client,
        commit: &str,
        names: Vec<String>,
        listener: Listener<'_>,
    ) -> Result<Vec<(String, Remote)>> {
        let mut remotes = Vec::with_capacity(names.len());
        for name in names {
            let remote = with_retries(self.settings, listener, || client.remote(&name, commit))?;
            if let Some(stated) = remote.sha256() {
                self.compare(&name, stated)?;
            }
            remotes.push((name, remote));
        }
        Ok(remotes)
    }

    fn compare(&self, name: &str, found: &str) -> Result<()> {
        match self.recorded(name) {
            Some(file) if file.sha256 != found => Err(StoreError::Changed {
                location: self.cache.location(Some(name)),
                recorded: file.sha256.clone(),
                found: found.to_owned(),
                on_hub: true,
            }),
            _ => Ok(()),
        }
    }

    fn recorded(&self, name: &str) -> Option<&FileDigest> {
        self.record.as_ref()?.files.get(name)
    }

    fn check_complete(&self, commit: &str) -> Result<()> {
        match files::first_missing(&self.cache.snapshot(commit), self.model.contents) {
            Some(missing) if self.settings.offline => Err(self.not_cached(missing)),
            Some(missing) => Err(self.not_a_model(format!("it has no {missing}"))),
            None => Ok(()),
        }
    }

    /// Returns the existing record, or writes a new one.
    fn finish_record(self, commit: String, digests: BTreeMap<String, FileDigest>) -> Result<(Record, bool)> {
        if let Some(record) = self.record {
            return Ok((record, false));
        }
        let record = Record::new(self.model.source.clone(), commit, digests);
        record.write(&self.settings.records, self.model.contents)?;
        Ok((record, true))
    }

    fn not_cached(&self, missing: String) -> StoreError {
        let (model, cache) = (self.model.name.clone(), self.settings.cache.clone());
        StoreError::NotCached { model, cache, missing, offline: self.settings.offline }
    }

    fn not_a_model(&self, reason: String) -> StoreError {
        StoreError::NotAModel { model: self.model.source.to_string(), reason }
    }
}
