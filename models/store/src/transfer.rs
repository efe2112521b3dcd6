//! Downloads one file into the cache. The partial file has its own name, resumes where an earlier pull was
//! interrupted, and is renamed once it has the size and digest that the hub states. Only files with a stated SHA-256
//! resume; the others, which are small, start again.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use crate::cache::RepositoryCache;
use crate::client::{Client, Content, Remote};
use crate::digest::{self, Hasher};
use crate::error::{Location, Result, StoreError};
use crate::progress::{Listener, Progress};
use crate::record::FileDigest;
use crate::retry::{Failure, back_off};
use crate::settings::HubSettings;

const READ_BYTES: usize = 1 << 17;

/// A file to fetch.
pub(crate) struct Transfer<'a> {
    pub(crate) client: &'a Client,
    pub(crate) cache: &'a RepositoryCache,
    pub(crate) settings: &'a HubSettings,
    pub(crate) commit: &'a str,
    pub(crate) file: &'a str,
    pub(crate) remote: &'a Remote,
}

/// The result of a transfer.
pub(crate) struct Fetched {
    pub(crate) digest: FileDigest,
    /// Bytes downloaded.
    pub(crate) bytes: u64,
}

impl Transfer<'_> {
    /// Downloads the content into the cache, unless it is already there.
    pub(crate) fn run(&self, listener: Listener<'_>) -> Result<Fetched> {
        if let Some(digest) = self.cached(listener) {
            return Ok(Fetched { digest, bytes: 0 });
        }
        let lock = self.cache.lock(&self.remote.etag, self.file, &mut || {
            listener(Progress::Busy { file: self.file });
        })?;
        // The previous holder of the lock may have fetched it.
        if let Some(digest) = self.cached(listener) {
            return Ok(Fetched { digest, bytes: 0 });
        }
        let mut part = PartialFile::open(self)?;
        let sha256 = self.complete(&mut part, listener)?;
        let fetched = part.fetched;
        part.publish(self)?;
        drop(lock);
        Ok(Fetched { digest: FileDigest { bytes: self.remote.size, sha256 }, bytes: fetched })
    }

    /// The content's digest, if it is in the cache with the stated size and digest.
    fn cached(&self, listener: Listener<'_>) -> Option<FileDigest> {
        let blob = self.cache.blob(&self.remote.etag);
        if fs::metadata(&blob).ok()?.len() != self.remote.size {
            return None;
        }
        listener(Progress::Checking { file: self.file });
        let (bytes, sha256) = digest::of_file(&blob).ok()?;
        let as_stated = self.remote.sha256().is_none_or(|stated| stated == sha256);
        as_stated.then_some(FileDigest { bytes, sha256 })
    }

    /// Downloads until the file is complete and correct. Returns its digest.
    fn complete(&self, part: &mut PartialFile, listener: Listener<'_>) -> Result<String> {
        loop {
            self.fill(part, listener)?;
            let found = part.hasher.clone().into_hex();
            match self.remote.sha256() {
                Some(stated) if stated != found => {
                    let inherited = part.inherited;
                    part.restart(self)?;
                    // Bytes of an earlier pull may be wrong: try once more from the first byte.
                    if !inherited {
                        let _ = fs::remove_file(&part.path);
                        let (location, stated) = (self.location(), stated.to_owned());
                        return Err(StoreError::WrongContent { location, stated, found });
                    }
                }
                _ => return Ok(found),
            }
        }
    }

    fn fill(&self, part: &mut PartialFile, listener: Listener<'_>) -> Result<()> {
        let mut failures = 0;
        while part.have < self.remote.size {
            let before = part.have;
            let Err(failure) = self.attempt(part, listener) else { continue };
            if self.is_resumable() && part.have > before {
                failures = 0;
            }
            back_off(self.settings, failures, failure, listener)?;
            failures += 1;
        }
        Ok(())
    }

    /// Makes one request, from the end of the partial file on.
    fn attempt(&self, part: &mut PartialFile, listener: Listener<'_>) -> std::result::Result<(), Failure> {
        if !self.is_resumable() && part.have > 0 {
            part.restart(self)?;
        }
        listener(Progress::Bytes { file: self.file, have: part.have, size: self.remote.size });
        match self.client.content(self.file, self.commit, part.have)? {
            Content::From(start, body) => {
                if start != part.have {
                    part.restart(self)?;
                }
                self.copy(body, part, listener)
            }
            Content::OutOfRange => {
                part.restart(self)?;
                Err(Failure::transient(
                    self.interrupted(part, "the hub has no bytes at this offset".to_owned()),
                ))
            }
        }
    }

    fn copy(
        &self,
        mut body: Box<dyn Read>,
        part: &mut PartialFile,
        listener: Listener<'_>,
    ) -> std::result::Result<(), Failure> {
        let mut buffer = vec![0; READ_BYTES];
        while part.have < self.remote.size {
            let count = match body.read(&mut buffer) {
                Ok(0) => return Err(self.interruption(part, "the connection ended".to_owned())),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.interruption(part, error.to_string())),
            };
            // Bytes beyond the stated size are dropped; the digest decides whether the file is right.
            let remaining = usize::try_from(self.remote.size - part.have).unwrap_or(usize::MAX);
            part.append(&buffer[..count.min(remaining)], self)?;
            listener(Progress::Bytes { file: self.file, have: part.have, size: self.remote.size });
        }
        Ok(())
    }

    fn interruption(&self, part: &PartialFile, reason: String) -> Failure {
        Failure::transient(self.interrupted(part, reason))
    }

    fn interrupted(&self, part: &PartialFile, reason: String) -> StoreError {
        let (have, size, kept) = (part.have, self.remote.size, self.is_resumable());
        StoreError::Interrupted { location: self.location(), have, size, reason, kept }
    }

    fn is_resumable(&self) -> bool {
        self.remote.sha256().is_some()
    }

    fn location(&self) -> Location {
        self.cache.location(Some(self.file))
    }
}

