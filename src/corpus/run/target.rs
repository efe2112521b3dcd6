//! Where a run's output goes. It appears under its name when it is complete; until then it is beside it, under
//! the name with `.partial`, and the journal under the name with `.journal`. What stands under the name is
//! replaced only by a run that goes on with its journal, and only when it would change.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// An output and what stands beside it.
#[derive(Debug, Clone)]
pub struct Target {
    output: PathBuf,
    partial: PathBuf,
    journal: PathBuf,
}

/// The output cannot be written there.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Something has the name.
    #[error("{} exists: remove it or choose another output", .0.display())]
    Exists(PathBuf),
    /// A run wrote it.
    #[error("{} exists: remove it, choose another output, or bring it up to date with --resume", .0.display())]
    Written(PathBuf),
    /// A run began it and was ended.
    #[error(
        "{} exists: a run to this output was ended early; go on with --resume, or remove it to begin anew",
        .0.display()
    )]
    Begun(PathBuf),
    /// There is an output to go on with and no journal.
    #[error("{} exists and its journal does not: it cannot be gone on with; choose another output", .0.display())]
    NoJournal(PathBuf),
    /// The system refuses.
    #[error("cannot {what} {}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl Target {
    /// The output of this name, with nothing to go on with.
    ///
    /// # Errors
    /// When something stands there.
    pub fn without_journal(output: &Path) -> Result<Self, TargetError> {
        if stands(output) { Err(TargetError::Exists(output.to_owned())) } else { Ok(Self::of(output)) }
    }

    /// The output of this name; `resume`: it may be there, or begun.
    ///
    /// # Errors
    /// When something stands there that this run may not replace.
    pub fn new(output: &Path, resume: bool) -> Result<Self, TargetError> {
        let target = Self::of(output);
        match (stands(&target.output), stands(&target.journal), resume) {
            (true, true, false) => Err(TargetError::Written(target.output)),
            (true, false, false) => Err(TargetError::Exists(target.output)),
            (false, true, false) => Err(TargetError::Begun(target.journal)),
            (true, false, true) => Err(TargetError::NoJournal(target.output)),
            _ => Ok(target),
        }
    }

    fn of(output: &Path) -> Self {
        let (partial, journal) = (beside(output, ".partial"), beside(output, ".journal"));
        Self { output: output.to_owned(), partial, journal }
    }

    /// The output and all that stands beside it.
    #[must_use]
    pub fn names(&self) -> [&Path; 3] {
        [&self.output, &self.partial, &self.journal]
    }

    /// Where the journal is.
    #[must_use]
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// A new file for the output, in the place of an incomplete one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(&self) -> Result<File, TargetError> {
        File::create(&self.partial).map_err(told("write", &self.partial))
    }

    /// The output will not be complete, and nobody goes on with it.
    pub fn give_up(&self) {
        // What cannot be removed is incomplete still, as its name says.
        let _ = fs::remove_file(&self.partial);
    }

    /// The output is complete and takes its name; returns whether that changes what stood there.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn finish(&self) -> Result<bool, TargetError> {
        if same_bytes(&self.partial, &self.output).map_err(told("read", &self.output))? {
            fs::remove_file(&self.partial).map_err(told("remove", &self.partial))?;
            return Ok(false);
        }
        let written = File::open(&self.partial).and_then(|file| file.sync_all());
        written
            .and_then(|()| fs::rename(&self.partial, &self.output))
            .map_err(told("write", &self.output))?;
        Ok(true)
    }
}

fn told<'p>(what: &'static str, path: &'p Path) -> impl FnOnce(io::Error) -> TargetError + use<'p> {
    move |source| TargetError::Io { what, path: path.to_owned(), source }
}

fn stands(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn beside(output: &Path, ending: &str) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Whether the second file is there and holds what the first does.
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
    let (mut one, mut two) = (vec![0; 1 << 16], Vec::new());
    loop {
        let read = first.read(&mut one)?;
        two.clear();
        (&mut other).take(read as u64).read_to_end(&mut two)?;
        if one[..read] != two {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}
