//! The path of a pull: what is here and right, what the hub has, what is missing, fetching it, recording it. The
//! first pull of a revision fixes its commit and its digests; later ones restore exactly that, unless told to update.

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

/// Which state of a repository a pull is after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullTarget {
    /// What the first pull recorded; the newest if this is the first.
    Recorded,
    /// The newest, which becomes what is recorded.
    Newest,
}

/// What a pull did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullSummary {
    /// The record of the model's digests.
    pub record: Record,
    /// Files that came over the network.
    pub fetched_files: usize,
    /// Bytes that came over the network.
    pub fetched_bytes: u64,
    /// Whether the digests were recorded now, not compared with a record.
    pub newly_recorded: bool,
}

pub(crate) fn pull(
    settings: &HubSettings,
    wanted: &HubModel,
    target: PullTarget,
    listener: Listener<'_>,
) -> Result<PullSummary> {
    let record = Record::read(&settings.records, &wanted.source)?;
    // Without the network there is nothing newer, and what is here is not trusted anew.
    let record = record.filter(|_| target == PullTarget::Recorded || settings.offline);
    let pull =
        Pull { settings, wanted, cache: RepositoryCache::new(&settings.cache, &wanted.source), record };
    if settings.offline { pull.without_network(listener) } else { pull.with_network(listener) }
}

struct Pull<'a> {
    settings: &'a HubSettings,
    wanted: &'a HubModel,
    cache: RepositoryCache,
    /// What the files must be.
    record: Option<Record>,
}

/// What is known of a file that is here.
enum Local {
    Absent,
    Good(FileDigest),
    Wrong { expected: String, found: String },
}

impl Pull<'_> {
    fn with_network(self, listener: Listener<'_>) -> Result<PullSummary> {
        let client = Client::new(self.settings, &self.wanted.source)?;
        let (commit, names, newest) = match &self.record {
            Some(record) => (record.commit.clone(), record.files.keys().cloned().collect(), false),
            None => {
                let listing = self.ask(&client, listener)?;
                let names =
                    files::files_to_fetch(&listing.files).map_err(|reason| self.not_a_model(reason))?;
                (listing.commit, names, true)
            }
        };
        let (mut digests, missing) = self.sort(&commit, names, listener)?;
        let (fetched_files, fetched_bytes) = self.fetch(&client, &commit, missing, &mut digests, listener)?;
        self.check_whole(&commit)?;
        if newest {
            self.cache.set_commit(&commit)?;
        }
        let (record, newly_recorded) = self.settle(commit, digests)?;
        Ok(PullSummary { record, fetched_files, fetched_bytes, newly_recorded })
    }

    /// The files that are here and right, and those to fetch; what is here and wrong goes.
    fn sort(
        &self,
        commit: &str,
        names: Vec<String>,
        listener: Listener<'_>,
    ) -> Result<(BTreeMap<String, FileDigest>, Vec<String>)> {
        let (mut digests, mut missing) = (BTreeMap::new(), Vec::new());
        for name in names {
            match self.local(commit, &name, listener)? {
                Local::Good(digest) => drop(digests.insert(name, digest)),
                Local::Absent => missing.push(name),
                Local::Wrong { expected, found } => {
                    listener(Progress::Repairing { file: &name, expected: &expected, found: &found });
                    self.cache.discard(commit, &name)?;
                    missing.push(name);
                }
            }
        }
        Ok((digests, missing))
    }

    /// What is in the cache is recorded, or compared with the record.
    fn without_network(self, listener: Listener<'_>) -> Result<PullSummary> {
        let commit = match &self.record {
            Some(record) => Some(record.commit.clone()),
            None => self.cache.commit(),
        };
        let Some(commit) = commit else { return Err(self.not_here("copy".to_owned())) };
        self.check_whole(&commit)?;
        let names = match &self.record {
            Some(record) => record.files.keys().cloned().collect(),
            None => files::loaded_files(&self.cache.snapshot(&commit)),
        };
        let mut digests = BTreeMap::new();
        for name in names {
            match self.local(&commit, &name, listener)? {
                Local::Good(digest) => digests.insert(name, digest),
                Local::Absent => return Err(self.not_here(name)),
                Local::Wrong { expected: recorded, found } => {
                    let location = self.cache.location(Some(&name));
                    return Err(StoreError::Changed { location, recorded, found, on_hub: false });
                }
            };
        }
        let (record, newly_recorded) = self.settle(commit, digests)?;
        Ok(PullSummary { record, fetched_files: 0, fetched_bytes: 0, newly_recorded })
    }

    fn ask(&self, client: &Client, listener: Listener<'_>) -> Result<Listing> {
        listener(Progress::Listing { source: &self.wanted.source });
        with_retries(self.settings, listener, || client.listing())
    }

    /// A file that is here is right when it is as recorded, and as its blob's name states.
    fn local(&self, commit: &str, name: &str, listener: Listener<'_>) -> Result<Local> {
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
            Some(expected) if expected != sha256 => Ok(Local::Wrong { expected, found: sha256 }),
            _ => Ok(Local::Good(FileDigest { bytes, sha256 })),
        }
    }

    /// Fetches files and shows them in the snapshot; how many files and bytes came over the network.
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

    /// What the hub says of files; one that is known to differ from the record is refused before it is fetched.
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

    fn check_whole(&self, commit: &str) -> Result<()> {
        match files::first_missing(&self.cache.snapshot(commit)) {
            Some(missing) if self.settings.offline => Err(self.not_here(missing)),
            Some(missing) => Err(self.not_a_model(format!("it has no {missing}"))),
            None => Ok(()),
        }
    }

    /// The record as it was, or a new one.
    fn settle(self, commit: String, digests: BTreeMap<String, FileDigest>) -> Result<(Record, bool)> {
        if let Some(record) = self.record {
            return Ok((record, false));
        }
        let record = Record::new(self.wanted.source.clone(), commit, digests);
        record.write(&self.settings.records)?;
        Ok((record, true))
    }

    fn not_here(&self, missing: String) -> StoreError {
        let (model, cache) = (self.wanted.name.clone(), self.settings.cache.clone());
        StoreError::NotCached { model, cache, missing, offline: self.settings.offline }
    }

    fn not_a_model(&self, reason: String) -> StoreError {
        StoreError::NotAModel { model: self.wanted.source.to_string(), reason }
    }
}