/// An incomplete download.
struct PartialFile {
    file: File,
    path: PathBuf,
    have: u64,
    hasher: Hasher,
    fetched: u64,
    /// Whether its first bytes come from an earlier pull.
    inherited: bool,
}

impl PartialFile {
    fn open(transfer: &Transfer<'_>) -> Result<Self> {
        let path = transfer.cache.partial(&transfer.remote.etag);
        let size = transfer.remote.size;
        let failed = |error| StoreError::file(&transfer.location(), "open", &path, size, error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(failed)?;
        let have = file.metadata().map_err(failed)?.len();
        let mut part = Self { file, path, have, hasher: Hasher::default(), fetched: 0, inherited: have > 0 };
        if have > size || (have > 0 && !transfer.is_resumable()) {
            part.restart(transfer)?;
        } else if have > 0 {
            let read = digest::add_all(&mut part.hasher, (&part.file).take(have));
            read.map_err(|error| StoreError::file(&transfer.location(), "read", &part.path, size, error))?;
        }
        Ok(part)
    }

    fn append(&mut self, bytes: &[u8], transfer: &Transfer<'_>) -> Result<()> {
        let needed = transfer.remote.size - self.have;
        self.file
            .write_all(bytes)
            .map_err(|error| StoreError::file(&transfer.location(), "write", &self.path, needed, error))?;
        self.hasher.update(bytes);
        self.have += bytes.len() as u64;
        self.fetched += bytes.len() as u64;
        Ok(())
    }

    fn restart(&mut self, transfer: &Transfer<'_>) -> Result<()> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        let size = transfer.remote.size;
        emptied.map_err(|error| StoreError::file(&transfer.location(), "empty", &self.path, size, error))?;
        (self.have, self.hasher, self.inherited) = (0, Hasher::default(), false);
        Ok(())
    }

    /// Syncs the file to disk, then renames it to its final name.
    fn publish(self, transfer: &Transfer<'_>) -> Result<()> {
        let failed = |action| {
            let (location, path) = (transfer.location(), self.path.clone());
            move |error| StoreError::file(&location, action, &path, 0, error)
        };
        self.file.sync_all().map_err(failed("write"))?;
        let rename_failed = failed("rename");
        drop(self.file);
        fs::rename(&self.path, transfer.cache.blob(&transfer.remote.etag)).map_err(rename_failed)
    }
}
