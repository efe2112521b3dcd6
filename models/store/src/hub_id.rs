//! Names on the hub: `OWNER/NAME` and revisions. Refuses every text that would have another meaning in a path or a
//! URL.

use std::fmt;

use hf_hub::{Repo, RepoType};
use serde::{Deserialize, Serialize};

use crate::error::{Location, Result, StoreError};

/// The hub's limit on the length of `OWNER/NAME`.
const MAX_ID_LENGTH: usize = 96;
const MAX_REVISION_LENGTH: usize = 200;

/// A repository on the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct HubId(String);

impl HubId {
    /// Parses `OWNER/NAME`.
    ///
    /// # Errors
    /// [`StoreError::BadId`] with the reason.
    pub fn parse(given: &str) -> Result<Self> {
        let refuse = |reason| Err(StoreError::BadId { given: given.to_owned(), reason });
        let Some((owner, name)) = given.split_once('/') else { return refuse("it has no `/`") };
        if given.len() > MAX_ID_LENGTH {
            return refuse("it is longer than 96 characters");
        }
        for part in [owner, name] {
            if part.is_empty() {
                return refuse("the owner or the name is empty");
            }
            if !part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
                return refuse("owner and name may only contain letters, digits, `-`, `_` and `.`");
            }
            if part.starts_with(['-', '.']) || part.ends_with(['-', '.']) {
                return refuse("the owner or the name starts or ends with `-` or `.`");
            }
        }
        if given.contains("--") || given.contains("..") {
            return refuse("it contains `--` or `..`");
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
#[serde(try_from = "String")]
pub struct Revision(String);

impl Revision {
    /// The default branch.
    #[must_use]
    pub fn main() -> Self {
        Self("main".to_owned())
    }

    /// Parses a revision.
    ///
    /// # Errors
    /// [`StoreError::BadId`] with the reason.
    pub fn parse(given: &str) -> Result<Self> {
        let refuse = |reason| Err(StoreError::BadId { given: given.to_owned(), reason });
        if given.is_empty() || given.len() > MAX_REVISION_LENGTH {
            return refuse("the revision is empty or longer than 200 characters");
        }
        if !given.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte)) {
            return refuse("the revision may only contain letters, digits, `-`, `_`, `.` and `/`");
        }
        if given.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with('.')) {
            return refuse("a part of the revision is empty, or starts or ends with `.`");
        }
        Ok(Self(given.to_owned()))
    }

    /// The revision as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The revision as one path segment or file name, unique to it.
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
    /// Parses `OWNER/NAME` or `OWNER/NAME@REVISION`.
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

    /// The same in hf-hub's terms.
    pub(crate) fn on_hub(&self) -> Repo {
        let (id, revision) = (self.repository.0.clone(), self.revision.0.clone());
        Repo::with_revision(id, RepoType::Model, revision)
    }

    /// Where an error is: this repository, or one of its files.
    pub(crate) fn location(&self, file: Option<&str>) -> Location {
        Location { model: self.to_string(), file: file.map(str::to_owned) }
    }
}

/// Whether a text is a commit hash: 40 lower-case hexadecimal digits.
pub(crate) fn is_commit(text: &str) -> bool {
    text.len() == 40 && is_lower_hexadecimal(text)
}

/// Whether a text is a SHA-256 in lower-case hexadecimal.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_hub_ids_are_accepted() {
        for id in ["biu-nlp/f-coref", "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli", "a/b.c", "A1/b"]
        {
            assert_eq!(HubId::parse(id).unwrap().as_str(), id);
        }
    }

    #[test]
    fn ids_and_revisions_unsafe_in_paths_or_urls_are_rejected() {
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
    fn source_display_round_trips() {
        for source in ["a/b", "a/b@v2", "a/b@refs/pr/1"] {
            assert_eq!(Source::parse(source).unwrap().to_string(), source);
        }
        assert_eq!(Source::parse("a/b@main").unwrap().to_string(), "a/b");
    }

    #[test]
    fn revision_is_escaped_to_one_path_segment() {
        assert_eq!(Revision::parse("refs/pr/1").unwrap().escaped(), "refs%2Fpr%2F1");
    }
}
