//! The record of a model's first pull: the commit of the revision and the SHA-256 of every file. Later pulls restore
//! the recorded files; `verify` compares with them. An unreadable record is an error and is never overwritten.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cache::write_atomically;
use crate::contents::Contents;
use crate::error::{Location, Result, StoreError};
use crate::hub_id::{Source, is_commit, is_sha256};
use crate::quoting::without_values;

const SCHEMA: u32 = 1;

/// The record of a model's first pull.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    schema: u32,
    /// The repository and the requested revision.
    #[serde(flatten)]
    pub source: Source,
    /// The commit of the revision.
    pub commit: String,
    /// The files by name.
    pub files: BTreeMap<String, FileDigest>,
}

/// The recorded size and digest of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Record {
    pub(crate) fn new(source: Source, commit: String, files: BTreeMap<String, FileDigest>) -> Self {
        Self { schema: SCHEMA, source, commit, files }
    }

    /// Reads the record of a model; `None` if it was never pulled.
    pub(crate) fn read(records: &Path, source: &Source, contents: Contents) -> Result<Option<Self>> {
        let path = path_of(records, source, contents);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::BadRecord { path, reason: error.to_string() }),
        };
        let record: Self = match serde_json::from_slice(&bytes) {
            Ok(record) => record,
            Err(error) => return Err(StoreError::BadRecord { path, reason: without_values(&error) }),
        };
        match record.fault(source) {
            Some(reason) => Err(StoreError::BadRecord { path, reason }),
            None => Ok(Some(record)),
        }
    }

    fn fault(&self, source: &Source) -> Option<String> {
        if self.schema != SCHEMA {
            return Some(format!("its schema is {}, but this version reads {SCHEMA}", self.schema));
        }
        if &self.source != source {
            return Some(format!("it is the record of {}", self.source));
        }
        if !is_commit(&self.commit) {
            return Some(format!("`{}` is not a commit", self.commit));
        }
        let bad = self.files.iter().find(|(name, file)| !is_plain(name) || !is_sha256(&file.sha256));
        bad.map(|(name, _)| format!("its entry `{name}` is not a file name with a SHA-256"))
    }

    pub(crate) fn location(&self, file: Option<&str>) -> Location {
        self.source.location(file)
    }

    pub(crate) fn write(&self, records: &Path, contents: Contents) -> Result<()> {
        let path = path_of(records, &self.source, contents);
        let mut text = serde_json::to_vec_pretty(self).expect("a record serializes to JSON");
        text.push(b'\n');
        write_atomically(&path, &text)
            .map_err(|error| StoreError::file(&self.location(None), "write", &path, text.len() as u64, error))
    }
}

/// A partial pull of a repository has a separate record beside the model's.
fn path_of(records: &Path, source: &Source, contents: Contents) -> PathBuf {
    let folder = format!("models--{}", source.repository.as_str().replace('/', "--"));
    let kind = match contents {
        Contents::Whole | Contents::WithoutTokenizer => String::new(),
        Contents::Tokenizer => ".tokenizer".to_owned(),
        Contents::Settings => ".settings".to_owned(),
        Contents::Checkpoint(name) => format!(".{name}"),
    };
    records.join(folder).join(format!("{}{kind}.json", source.revision.escaped()))
}

/// Whether a name is a plain file name, without a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let file = FileDigest { bytes: 2, sha256: "a".repeat(64) };
        Record::new(
            Source::parse("owner/name").unwrap(),
            "0".repeat(40),
            BTreeMap::from([("config.json".to_owned(), file)]),
        )
    }

    fn read(records: &Path) -> Result<Option<Record>> {
        Record::read(records, &Source::parse("owner/name").unwrap(), Contents::Whole)
    }

    #[test]
    fn record_round_trips() {
        let records = tempfile::tempdir().unwrap();
        assert_eq!(read(records.path()).unwrap(), None);
        record().write(records.path(), Contents::Whole).unwrap();
        assert_eq!(read(records.path()).unwrap(), Some(record()));
    }

    #[test]
    fn damaged_record_is_an_error_with_its_path() {
        let records = tempfile::tempdir().unwrap();
        record().write(records.path(), Contents::Whole).unwrap();
        let path = records.path().join("models--owner--name/main.json");
        let good = fs::read_to_string(&path).unwrap();
        for (part, other) in [
            ("{", ""),
            ("\"schema\": 1", "\"schema\": 2"),
            ("owner/name", "owner/other"),
            ("config.json", "../config.json"),
            ("aaaaaaaa", "AAAAAAAA"),
            ("00000000", "../../.."),
        ] {
            fs::write(&path, good.replacen(part, other, 1)).unwrap();
            let message = read(records.path()).unwrap_err().to_string();
            assert!(message.contains("main.json") && message.contains("delete it"), "{message}");
        }
    }
}
