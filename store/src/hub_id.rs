//! Names on the hub: `OWNER/NAME`, a revision, and what a user wrote for both. Refuses everything that would
//! mean something else as a path or as a part of a URL.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};

/// Longest `OWNER/NAME` that the hub allows.
const LONGEST_ID: usize = 96;
const LONGEST_REVISION: usize = 200;

/// A repository on the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HubId(String);

impl HubId {
    /// Reads `OWNER/NAME`.
    ///
    /// # Errors
    /// [`StoreError::BadId`] with the reason.
    pub fn parse(given: &str) -> Result<Self> {
        let refuse = |reason| Err(StoreError::BadId { given: given.to_owned(), reason });
        let Some((owner, name)) = given.split_once('/') else { return refuse("it has no `/`") };
        if given.len() > LONGEST_ID {
            return refuse("it is longer than 96 characters");
        }
        for part in [owner, name] {
            if part.is_empty() {
                return refuse("a part is empty");
            }
            if !part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
                return refuse("only letters, digits, `-`, `_` and `.` may stand around its one `/`");
            }
            if part.starts_with(['-', '.']) || part.ends_with(['-', '.']) {
                return refuse("a part starts or ends with `-` or `.`");
            }
        }
        if given.contains("--") || given.contains("..") {
            return refuse("it holds `--` or `..`");
        }
        Ok(Self(given.to_owned()))
    }

    /// `OWNER/NAME`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A branch, a tag or a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Revision(String);

impl Revision {
    /// The branch that a repository shows by default.
    #[must_use]
    pub fn main() -> Self {
        Self("main".to_owned())
    }

    /// Reads a revision.
    ///
    /// # Errors
    /// [`StoreError::BadId`] with the reason.
    pub fn parse(given: &str) -> Result<Self> {
        let refuse = |reason| Err(StoreError::BadId { given: given.to_owned(), reason });
        if given.is_empty() || given.len() > LONGEST_REVISION {
            return refuse("its revision is empty or longer than 200 characters");
        }
        if !given.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte)) {
            return refuse("its revision has characters other than letters, digits, `-`, `_`, `.` and `/`");
        }
        if given.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with('.')) {
            return refuse("a part of its revision is empty, or starts or ends with `.`");
        }
        Ok(Self(given.to_owned()))
    }

    /// As the user writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As one part of a URL's path or one file name; no two revisions give the same.
    pub(crate) fn escaped(&self) -> String {
        self.0.replace('/', "%2F")
    }
}

/// A repository at a revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The repository.
    pub repository: HubId,
    /// Its revision.
    pub revision: Revision,
}

impl Source {
    /// Reads `OWNER/NAME` or `OWNER/NAME@REVISION`.
    ///
    /// # Errors
    /// [`StoreError::BadId`] with the reason.
    pub fn parse(given: &str) -> Result<Self> {
        let (id, revision) = match given.split_once('@') {
            Some((id, revision)) => (id, Revision::parse(revision)?),
            None => (given, Revision::main()),
        };
        Ok(Self { repository: HubId::parse(id)?, revision })
    }
}

/// The name of one state of a repository: 40 hexadecimal digits.
pub(crate) fn is_commit(text: &str) -> bool {
    text.len() == 40 && is_lower_hexadecimal(text)
}

/// A SHA-256 in hexadecimal.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && is_lower_hexadecimal(text)
}

fn is_lower_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

impl fmt::Display for HubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.revision == Revision::main() {
            return self.repository.fmt(f);
        }
        write!(f, "{}@{}", self.repository, self.revision)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for HubId {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self> {
        Self::parse(&text)
    }
}

impl TryFrom<String> for Revision {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self> {
        Self::parse(&text)
    }
}

impl From<HubId> for String {
    fn from(id: HubId) -> Self {
        id.0
    }
}

impl From<Revision> for String {
    fn from(revision: Revision) -> Self {
        revision.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_the_hub_are_read() {
        for id in ["biu-nlp/f-coref", "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli", "a/b.c", "A1/b"]
        {
            assert_eq!(HubId::parse(id).unwrap().as_str(), id);
        }
    }

    #[test]
    fn what_would_leave_the_cache_or_the_url_is_refused() {
        for id in [
            "", "a", "/", "a/", "/b", "a/b/c", "../b", "a/..", "a/b..c", "a/b--c", "a/b?c", "a/b%2F", "a b/c",
        ] {
            assert!(HubId::parse(id).is_err(), "{id}");
        }
        for id in ["a/b\\c", "a/-b", "a/.b", "a/é", "a/b\n", &format!("a/{}", "b".repeat(100))] {
            assert!(HubId::parse(id).is_err(), "{id}");
        }
        for revision in ["", "/", "a//b", "../a", "a/../b", ".a", "a.", "a?b", "a%2Fb", "a b", "a\\b"] {
            assert!(Revision::parse(revision).is_err(), "{revision}");
        }
    }

    #[test]
    fn a_source_is_written_as_it_is_read() {
        for source in ["a/b", "a/b@v2", "a/b@refs/pr/1"] {
            assert_eq!(Source::parse(source).unwrap().to_string(), source);
        }
        assert_eq!(Source::parse("a/b@main").unwrap().to_string(), "a/b");
    }

    #[test]
    fn revisions_become_one_part_of_a_path() {
        assert_eq!(Revision::parse("refs/pr/1").unwrap().escaped(), "refs%2Fpr%2F1");
    }
}
