//! The two splits of labelled data: one tunes a threshold, the other is measured.

use std::path::Path;

use veridic::corpus::Fields;
use veridic::named;

use super::fields::{choice, require, required_choice};

/// A part of labelled data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// The split that tunes thresholds: `val`, `dev` and their synonyms.
    Val,
    /// The measured split.
    Test,
}

named!(Split, "split", { Val = "val", Test = "test" });

impl Split {
    /// Returns the split of a usual name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "val" | "valid" | "validation" | "dev" | "development" => Some(Self::Val),
            "test" | "eval" | "evaluation" => Some(Self::Test),
            _ => None,
        }
    }

    /// Returns the split in a file name, such as `dev-00000-of-00001.parquet`: the first word that names one.
    pub(crate) fn of_file(path: &str) -> Option<Self> {
        let name = Path::new(path).file_name()?.to_str()?;
        name.split(|c: char| !c.is_ascii_alphanumeric()).find_map(Self::named)
    }

    /// Returns the split that a field names; `expected` lists the authors' names for an error.
    pub(crate) fn of_field(fields: &Fields, field: &str, expected: &str) -> Result<Self, String> {
        require(fields, &[field])?;
        required_choice(fields, field, expected, Self::named, None)
    }

    /// Returns the split named by the field `split` or else by the file name, if either names one.
    pub(crate) fn of_row(fields: &Fields, file: &str, expected: &str) -> Result<Option<Self>, String> {
        choice(fields, "split", expected, Self::named, Self::of_file(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_names_and_file_names_give_the_part() {
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
