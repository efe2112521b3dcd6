//! Merges shards of a corpus into the output that a single run would have written. Refuses shards that are missing,
//! repeated, incomplete, or of another input or other settings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::last_line::{LastLine, RowsWritten, ShardFacts};
use super::progress::RunError;
use crate::corpus::file_error::FileError;
use crate::corpus::write::RowWriter;
use crate::input::Fields;
use crate::result::SCHEMA;

/// An upper bound for the bytes of a last line.
const MAX_LAST_LINE_BYTES: u64 = 4096;

/// Merges shards in input order; returns the number of rows.
///
/// # Errors
/// If the shards cannot be merged or the writer fails.
pub fn merge(shards: &[PathBuf], mut writer: RowWriter) -> Result<u64, RunError> {
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
            Err(shard.refuse(&format!("row {number} of the input is in another shard too")))?;
        }
    }
    writer.finish()?;
    Ok(rows)
}

/// Checks that these are all shards of one run, each once.
fn check(paths: &[PathBuf]) -> Result<(), FileError> {
    let mut found: BTreeMap<u64, &Path> = BTreeMap::new();
    let mut first: Option<(&Path, ShardFacts)> = None;
    for path in paths {
        let facts = facts_of(path)?;
        let (first_path, first) = first.get_or_insert_with(|| (path, facts.clone()));
        let both = |other: &Path, what: &str| {
            FileError::new(format!("{} and {} are {what}", other.display(), path.display()))
        };
        if let Some(what) = first.difference(&facts) {
            return Err(both(first_path, &format!("of {what}: give the shards of one run")));
        }
        if let Some(other) = found.insert(facts.index, path) {
            return Err(both(other, &format!("both shard {}: give each shard once", facts.index)));
        }
    }
    let of = first.map_or(0, |(_, facts)| facts.of);
    let missing: Vec<String> =
        (1..=of).filter(|index| !found.contains_key(index)).map(|index| index.to_string()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(FileError::new(format!("shards {} of {of} are missing: give all shards", missing.join(", "))))
}

/// Reads the facts in a shard's last line.
fn facts_of(path: &Path) -> Result<ShardFacts, FileError> {
    let end = end_of(path).map_err(FileError::of_io("read", path))?;
    let line = end.strip_suffix(b"\n").and_then(|end| end.rsplit(|byte| *byte == b'\n').next());
    let last = line.and_then(|line| serde_json::from_slice::<LastLine>(line).ok());
    last.filter(|line| line.schema == SCHEMA).map(|line| line.shard).ok_or_else(|| {
        let what = "is not a complete output of a run with `shard`: its last line does not describe a shard";
        FileError::of(path, what)
    })
}

/// Reads the last bytes of a file.
fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_LAST_LINE_BYTES)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(end)
}

/// A shard that is being read.
struct OpenShard<'p> {
    path: &'p Path,
    lines: BufReader<File>,
    line: u64,
    /// The facts of its last line.
    facts: ShardFacts,
    /// The rows read.
    rows: RowsWritten,
    /// The number of the last row read.
    last: Option<u64>,
}

impl<'p> OpenShard<'p> {
    fn new(path: &'p Path) -> Result<Self, FileError> {
        let facts = facts_of(path)?;
        let file = File::open(path).map_err(FileError::of_io("read", path))?;
        let rows = RowsWritten::default();
        Ok(Self { path, lines: BufReader::new(file), line: 0, facts, rows, last: None })
    }

    /// Returns the number of the next row, and the row without its number.
    fn next(&mut self) -> Result<Option<(u64, String)>, FileError> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line);
        read.map_err(FileError::of_io("read", self.path))?;
        self.line += 1;
        let mut fields: Fields = serde_json::from_str(&line)
            .map_err(|_| self.refuse("is not a row of a shard: write the shard again"))?;
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
            _ => Err(self.refuse("the rows are not as they were written: write the shard again")),
        }
    }

    fn refuse(&self, reason: &str) -> FileError {
        FileError::new(format!("{}: line {}: {reason}", self.path.display(), self.line))
    }
}
