//! The table of scores in an SQLite file. Knows which of its errors mean damage; decides nothing about it.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};

use super::row::{RowKey, RowValue, Scores, decode, encode};

/// How long to wait for another process's commit, unless told otherwise.
const MOST_WAIT: Duration = Duration::from_secs(2);

/// For every connection. The log is folded into the file each 64 MiB, and no commit waits for the disk
/// before that: a process that is killed loses none of its commits, a machine that fails the latest.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 16384; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -32768;
    PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF;";

/// `total` spares counting, which would read the whole file.
const LAYOUT: &str = "BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS total (rows INTEGER NOT NULL);
    INSERT INTO total SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM total);
    COMMIT;";

/// Why the database did not do what it was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It holds what nobody wrote.
    Damaged(String),
    /// The disk is full.
    Full,
    /// Another process held it for too long.
    Busy,
    /// Anything else, of which the file is not to blame.
    Failed(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        let said = error.to_string();
        match error.sqlite_error_code() {
            None if matches!(error, Error::InvalidPath(_) | Error::NulError(_)) => Self::Failed(said),
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            // The statements are always the same: where one has no meaning, the tables are not ours.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) | None => {
                Self::Damaged(said)
            }
            Some(_) => Self::Failed(said),
        }
    }
}

/// A connection to the file.
#[derive(Debug)]
pub(super) struct Database(Connection);

impl Database {
    /// Connects to a file, and begins one where there is none.
    pub(super) fn create(path: &Path) -> Result<Self, Trouble> {
        let database = Self::connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        match database.0.execute_batch(LAYOUT) {
            // By the system one may write, so that it is the file's own head that forbids it.
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::ReadOnly)
                    && OpenOptions::new().append(true).open(path).is_ok() =>
            {
                Err(Trouble::Damaged(error.to_string()))
            }
            begun => begun.map(|()| database).map_err(Trouble::from),
        }
    }

    /// Connects to a file that is there.
    pub(super) fn open(path: &Path) -> Result<Self, Trouble> {
        Self::connect(path, OpenFlags::empty())
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, Trouble> {
        let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(MOST_WAIT)?;
        connection.execute_batch(SETTINGS)?;
        Ok(Self(connection))
    }

    /// The same with more time for other processes.
    pub(super) fn waiting(self, most: Duration) -> Result<Self, Trouble> {
        self.0.busy_timeout(most)?;
        Ok(self)
    }

    /// What is known, in the keys' order. One row that is not as it was written discredits them all.
    pub(super) fn get_many(&self, keys: &[RowKey]) -> Result<Vec<Option<Scores>>, Trouble> {
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by_key(|&index| keys[index]);
        let mut known = vec![None; keys.len()];
        let snapshot = self.0.unchecked_transaction()?;
        let mut select = snapshot.prepare("SELECT value FROM scores WHERE key = ?")?;
        for index in order {
            let mut rows = select.query([&keys[index][..]])?;
            if let Some(row) = rows.next()? {
                known[index] = Some(believed(&keys[index], row.get_ref(0)?.as_blob().unwrap_or_default())?);
            }
        }
        Ok(known)
    }

    /// Adds rows, all or none of them. A row that is there already stays.
    pub(super) fn put_many(&mut self, rows: &[(RowKey, Scores)]) -> Result<(), Trouble> {
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

    /// Makes the file full at this many pages.
    #[cfg(test)]
    pub(super) fn limit_pages(&self, pages: u32) {
        self.0.execute_batch(&format!("PRAGMA max_page_count = {pages}")).expect("a setting");
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> Result<u64, Trouble> {
        let rows: i64 = self.0.query_row("SELECT rows FROM total", (), |row| row.get(0))?;
        u64::try_from(rows).map_err(|_| Trouble::Damaged("its number of rows is negative".to_owned()))
    }

    /// Reads the whole table.
    pub(super) fn check(&self) -> Result<(), Trouble> {
        let mut select = self.0.prepare("SELECT key, value FROM scores ORDER BY key")?;
        let mut rows = select.query(())?;
        let (mut count, mut last) = (0, Vec::new());
        while let Some(row) = rows.next()? {
            let key = row.get_ref(0)?.as_blob().unwrap_or_default();
            believed(key, row.get_ref(1)?.as_blob().unwrap_or_default())?;
            if key <= &last[..] {
                return Err(Trouble::Damaged("its keys are out of order".to_owned()));
            }
            last.clear();
            last.extend_from_slice(key);
            count += 1;
        }
        if count == self.rows()? { Ok(()) } else { Err(Trouble::Damaged("rows are missing".to_owned())) }
    }
}

fn believed(key: &[u8], value: &[u8]) -> Result<Scores, Trouble> {
    decode(key, value).ok_or_else(|| Trouble::Damaged("a score fails its check".to_owned()))
}
