//! Scores that outlive the process: what the model said about pairs, in a folder that any number of
//! processes may share. A store that is not as it was written is never trusted: it is moved aside and begun
//! again, and a run goes on without it. Whatever the store's state, a pair's score is the same.

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

use self::database::{Database, Trouble};
use self::folder::{Folder, FolderLock};
use self::health::Health;
pub use self::health::Note;
pub use self::row::{Key, Scores};
use self::row::{Scope, plausible};
use self::writer::Writer;

/// A store up to this size is read whole when it is opened, in about a fifth of a second. Of a larger one
/// what is looked up is checked.
const MOST_READ_AT_OPENING: u64 = 16 << 20;

/// How long the writer waits for other processes' commits.
const MOST_WAIT_TO_WRITE: Duration = Duration::from_secs(20);

/// The store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ScoreCacheError {
    /// The system refuses.
    #[error("score cache: cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another program keeps it for itself.
    #[error("score cache: {} is in use by another program", .0.display())]
    InUse(PathBuf),
    /// It was written by a later version of this program.
    #[error("score cache: {} is of a newer version: use another folder, or that version", .0.display())]
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

/// A damaged store that was found when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAside {
    /// Where it is now.
    pub to: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for MovedAside {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "the score cache was damaged ({}): it is now {}, and a new one is begun",
            self.why,
            self.to.display()
        )
    }
}

/// Scores of one scope: of one model, dtype, device and arithmetic.
#[derive(Debug)]
pub struct ScoreCache {
    scope: Scope,
    health: Arc<Health>,
    reader: Option<Mutex<Database>>,
    writer: Option<Writer>,
    /// Given back last.
    _lock: FolderLock,
}

impl ScoreCache {
    /// Opens the store in `folder`, or begins one. `scope` digests all that scores depend on beside the
    /// pair; scopes may share a folder. A damaged store is moved aside, which is told.
    ///
    /// # Errors
    /// When the folder cannot be read and written, or holds a store of a newer version.
    pub fn open(folder: &Path, scope: &[u8; 32]) -> Result<(Self, Option<MovedAside>), ScoreCacheError> {
        Self::open_checking(folder, scope, MOST_READ_AT_OPENING)
    }

    fn open_checking(
        folder: &Path,
        scope: &[u8; 32],
        most_read: u64,
    ) -> Result<(Self, Option<MovedAside>), ScoreCacheError> {
        let folder = Folder::open(folder)?;
        let lock = FolderLock::open(&folder)?;
        let moved = if lock.alone()? { prepare(&folder, most_read)? } else { None };
        lock.share()?;
        let health = Arc::new(Health::good(folder.clone()));
        let (reader, writer) = match connect(&folder) {
            Ok((reader, database)) => {
                let writer = Writer::start(database, Arc::clone(&health));
                let path = folder.database();
                (Some(reader), Some(writer.map_err(|source| folder::failed("write", &path, source))?))
            }
            // Others still use it, so that it cannot be moved.
            Err(damage @ Trouble::Damaged(_)) => {
                health.reading_met(damage);
                (None, None)
            }
            Err(trouble) => return Err(refused(&folder, trouble)),
        };
        let reader = reader.map(Mutex::new);
        Ok((Self { scope: Scope::new(scope), health, reader, writer, _lock: lock }, moved))
    }

    /// What is known of pairs, in the keys' order. What was put lately may not be found yet.
    #[must_use]
    pub fn get_many(&self, keys: &[Key]) -> Vec<Option<Scores>> {
        let keys: Vec<_> = keys.iter().map(|key| self.scope.row_key(key)).collect();
        self.read(|database| database.get_many(&keys)).unwrap_or_else(|| vec![None; keys.len()])
    }

    /// Keeps what the model said, soon: this waits for no disk.
    pub fn put_many(&self, entries: &[(Key, Scores)]) {
        if let Some(writer) = self.writer.as_ref().filter(|_| self.health.writes()) {
            let entries = entries.iter().filter(|(_, scores)| plausible(scores));
            writer.put(entries.map(|(key, scores)| (self.scope.row_key(key), *scores)));
        }
    }

    /// Waits until all that was put is kept. Dropping the store does the same.
    pub fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.flush();
        }
    }

    /// Entries of all scopes, as far as known.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.read(Database::rows).unwrap_or(0)
    }

    /// What happened to the store since this was last asked.
    #[must_use]
    pub fn take_notes(&self) -> Vec<Note> {
        self.health.take_notes()
    }

    fn read<T>(&self, what: impl FnOnce(&Database) -> Result<T, Trouble>) -> Option<T> {
        let reader = self.reader.as_ref().filter(|_| self.health.reads())?;
        let found = what(&reader.lock().unwrap_or_else(PoisonError::into_inner));
        // Damage may have been found meanwhile.
        found.map_err(|trouble| self.health.reading_met(trouble)).ok().filter(|_| self.health.reads())
    }
}

/// Leaves a good store in the folder, which nobody else uses; moves a damaged one aside.
fn prepare(folder: &Folder, most_read: u64) -> Result<Option<MovedAside>, ScoreCacheError> {
    if !folder.database().exists() {
        folder.clear_mark()?;
    }
    let found =
        folder.known_damage().map_or_else(|| examine(folder, most_read), |why| Err(Trouble::Damaged(why)));
    let why = match found {
        Ok(()) => return Ok(None),
        Err(Trouble::Damaged(why)) => why,
        Err(other) => return Err(refused(folder, other)),
    };
    let moved = folder.move_aside(why)?;
    examine(folder, most_read).map_err(|trouble| refused(folder, trouble))?;
    Ok(Some(moved))
}

/// Whether the store is good, as far as it is read; begins one where there is none.
fn examine(folder: &Folder, most_read: u64) -> Result<(), Trouble> {
    let path = folder.database();
    let database = Database::create(&path)?;
    let bytes = path.metadata().map_or(0, |file| file.len());
    if bytes <= most_read { database.check() } else { Ok(()) }
}

fn connect(folder: &Folder) -> Result<(Database, Database), Trouble> {
    if let Some(why) = folder.known_damage() {
        return Err(Trouble::Damaged(why));
    }
    let path = folder.database();
    Ok((Database::open(&path)?, Database::open(&path)?.waiting(MOST_WAIT_TO_WRITE)?))
}

fn refused(folder: &Folder, trouble: Trouble) -> ScoreCacheError {
    let path = folder.database();
    match trouble {
        Trouble::Busy => ScoreCacheError::InUse(path),
        Trouble::Full => ScoreCacheError::Refused { path, reason: "the disk is full".to_owned() },
        Trouble::Damaged(reason) | Trouble::Failed(reason) => ScoreCacheError::Refused { path, reason },
    }
}
