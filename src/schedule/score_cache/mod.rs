//! The score cache: the model's outputs for pairs, kept between runs in a folder that any number of processes may share. A
//! damaged cache is never trusted: it is moved aside and a new one is started, or the run continues without it. Whatever
//! the cache's state, a pair's score is the same.

mod database;
mod folder;
mod health;
mod row;
mod writer;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use self::database::{Database, DatabaseError};
use self::folder::{Folder, FolderLock};
use self::health::Health;
pub use self::health::Note;
pub use self::row::{Key, Scores};
use self::row::{Scope, plausible};
use self::writer::Writer;

/// A cache up to this size is checked whole when it is opened, in about a fifth of a second; a larger one is checked row by
/// row as rows are read.
const MAX_CHECKED_BYTES: u64 = 16 << 20;

/// How long the writer waits for other processes' commits.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// The cache cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ScoreCacheError {
    /// A file operation failed.
    #[error("score cache: cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another program has locked it.
    #[error("score cache: {} is in use by another program", .0.display())]
    InUse(PathBuf),
    /// It was written by a later version of this program.
    #[error("score cache: {} was written by a newer version: use another folder, or that version", .0.display())]
    Newer(PathBuf),
    /// The database cannot be used, though it is not damaged.
    #[error("score cache: cannot use {}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

/// A damaged cache that was found at opening and moved aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAside {
    /// Its new path.
    pub to: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for MovedAside {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "the score cache was damaged ({}): it was moved to {}, and a new one is started",
            self.why,
            self.to.display()
        )
    }
}

/// The scores of one scope: of one model, dtype, device and arithmetic.
#[derive(Debug)]
pub struct ScoreCache {
    scope: Scope,
    health: Arc<Health>,
    reader: Option<Mutex<Database>>,
    writer: Option<Writer>,
    /// Released last.
    _lock: FolderLock,
}

impl ScoreCache {
    /// Opens the cache in `folder`, or starts one. `scope` is a digest of everything except the pair that scores depend
    /// on; scopes may share a folder. A damaged cache is moved aside, and returned as [`MovedAside`].
    ///
    /// # Errors
    /// When the folder cannot be read and written, or has a cache of a newer version.
    pub fn open(folder: &Path, scope: &[u8; 32]) -> Result<(Self, Option<MovedAside>), ScoreCacheError> {
        Self::open_checking(folder, scope, MAX_CHECKED_BYTES)
    }

    fn open_checking(
        folder: &Path,
        scope: &[u8; 32],
        checked_bytes: u64,
    ) -> Result<(Self, Option<MovedAside>), ScoreCacheError> {
        let folder = Folder::open(folder)?;
        let lock = FolderLock::open(&folder)?;
        let moved = if lock.try_alone()? { prepare(&folder, checked_bytes)? } else { None };
        lock.share()?;
        let health = Arc::new(Health::sound(folder.clone()));
        let (reader, writer) = match connect(&folder) {
            Ok((reader, database)) => {
                let writer = Writer::start(database, Arc::clone(&health));
                let path = folder.database();
                (Some(reader), Some(writer.map_err(|source| folder::failed("write", &path, source))?))
            }
            // Others still use it, so it cannot be moved.
            Err(damage @ DatabaseError::Damaged(_)) => {
                health.read_failed(damage);
                (None, None)
            }
            Err(error) => return Err(refused(&folder, error)),
        };
        let reader = reader.map(Mutex::new);
        Ok((Self { scope: Scope::new(scope), health, reader, writer, _lock: lock }, moved))
    }

    /// The scores of pairs, in the keys' order. Scores that were put lately may not be found yet.
    #[must_use]
    pub fn get_many(&self, keys: &[Key]) -> Vec<Option<Scores>> {
        let keys: Vec<_> = keys.iter().map(|key| self.scope.row_key(key)).collect();
        self.read(|database| database.get_many(&keys)).unwrap_or_else(|| vec![None; keys.len()])
    }

    /// Queues scores to be written; this does not wait for the disk.
    pub fn put_many(&self, entries: &[(Key, Scores)]) {
        if let Some(writer) = self.writer.as_ref().filter(|_| self.health.writes()) {
            let entries = entries.iter().filter(|(_, scores)| plausible(scores));
            writer.put(entries.map(|(key, scores)| (self.scope.row_key(key), *scores)));
        }
    }

    /// Waits until everything that was put is written. Dropping the cache does the same.
    pub fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush();
        }
    }

    /// Number of entries of all scopes; 0 if the cache cannot be read.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.read(Database::rows).unwrap_or(0)
    }

    /// The notes since the last call.
    #[must_use]
    pub fn take_notes(&self) -> Vec<Note> {
        self.health.take_notes()
    }

    fn read<T>(&self, what: impl FnOnce(&Database) -> Result<T, DatabaseError>) -> Option<T> {
        let reader = self.reader.as_ref().filter(|_| self.health.reads())?;
        let found = what(&reader.lock().unwrap_or_else(PoisonError::into_inner));
        // Another thread may have found damage meanwhile.
        found.map_err(|error| self.health.read_failed(error)).ok().filter(|_| self.health.reads())
    }
}

/// Makes sure that the folder, which no other process uses, has a sound cache; moves a damaged one aside.
fn prepare(folder: &Folder, checked_bytes: u64) -> Result<Option<MovedAside>, ScoreCacheError> {
    if !folder.database().exists() {
        folder.clear_mark()?;
    }
    let found = folder
        .known_damage()
        .map_or_else(|| examine(folder, checked_bytes), |why| Err(DatabaseError::Damaged(why)));
    let why = match found {
        Ok(()) => return Ok(None),
        Err(DatabaseError::Damaged(why)) => why,
        Err(other) => return Err(refused(folder, other)),
    };
    let moved = folder.move_aside(why)?;
    examine(folder, checked_bytes).map_err(|error| refused(folder, error))?;
    Ok(Some(moved))
}

/// Checks the cache, whole if it has at most `checked_bytes`; starts one where there is none.
fn examine(folder: &Folder, checked_bytes: u64) -> Result<(), DatabaseError> {
    let path = folder.database();
    let database = Database::create(&path)?;
    let bytes = path.metadata().map_or(0, |file| file.len());
    if bytes <= checked_bytes { database.check() } else { Ok(()) }
}

fn connect(folder: &Folder) -> Result<(Database, Database), DatabaseError> {
    if let Some(why) = folder.known_damage() {
        return Err(DatabaseError::Damaged(why));
    }
    let path = folder.database();
    Ok((Database::open(&path)?, Database::open(&path)?.with_timeout(WRITE_TIMEOUT)?))
}

fn refused(folder: &Folder, error: DatabaseError) -> ScoreCacheError {
    let path = folder.database();
    match error {
        DatabaseError::Busy => ScoreCacheError::InUse(path),
        DatabaseError::Full => ScoreCacheError::Refused { path, reason: "the disk is full".to_owned() },
        DatabaseError::Damaged(reason) | DatabaseError::Failed(reason) => {
            ScoreCacheError::Refused { path, reason }
        }
    }
}
