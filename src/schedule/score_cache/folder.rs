//! The cache's folder: its files' names, who uses it, and how a damaged store leaves it. Only a process
//! that has the folder to itself moves anything; no scores are ever deleted.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{MovedAside, ScoreCacheError};

/// Of rows and tables. It stands in the file's name, where no damage to the file can change it.
const LAYOUT: u32 = 1;

/// Longest reason that is read back.
const MOST_REASON_CHARACTERS: usize = 300;

/// A cache's folder.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folder, which is made where there is none.
    pub(super) fn open(path: &Path) -> Result<Self, ScoreCacheError> {
        fs::create_dir_all(path).map_err(|source| failed("make the folder", path, source))?;
        let folder = Self(path.to_owned());
        match folder.newer()? {
            Some(newer) => Err(ScoreCacheError::Newer(newer)),
            None => Ok(folder),
        }
    }

    pub(super) fn database(&self) -> PathBuf {
        self.0.join(format!("scores-{LAYOUT}.sqlite"))
    }

    /// A store of a later layout.
    fn newer(&self) -> Result<Option<PathBuf>, ScoreCacheError> {
        let entries = fs::read_dir(&self.0).map_err(|source| failed("read the folder", &self.0, source))?;
        let layout = |path: &Path| -> Option<u32> {
            path.file_name()?.to_str()?.strip_prefix("scores-")?.strip_suffix(".sqlite")?.parse().ok()
        };
        let newer = entries.flatten().map(|entry| entry.path());
        Ok(newer.filter(|path| layout(path).is_some_and(|layout| layout > LAYOUT)).min())
    }

    /// Notes that the store is damaged, for whoever opens it next.
    pub(super) fn mark_damaged(&self, why: &str) {
        // Where this fails the damage is found again.
        let _ = fs::write(self.mark(), why);
    }

    /// Why the store is known to be damaged.
    pub(super) fn known_damage(&self) -> Option<String> {
        let why = fs::read(self.mark()).ok()?;
        Some(String::from_utf8_lossy(&why).chars().take(MOST_REASON_CHARACTERS).collect())
    }

    fn mark(&self) -> PathBuf {
        self.0.join("damaged")
    }

    /// Gives the damaged store another name. The caller has the folder to itself.
    pub(super) fn move_aside(&self, why: String) -> Result<MovedAside, ScoreCacheError> {
        let free = |path: &PathBuf| !path.exists() && !log_of(path).exists();
        let to = (1..)
            .map(|number| self.0.join(format!("scores-{LAYOUT}.damaged-{number}.sqlite")))
            .find(free)
            .expect("some number is free");
        let from = self.database();
        // The log goes first: one that stayed behind could be taken for the new store's.
        for (from, to) in [(log_of(&from), log_of(&to)), (from.clone(), to.clone())] {
            if from.exists() {
                fs::rename(&from, &to).map_err(|source| failed("move aside", &from, source))?;
            }
        }
        remove(&beside(&from, "-shm"))?;
        self.clear_mark()?;
        Ok(MovedAside { to, why })
    }

    /// Forgets what was noted of a store that is not there any more.
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

/// Who uses the folder: any number of processes, or one that has it to itself.
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

    /// Whether the folder is this process's alone, until it is shared.
    pub(super) fn alone(&self) -> Result<bool, ScoreCacheError> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => Err(failed("lock", &self.path, source)),
        }
    }

    /// One of the folder's users from now on. Waits for one who has it alone: for the time of an opening.
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
