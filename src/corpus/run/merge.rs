//! Merges shards of a corpus into the output that one run would have written. Refuses shards that are missing, repeated,
//! incomplete, or of another input or other settings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::shard::{LastLine, RowsWritten, ShardFacts};
use crate::corpus::jsonl::Fields;
use crate::corpus::write::{RowWriter, WriteError};
use crate::result::SCHEMA;

/// An upper bound for the bytes of a last line.
const MAX_LAST_LINE_BYTES: u64 = 4096;

/// Shards cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A shard cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The shard.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The last line is not that of a shard.
    #[error("{} is not a complete output of a run with `shard`: its last line does not describe a shard", .0.display())]
    NotAShard(PathBuf),
    /// They are not of the same run.
    #[error("{} and {} are of {what}: give the shards of one run", first.display(), second.display())]
    Mismatch {
        /// The first shard given.
        first: PathBuf,
        /// One that differs from it.
        second: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// The same shard twice.
    #[error("{} and {} are both shard {index}: give each shard once", first.display(), second.display())]
    Repeated {
        /// Its index.
        index: u64,
        /// One of them.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Not all shards were given.
    #[error("shards {missing} of {of} are missing: give all shards")]
    Missing {
        /// Their indices.
        missing: String,
        /// The number of shards of the run.
        of: u64,
    },
    /// A line is not a row of the shard.
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

/// Merges shards in the order of the input; returns the number of rows.
///
/// # Errors
/// Shards that cannot be merged, and errors of the writer.
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

/// Checks that these are all shards of one run, each once.
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
            return Err(MergeError::Mismatch { first: (*first_path).clone(), second: path.clone(), what });
        }
        if let Some(other) = found.insert(facts.index, path) {
            return Err(MergeError::Repeated {
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

/// The facts in a shard's last line.
fn facts_of(path: &Path) -> Result<ShardFacts, MergeError> {
    let failed = |source| MergeError::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_LAST_LINE_BYTES))).map_err(failed)?;
    let mut end = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut end).map_err(failed)?;
    let line = end.strip_suffix(b"\n").and_then(|end| end.rsplit(|byte| *byte == b'\n').next());
    let last = line.and_then(|line| serde_json::from_slice::<LastLine>(line).ok());
    last.filter(|line| line.schema == SCHEMA)
        .map(|line| line.shard)
        .ok_or_else(|| MergeError::NotAShard(path.to_owned()))
}

/// A shard that is being read.
struct OpenShard<'p> {
    path: &'p Path,
    lines: BufReader<File>,
    line: u64,
    /// Of its last line.
    facts: ShardFacts,
    /// The rows so far.
    rows: RowsWritten,
    /// The number of the last row.
    last: Option<u64>,
}

impl<'p> OpenShard<'p> {
    fn new(path: &'p Path) -> Result<Self, MergeError> {
        let facts = facts_of(path)?;
        let file = File::open(path).map_err(|source| MergeError::Read { path: path.to_owned(), source })?;
        let rows = RowsWritten::default();
        Ok(Self { path, lines: BufReader::new(file), line: 0, facts, rows, last: None })
    }

    /// The number of the next row, and the row without its number.
    fn next(&mut self) -> Result<Option<(u64, String)>, MergeError> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line);
        read.map_err(|source| MergeError::Read { path: self.path.to_owned(), source })?;
        self.line += 1;
        let mut fields: Fields = serde_json::from_str(&line)
            .map_err(|_| self.refuse("is not a row of a shard: write the shard again".into()))?;
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
