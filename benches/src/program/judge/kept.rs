//! The file to which new answers are added.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::llm::{AnswerLine, Answers, Reply, RequestId};
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// An open file of one model's answers, with its earlier ones.
pub(super) struct Kept {
    answers: Answers,
    path: PathBuf,
    file: Mutex<File>,
}

impl Kept {
    /// Opens the file; it may not exist yet. The last line may have been cut off when a run was killed, and is then dropped.
    ///
    /// # Errors
    /// If the file is not a file of answers, or has another model's.
    pub(super) fn open(path: &Path, model: &str) -> Result<Self> {
        let name = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("--set answers={name}: cannot open it for new answers"))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("--set answers={name}: another run adds to it: name another file");
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("--set answers={name}"))?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (whole, rest) = bytes.split_at(end);
        // This program's own lines begin like this.
        let is_cut = rest.starts_with(b"{\"answer\":") && serde_json::from_slice::<Value>(rest).is_err();
        let answers = Answers::read(if is_cut { whole } else { &bytes }, &name.to_string())?;
        if let Some(other) = answers.models().iter().find(|other| *other != model) {
            bail!(
                "--set answers={name}: it has answers of the model {other}, and judge_model is {model}: name another file"
            );
        }
        // Only now is it known to be a file of answers.
        let ended = if is_cut {
            file.set_len(whole.len() as u64)
        } else if rest.is_empty() {
            Ok(())
        } else {
            file.write_all(b"\n")
        };
        ended.with_context(|| format!("--set answers={name}"))?;
        Ok(Self { answers, path: path.to_owned(), file: Mutex::new(file) })
    }

    /// Returns the stored text for a request.
    pub(super) fn get(&self, id: RequestId) -> Option<String> {
        match self.answers.get(id) {
            Reply::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn add(&self, answer: &AnswerLine<'_>) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A single write, so that a kill leaves whole lines.
        file.write_all(format!("{}\n", answer.line()).as_bytes())
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_runs_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        let first = Kept::open(&path, "m").unwrap();
        let error = Kept::open(&path, "m").err().unwrap().to_string();
        assert!(error.contains("another run adds to it"), "{error}");
        drop(first);
        assert!(Kept::open(&path, "m").is_ok());
    }
}
