//! Shards of a corpus joined to what one run would have written. Refuses shards that are missing, double, of
//! another input or other settings, or not whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::shard::{RowsWritten, ShardFacts};
use crate::corpus::jsonl::Fields;
use crate::corpus::write::{RowWriter, WriteError};

/// Bytes of a last line are no more than these.
const LAST_LINE_BYTES: u64 = 4096;

/// Shards that cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The system refuses.
    #[error("cannot read {}", path.display())]
    Read {
        /// The shard.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// It does not end as shards do.
    #[error("{} is no complete output of `veridic run --shard I/N`: its last line does not say so", .0.display())]
    NoShard(PathBuf),
    /// They do not belong together.
    #[error("{} and {} are of {what}: give the shards of one run", first.display(), second.display())]
    Apart {
        /// The first shard given.
        first: PathBuf,
        /// One that does not fit to it.
        second: PathBuf,
        /// What is not the same.
        what: &'static str,
    },
    /// The same shard twice.
    #[error("{} and {} are both shard {index}: give each shard once", first.display(), second.display())]
    Double {
        /// Which shard.
        index: u64,
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Some are not there.
    #[error("shards {missing} of {of} are missing: give all shards")]
    Missing {
        /// Their indices.
        missing: String,
        /// How many there must be.
        of: u64,
    },
    /// A row is not one of a shard.
    #[error("{}: line {line}: {reason}", path.display())]
    Row {
        /// The shard.
        path: PathBuf,
        /// The line in it.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Joins shards, in the order of the input; returns how many rows there are.
///
/// # Errors
/// Shards that cannot be joined, and what the writer refuses.
pub fn merge(shards: &[PathBuf], mut writer: RowWriter) -> Result<u64, MergeError> {
    check(shards)?;
    let mut open: Vec<OpenShard<'_>> =
        shards.iter().map(|path| OpenShard::new(path)).collect::<Result<_, _>>()?;
    // The next row of each shard, by its number.
    let mut next: BTreeMap<u64, (usize, String)> = BTreeMap::new();
    for (index, shard) in open.iter_mut().enumerate() {
        if let Some((number, row)) = shard.next()? {
            next.insert(number, (index, row));
        }
    }
    let mut rows = 0;
    while let Some((_, (index, row))) = next.pop_first() {
        writer.write(&row)?;
        rows += 1;
        let shard = &mut open[index];
        if let Some((number, row)) = shard.next()?
            && next.insert(number, (index, row)).is_some()
        {
            return Err(shard.refuse(format!("row {number} of the input is in another shard too")));
        }
    }
    writer.finish()?;
    Ok(rows)
}

/// The shards are all parts of one run, each once.
fn check(paths: &[PathBuf]) -> Result<(), MergeError> {
    let mut found: BTreeMap<u64, &PathBuf> = BTreeMap::new();
    let mut first: Option<(&PathBuf, ShardFacts)> = None;
    for path in paths {
        let facts = facts_of(path)?;
        let (first_path, first_facts) = first.get_or_insert_with(|| (path, facts.clone()));
        let differences = [
            (first_facts.of != facts.of, "runs in different numbers of shards"),
            (
                (first_facts.input_rows, &first_facts.input_sha256)
                    != (facts.input_rows, &facts.input_sha256),
                "different inputs",
            ),
            (first_facts.settings_sha256 != facts.settings_sha256, "different settings, models or versions"),
        ];
        if let Some((_, what)) = differences.iter().find(|(differ, _)| *differ) {
            return Err(MergeError::Apart { first: (*first_path).clone(), second: path.clone(), what });
        }
        if let Some(other) = found.insert(facts.index, path) {
            return Err(MergeError::Double {
                index: facts.index,
                first: other.clone(),
                second: path.clone(),
            });
        }
    }
    let of = first.map_or(0, |(_, facts)| facts.of);
    let missing: Vec<String> =
        (1..=of).filter(|index| !found.contains_key(index)).map(|index| index.to_string()).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Missing { missing: missing.join(", "), of }) }
}

#[derive(Deserialize)]
struct LastLine {
    shard: ShardFacts,
}

/// What a shard's last line says.
fn facts_of(path: &Path) -> Result<ShardFacts, MergeError> {
    let told = |source| MergeError::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(told)?;
    let length = file.metadata().map_err(told)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_LINE_BYTES))).map_err(told)?;
    let mut end = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut end).map_err(told)?;
    let line = end.strip_suffix(b"\n").and_then(|end| end.rsplit(|byte| *byte == b'\n').next());
    let last = line.and_then(|line| serde_json::from_slice::<LastLine>(line).ok());
    last.map(|line| line.shard).ok_or_else(|| MergeError::NoShard(path.to_owned()))
}

/// A shard that is read.
struct OpenShard<'p> {
    path: &'p Path,
    lines: BufReader<File>,
    line: u64,
    /// What its last line says.
    facts: ShardFacts,
    /// What was read.
    rows: RowsWritten,
    last: Option<u64>,
}

impl<'p> OpenShard<'p> {
    fn new(path: &'p Path) -> Result<Self, MergeError> {
        let facts = facts_of(path)?;
        let file = File::open(path).map_err(|source| MergeError::Read { path: path.to_owned(), source })?;
        let rows = RowsWritten::default();
        Ok(Self { path, lines: BufReader::new(file), line: 0, facts, rows, last: None })
    }

    /// The number of the next row, and the row without it.
    fn next(&mut self) -> Result<Option<(u64, String)>, MergeError> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line);
        read.map_err(|source| MergeError::Read { path: self.path.to_owned(), source })?;
        self.line += 1;
        let mut fields: Fields = serde_json::from_str(&line)
            .map_err(|_| self.refuse("is no row of a shard: write it again".into()))?;
        let number = fields.take("row").and_then(|number| number.get().parse::<u64>().ok());
        let left = self.facts.rows - self.rows.count;
        let ends = left == 0 && self.lines.fill_buf().is_ok_and(<[u8]>::is_empty);
        match number {
            None if ends && fields.get("shard").is_some() && self.rows.sha256() == self.facts.rows_sha256 => {
                Ok(None)
            }
            Some(number) if left > 0 && self.last.is_none_or(|last| last < number) => {
                self.rows.add(line.trim_end_matches('\n'));
                self.last = Some(number);
                let row = serde_json::to_string(&fields).expect("fields are JSON already");
                Ok(Some((number, row)))
            }
            _ => Err(self.refuse("the rows are not as they were written: write the shard again".into())),
        }
    }

    fn refuse(&self, reason: String) -> MergeError {
        MergeError::Row { path: self.path.to_owned(), line: self.line, reason }
    }
}
