//! The files of a run's output. The output gets its final name once it is complete; until then it is NAME.partial, beside
//! the journal NAME.journal, which stays as long as rows have no result. An existing output is replaced only by a run that
//! resumes from its journal, and only if its bytes change.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::corpus::file_error::FileError;
use crate::corpus::journal::HEAD;

/// An output and its accompanying files.
#[derive(Debug, Clone)]
pub struct Target {
    output: PathBuf,
    partial: PathBuf,
    journal: PathBuf,
}

/// Why an existing file cannot be written, and the remedy.
const OTHER: &str = "exists: remove it or choose another output";
const UPDATE: &str =
    "exists: remove it, choose another output, or add `--resume` to judge the rows that failed";
const CONTINUE: &str = "exists: it keeps the rows of a run to this output that was interrupted, or whose output is gone; add \
                        `--resume` to continue it, or remove the file to start again";
const NO_JOURNAL: &str = "exists and has no journal to resume from, as every row has its result: remove it to judge all rows again";

impl Target {
    /// Creates the target of this name, without a journal.
    ///
    /// # Errors
    /// If the file exists.
    pub fn without_journal(output: &Path) -> Result<Self, FileError> {
        if exists(output) { Err(FileError::of(output, OTHER)) } else { Ok(Self::of(output)) }
    }

    /// Creates the target of this name; with `resume` the output may exist, complete or interrupted.
    ///
    /// # Errors
    /// If a file exists that this run may not replace.
    pub fn new(output: &Path, resume: bool) -> Result<Self, FileError> {
        let target = Self::of(output);
        match (exists(&target.output), exists(&target.journal), resume) {
            (true, true, false) => Err(FileError::of(output, UPDATE)),
            (true, false, false) => Err(FileError::of(output, OTHER)),
            (false, true, false) => Err(FileError::of(&target.journal, CONTINUE)),
            (true, false, true) => Err(FileError::of(output, NO_JOURNAL)),
            _ => Ok(target),
        }
    }

    fn of(output: &Path) -> Self {
        let (partial, journal) = (beside(output, ".partial"), beside(output, ".journal"));
        Self { output: output.to_owned(), partial, journal }
    }

    /// Returns the paths of the output and its accompanying files.
    #[must_use]
    pub fn names(&self) -> [&Path; 3] {
        [&self.output, &self.partial, &self.journal]
    }

    /// Returns the path of the journal.
    #[must_use]
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// Whether the journal holds the result of a row.
    #[must_use]
    pub fn keeps_results(&self) -> bool {
        fs::metadata(&self.journal).is_ok_and(|data| data.len() > HEAD.len() as u64)
    }

    /// Creates the file for the output, replacing an incomplete one.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(&self) -> Result<File, FileError> {
        File::create(&self.partial).map_err(FileError::of_io("write", &self.partial))
    }

    /// Lets `write` fill the output, which appears once it is complete; if that fails, nothing is left of it.
    ///
    /// # Errors
    /// Those of `write`, and if files cannot be created, compared or renamed.
    pub fn write<T, E: From<FileError>>(&self, write: impl FnOnce(File) -> Result<T, E>) -> Result<T, E> {
        let written = self.create().map_err(E::from).and_then(write);
        let finished = written.and_then(|value| Ok(self.finish().map(|_| value)?));
        finished.inspect_err(|_| self.give_up())
    }

    /// Removes the incomplete output.
    pub fn give_up(&self) {
        // If the file cannot be removed, its name still marks it as incomplete.
        let _ = fs::remove_file(&self.partial);
    }

    /// Gives the complete output its final name; returns whether that changes its bytes.
    ///
    /// # Errors
    /// If files cannot be compared, removed or renamed.
    pub fn finish(&self) -> Result<bool, FileError> {
        if same_bytes(&self.partial, &self.output).map_err(FileError::of_io("read", &self.output))? {
            fs::remove_file(&self.partial).map_err(FileError::of_io("remove", &self.partial))?;
            return Ok(false);
        }
        let written = File::open(&self.partial).and_then(|file| file.sync_all());
        written
            .and_then(|()| fs::rename(&self.partial, &self.output))
            .map_err(FileError::of_io("write", &self.output))?;
        Ok(true)
    }
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn beside(output: &Path, ending: &str) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Whether the second file exists and has the same bytes as the first.
fn same_bytes(first: &Path, second: &Path) -> io::Result<bool> {
    let other = match File::open(second) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let first = File::open(first)?;
    if first.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut first, mut other) = (BufReader::new(first), BufReader::new(other));
    loop {
        let (one, two) = (first.fill_buf()?, other.fill_buf()?);
        let length = one.len().min(two.len());
        if length == 0 || one[..length] != two[..length] {
            return Ok(one.len() == two.len() && length == 0);
        }
        first.consume(length);
        other.consume(length);
    }
}
