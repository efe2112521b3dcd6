//! The formats of outputs, and how a file's name determines its format. Refuses unknown extensions, including those of
//! compressed files, and Parquet if it is not built in.

use std::path::Path;
use std::str::FromStr;

use crate::corpus::file_error::FileError;

/// The format of output rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// One JSON object per line.
    JsonLines,
    /// Cells separated by commas, with a header row (RFC 4180, UTF-8). Lines end with a line feed only, which every reader
    /// accepts. A cell is quoted if it contains a comma, a quote or a line end, or is an empty text.
    Csv,
    /// Cells separated by tabs, otherwise like CSV.
    Tsv,
    /// Apache Parquet, compressed with snappy.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl OutputFormat {
    /// Returns the format for the name's extension: `.jsonl`, `.ndjson`, `.csv`, `.tsv` or `.parquet`, in lower or upper
    /// case; JSON Lines without an extension.
    ///
    /// # Errors
    /// If the extension is another, or Parquet is not built in.
    pub fn of(path: &Path) -> Result<Self, FileError> {
        let Some(extension) = path.extension() else { return Ok(Self::JsonLines) };
        Self::named(&extension.to_string_lossy().to_ascii_lowercase())?.ok_or_else(|| {
            FileError::new(format!(
                "the name {} does not tell the output's format: end it with .jsonl, .csv, .tsv or .parquet, or set \
                 `output_format`",
                path.display()
            ))
            .naming("output_format")
        })
    }

    /// Returns the format of this name; `None` if there is no such format.
    fn named(name: &str) -> Result<Option<Self>, FileError> {
        Ok(Some(match name {
            "jsonl" | "ndjson" => Self::JsonLines,
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            #[cfg(feature = "parquet")]
            "parquet" => Self::Parquet,
            #[cfg(not(feature = "parquet"))]
            "parquet" => {
                return Err(FileError::new(
                    "this build does not write Parquet: build it with the feature `parquet`, or write jsonl, csv or tsv",
                ));
            }
            _ => return Ok(None),
        }))
    }
}

impl FromStr for OutputFormat {
    type Err = FileError;

    fn from_str(name: &str) -> Result<Self, FileError> {
        Self::named(name)?.ok_or_else(|| {
            let reason = "is not a format of outputs: known are jsonl, csv, tsv and parquet";
            FileError::new(format!("`{name}` {reason}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_determines_the_format() {
        for (name, format) in [
            ("a.jsonl", OutputFormat::JsonLines),
            ("folder.csv/a.b.NDJSON", OutputFormat::JsonLines),
            ("a.Csv", OutputFormat::Csv),
            ("a.tsv", OutputFormat::Tsv),
        ] {
            assert_eq!(OutputFormat::of(Path::new(name)).unwrap(), format, "{name}");
        }
        for name in ["csv", ".csv", "-", "/", "a.csv/b"] {
            assert_eq!(OutputFormat::of(Path::new(name)).unwrap(), OutputFormat::JsonLines, "{name}");
        }
        for name in ["a.json", "a.jsonl.gz", "a."] {
            let error = OutputFormat::of(Path::new(name)).unwrap_err();
            assert!(error.to_string().starts_with(&format!("the name {name} does not tell")), "{error}");
        }
        assert!("CSV".parse::<OutputFormat>().is_err());
    }

    #[test]
    fn parquet_is_built_in_or_an_error() {
        let format = OutputFormat::of(Path::new("a.parquet"));
        #[cfg(feature = "parquet")]
        assert_eq!(format.unwrap(), OutputFormat::Parquet);
        #[cfg(not(feature = "parquet"))]
        assert!(format.unwrap_err().to_string().contains("does not write Parquet"));
    }
}
