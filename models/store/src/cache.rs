//! One repository in the cache that Hugging Face's tools share: `blobs/` holds file contents named by ETag,
//! `snapshots/COMMIT/` links file names to blobs, and `refs/` holds the commit at which a branch was last seen.
//!
//! The crate hf-hub names the folders. Its transfer is not used: 0.5 publishes what a server sends without checking its
//! digest, waits forever for a silent server and sends the token to the redirect target (`tests/it/hf_hub.rs` shows each
//! fault, so that a version without them can take over); it gives up on a lock after five seconds and drops the header
//! that distinguishes a gated repository from an unknown one. Version 1.0 cannot resume, and brings 300 crates.
//! `client.rs` (on ureq, hf-hub 0.5's own HTTP client) and `transfer.rs` do the work.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use hf_hub::{Cache, CacheRepo};

use crate::error::{Location, Result, StoreError};
use crate::hub_id::{Source, is_commit, is_sha256};

/// A repository's part of the cache.
pub(crate) struct RepositoryCache {
    source: Source,
    layout: CacheRepo,
    folder: PathBuf,
    locks: PathBuf,
}

impl RepositoryCache {
    pub(crate) fn new(cache: &Path, source: &Source) -> Self {
        let repository = source.on_hub();
        let name = repository.folder_name();
        Self {
            source: source.clone(),
            layout: Cache::new(cache.to_owned()).repo(repository),
            folder: cache.join(&name),
            locks: cache.join(".locks").join(&name),
        }
    }

    pub(crate) fn snapshot(&self, commit: &str) -> PathBuf {
        self.layout.pointer_path(commit)
    }

    pub(crate) fn blob(&self, etag: &str) -> PathBuf {
        self.folder.join("blobs").join(etag)
    }

    /// The partial file of a download, named as Hugging Face's tools name it.
    pub(crate) fn partial(&self, etag: &str) -> PathBuf {
        self.folder.join("blobs").join(format!("{etag}.incomplete"))
    }

    /// The commit at which the revision was last seen; if the revision is a commit, that commit.
    pub(crate) fn commit(&self) -> Option<String> {
        let named = fs::read_to_string(self.reference()).ok();
        let commit = named.map_or_else(|| self.source.revision.to_string(), |text| text.trim().to_owned());
        is_commit(&commit).then_some(commit)
    }

    /// Stores the revision's current commit.
    pub(crate) fn set_commit(&self, commit: &str) -> Result<()> {
        if self.commit().as_deref() == Some(commit) {
            return Ok(());
        }
        let path = self.reference();
        write_atomically(&path, commit.as_bytes()).map_err(|error| {
            StoreError::file(&self.location(None), "write", &path, commit.len() as u64, error)
        })
    }

    fn reference(&self) -> PathBuf {
        self.folder.join("refs").join(self.source.revision.as_str())
    }

    /// Links a blob into the snapshot under a file name.
    pub(crate) fn link(&self, commit: &str, file: &str, etag: &str) -> Result<()> {
        let path = self.snapshot(commit).join(file);
        let failed = |error| StoreError::file(&self.location(Some(file)), "link", &path, 0, error);
        fs::create_dir_all(self.snapshot(commit)).map_err(failed)?;
        let temporary = temporary_path(&path);
        let made =
            link_or_copy(&self.blob(etag), etag, &temporary).and_then(|()| fs::rename(&temporary, &path));
        made.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            failed(error)
        })
    }

    /// Removes a file's link and its blob.
    pub(crate) fn discard(&self, commit: &str, file: &str) -> Result<()> {
        let path = self.snapshot(commit).join(file);
        let blob = self.blob_behind(&path);
        for path in blob.iter().chain([&path]) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::file(&self.location(Some(file)), "remove", path, 0, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The SHA-256 in the name of a file's blob, which files in large-file storage have.
    pub(crate) fn digest_in_blob_name(&self, commit: &str, file: &str) -> Option<String> {
        let blob = self.blob_behind(&self.snapshot(commit).join(file))?;
        let name = blob.file_name()?.to_str()?.to_owned();
        is_sha256(&name).then_some(name)
    }

    fn blob_behind(&self, link: &Path) -> Option<PathBuf> {
        let target = fs::read_link(link).ok()?;
        Some(self.folder.join("blobs").join(target.file_name()?))
    }

    /// Locks a blob against other threads and programs; calls `on_wait` once if it has to wait.
    pub(crate) fn lock(&self, etag: &str, file: &str, on_wait: &mut dyn FnMut()) -> Result<Lock> {
        let path = self.locks.join(format!("{etag}.lock"));
        let failed = |error| StoreError::file(&self.location(Some(file)), "lock", &path, 0, error);
        fs::create_dir_all(&self.locks).map_err(failed)?;
        let opened = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match opened.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                on_wait();
                opened.lock().map_err(failed)?;
            }
            // Some network file systems have no locks; the digest check still catches a mixed file.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Lock { _file: opened })
    }

    pub(crate) fn location(&self, file: Option<&str>) -> Location {
        self.source.location(file)
    }
}

