//! The cache's folder: the names of its files, the lock of the processes that use it, and how a damaged cache is moved
//! aside. Only a process that has the folder to itself moves files; no scores are ever deleted.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{MovedAside, ScoreCacheError};

/// The version of rows and tables. It is in the file's name, which damage to the file cannot change.
const LAYOUT: u32 = 1;

/// Longest description of damage that is read back.
const MAX_DAMAGE_CHARACTERS: usize = 300;

/// A cache's folder.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, and creates it where there is none.
    pub(super) fn open(path: &Path) -> Result<Self, ScoreCacheError> {
        fs::create_dir_all(path).map_err(|source| failed("create the folder", path, source))?;
        let folder = Self(path.to_owned());
        match folder.newer()? {
            Some(newer) => Err(ScoreCacheError::Newer(newer)),
            None => Ok(folder),
        }
    }

    pub(super) fn database(&self) -> PathBuf {
        self.0.join(format!("scores-{LAYOUT}.sqlite"))
    }

    /// A cache of a newer layout.
    fn newer(&self) -> Result<Option<PathBuf>, ScoreCacheError> {
        let entries = fs::read_dir(&self.0).map_err(|source| failed("read the folder", &self.0, source))?;
        let layout = |path: &Path| -> Option<u32> {
            path.file_name()?.to_str()?.strip_prefix("scores-")?.strip_suffix(".sqlite")?.parse().ok()
        };
        let newer = entries.flatten().map(|entry| entry.path());
        Ok(newer.filter(|path| layout(path).is_some_and(|layout| layout > LAYOUT)).min())
    }

    /// Marks the cache as damaged, for the process that opens it next.
    pub(super) fn mark_damaged(&self, why: &str) {
        // If this fails, the damage is found again.
        let _ = fs::write(self.mark(), why);
    }

    /// What the mark says, if the cache is marked as damaged.
    pub(super) fn known_damage(&self) -> Option<String> {
        let why = fs::read(self.mark()).ok()?;
        Some(String::from_utf8_lossy(&why).chars().take(MAX_DAMAGE_CHARACTERS).collect())
    }

    fn mark(&self) -> PathBuf {
        self.0.join("damaged")
    }

    /// Renames the damaged cache. The caller has the folder to itself.
    pub(super) fn move_aside(&self, why: String) -> Result<MovedAside, ScoreCacheError> {
        let free = |path: &PathBuf| !path.exists() && !log_of(path).exists();
        let to = (1..)
            .map(|number| self.0.join(format!("scores-{LAYOUT}.damaged-{number}.sqlite")))
            .find(free)
            .expect("some number is free");
        let from = self.database();
        // The log is moved first: one that stayed behind could be taken for the new cache's log.
        for (from, to) in [(log_of(&from), log_of(&to)), (from.clone(), to.clone())] {
            if from.exists() {
                fs::rename(&from, &to).map_err(|source| failed("move aside", &from, source))?;
            }
        }
        remove(&beside(&from, "-shm"))?;
        self.clear_mark()?;
        Ok(MovedAside { to, why })
    }

    /// Removes the mark of a cache that is gone.
    pub(super) fn clear_mark(&self) -> Result<(), ScoreCacheError> {
        remove(&self.mark())
    }
}

fn remove(path: &Path) -> Result<(), ScoreCacheError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed("remove", path, source)),
        _ => Ok(()),
    }
}

/// The lock of the folder: shared by any number of processes, or held by one alone.
#[derive(Debug)]
pub(super) struct FolderLock {
    file: File,
    path: PathBuf,
}

impl FolderLock {
    pub(super) fn open(folder: &Folder) -> Result<Self, ScoreCacheError> {
        let path = folder.0.join("lock");
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        Ok(Self { file: file.map_err(|source| failed("open", &path, source))?, path })
    }

    /// Tries to get the folder for this process alone, until [`FolderLock::share`].
    pub(super) fn try_alone(&self) -> Result<bool, ScoreCacheError> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => Err(failed("lock", &self.path, source)),
        }
    }

    /// Shares the folder from now on. Waits while another process has it alone, which it has while opening the cache.
    pub(super) fn share(&self) -> Result<(), ScoreCacheError> {
        let shared = self.file.unlock().and_then(|()| self.file.lock_shared());
        shared.map_err(|source| failed("lock", &self.path, source))
    }
}

pub(super) fn failed(what: &'static str, path: &Path, source: io::Error) -> ScoreCacheError {
    ScoreCacheError::Io { what, path: path.to_owned(), source }
}

/// The write-ahead log of a database.
fn log_of(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
