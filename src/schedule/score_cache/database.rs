//! The table of scores in an SQLite file, and which of SQLite's errors mean that the file is damaged.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};

use super::row::{RowKey, RowValue, Scores, decode, encode};

/// How long a connection waits for another process's commit by default.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(2);

/// Settings of every connection. The log is merged into the file every 64 MiB, and no commit waits for the disk before
/// that: a killed process loses none of its commits, a machine that fails loses the latest.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 16384; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -32768;
    PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;";

/// `total` has the number of rows, since counting them would read the whole file.
const LAYOUT: &str = "BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS total (rows INTEGER NOT NULL);
    INSERT INTO total SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM total);
    COMMIT;";

/// Why an operation of the database failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DatabaseError {
    /// Its content is not as it was written.
    Damaged(String),
    /// The disk is full.
    Full,
    /// Another process held it longer than the timeout.
    Busy,
    /// Anything else that is not the file's fault.
    Failed(String),
}

impl From<Error> for DatabaseError {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error.sqlite_error_code() {
            None if matches!(error, Error::InvalidPath(_) | Error::NulError(_)) => Self::Failed(message),
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            // The statements never change: one that SQLite cannot prepare means that the tables are not ours.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) | None => {
                Self::Damaged(message)
            }
            Some(_) => Self::Failed(message),
        }
    }
}

/// A connection to the file.
#[derive(Debug)]
pub(super) struct Database(Connection);

impl Database {
    /// Connects to a file, and creates it where there is none.
    pub(super) fn create(path: &Path) -> Result<Self, DatabaseError> {
        let database = Self::connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        match database.0.execute_batch(LAYOUT) {
            // The system permits writing, so it is the file's header that forbids it.
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::ReadOnly)
                    && OpenOptions::new().append(true).open(path).is_ok() =>
            {
                Err(DatabaseError::Damaged(error.to_string()))
            }
            created => created.map(|()| database).map_err(DatabaseError::from),
        }
    }

    /// Connects to a file that exists.
    pub(super) fn open(path: &Path) -> Result<Self, DatabaseError> {
        Self::connect(path, OpenFlags::empty())
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, DatabaseError> {
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(DEFAULT_TIMEOUT)?;
        connection.execute_batch(SETTINGS)?;
        Ok(Self(connection))
    }

    /// The connection with another timeout.
    pub(super) fn with_timeout(self, timeout: Duration) -> Result<Self, DatabaseError> {
        self.0.busy_timeout(timeout)?;
        Ok(self)
    }

    /// The scores of the keys, in their order. One damaged row is an error for all.
    pub(super) fn get_many(&self, keys: &[RowKey]) -> Result<Vec<Option<Scores>>, DatabaseError> {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by_key(|&index| keys[index]);
        let mut found = vec![None; keys.len()];
        let snapshot = self.0.unchecked_transaction()?;
        let mut select = snapshot.prepare("SELECT value FROM scores WHERE key = ?")?;
        for index in order {
            let mut rows = select.query([&keys[index][..]])?;
            if let Some(row) = rows.next()? {
                found[index] = Some(checked(&keys[index], row.get_ref(0)?.as_blob().unwrap_or_default())?);
            }
        }
        Ok(found)
    }

    /// Adds rows, all or none of them. Existing rows stay.
    pub(super) fn put_many(&mut self, rows: &[(RowKey, Scores)]) -> Result<(), DatabaseError> {
        let mut rows: Vec<(RowKey, RowValue)> =
            rows.iter().map(|(key, scores)| (*key, encode(key, scores))).collect();
        rows.sort_unstable();
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut added = 0_i64;
        let mut insert = transaction.prepare("INSERT OR IGNORE INTO scores VALUES (?, ?)")?;
        for (key, value) in &rows {
            added += i64::from(insert.execute([&key[..], &value[..]])? > 0);
        }
        drop(insert);
        transaction.execute("UPDATE total SET rows = rows + ?", [added])?;
        Ok(transaction.commit()?)
    }

    /// Limits the file to this many pages.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, pages: u32) {
        self.0.execute_batch(&format!("PRAGMA max_page_count = {pages}")).expect("a setting");
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> Result<u64, DatabaseError> {
        let rows: i64 = self.0.query_row("SELECT rows FROM total", (), |row| row.get(0))?;
        u64::try_from(rows).map_err(|_| DatabaseError::Damaged("its number of rows is negative".to_owned()))
    }

    /// Checks every row.
    pub(super) fn check(&self) -> Result<(), DatabaseError> {
        let mut select = self.0.prepare("SELECT key, value FROM scores ORDER BY key")?;
        let mut rows = select.query(())?;
        let (mut count, mut last) = (0, Vec::new());
        while let Some(row) = rows.next()? {
            let key = row.get_ref(0)?.as_blob().unwrap_or_default();
            checked(key, row.get_ref(1)?.as_blob().unwrap_or_default())?;
            if key <= &last[..] {
                return Err(DatabaseError::Damaged("its keys are out of order".to_owned()));
            }
            last.clear();
            last.extend_from_slice(key);
            count += 1;
        }
        if count == self.rows()? {
            Ok(())
        } else {
            Err(DatabaseError::Damaged("rows are missing".to_owned()))
        }
    }
}

fn checked(key: &[u8], value: &[u8]) -> Result<Scores, DatabaseError> {
    decode(key, value).ok_or_else(|| DatabaseError::Damaged("a score fails its check".to_owned()))
}
