//! The two parts of labelled data: one tunes a threshold, the other measures it.

use std::path::Path;

use serde::Serialize;

/// A part of labelled data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Tunes thresholds: `val`, `dev` and their like.
    Val,
    /// Measures.
    Test,
}

impl Split {
    /// The part that a usual name means.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "val" | "valid" | "validation" | "dev" | "development" => Some(Self::Val),
            "test" | "eval" | "evaluation" => Some(Self::Test),
            _ => None,
        }
    }

    /// The part that a file's name tells, such as `dev-00000-of-00001.parquet`: the first word of it that does.
    #[must_use]
    pub fn of_file(path: &str) -> Option<Self> {
        let name = Path::new(path).file_name()?.to_str()?;
        name.split(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Val => "val",
            Self::Test => "test",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_file_names_tell_the_part() {
        assert_eq!((Split::named("Validation"), Split::named("train")), (Some(Split::Val), None));
        for (path, expected) in [
            ("data/dev-00000-of-00001.parquet", Some(Split::Val)),
            ("test.jsonl", Some(Split::Test)),
            ("dev/rows.jsonl", None),
            ("latest.jsonl", None),
            ("/", None),
        ] {
            assert_eq!(Split::of_file(path), expected, "{path}");
        }
    }
}