/// A file lock, held until it is dropped; the system releases it when the process ends.
pub(crate) struct Lock {
    _file: File,
}

#[cfg(unix)]
fn link_or_copy(blob: &Path, etag: &str, temporary: &Path) -> io::Result<()> {
    // Relative to snapshots/COMMIT.
    std::os::unix::fs::symlink(Path::new("../../blobs").join(etag), temporary)
        .or_else(|_| fs::hard_link(blob, temporary))
        .or_else(|_| fs::copy(blob, temporary).map(drop))
}

#[cfg(not(unix))]
fn link_or_copy(blob: &Path, _etag: &str, temporary: &Path) -> io::Result<()> {
    fs::hard_link(blob, temporary).or_else(|_| fs::copy(blob, temporary).map(drop))
}

/// Writes a file atomically: on failure the old content is kept.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = temporary_path(path);
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

/// An unused path in the same folder.
fn temporary_path(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{count}.new", process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    fn cache(root: &Path, source: &str) -> RepositoryCache {
        RepositoryCache::new(root, &Source::parse(source).unwrap())
    }

    #[test]
    fn references_are_read_and_written_as_hugging_face_does() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(cache(root.path(), "owner/name").commit(), None);
        assert_eq!(cache(root.path(), &format!("owner/name@{COMMIT}")).commit().as_deref(), Some(COMMIT));
        let cache = cache(root.path(), "owner/name@refs/pr/1");
        cache.set_commit(COMMIT).unwrap();
        let written = root.path().join("models--owner--name/refs/refs/pr/1");
        assert_eq!(fs::read_to_string(written).unwrap(), COMMIT);
        assert_eq!(cache.commit().as_deref(), Some(COMMIT));
    }

    #[test]
    fn reference_outside_the_cache_is_ignored() {
        let root = tempfile::tempdir().unwrap();
        write_atomically(&root.path().join("models--owner--name/refs/main"), b"../../../etc").unwrap();
        assert_eq!(cache(root.path(), "owner/name").commit(), None);
    }

    #[test]
    fn discard_removes_link_and_blob_but_nothing_outside_the_cache() {
        let root = tempfile::tempdir().unwrap();
        let cache = cache(root.path(), "owner/name");
        write_atomically(&cache.blob("abc"), b"text").unwrap();
        cache.link(COMMIT, "config.json", "abc").unwrap();
        assert_eq!(fs::read(cache.snapshot(COMMIT).join("config.json")).unwrap(), b"text");
        cache.discard(COMMIT, "config.json").unwrap();
        assert!(!cache.blob("abc").exists() && !cache.snapshot(COMMIT).join("config.json").exists());
        let precious = root.path().join("precious");
        fs::write(&precious, "x").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&precious, cache.snapshot(COMMIT).join("config.json")).unwrap();
        cache.discard(COMMIT, "config.json").unwrap();
        assert!(precious.exists());
    }
}
