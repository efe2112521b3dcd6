//! The formats of outputs, and which one a file's name asks for. Refuses a name that asks for none or for
//! compression, and Parquet where it is not built in.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// One JSON object a line.
    JsonLines,
    /// Cells between commas, the first row names them (RFC 4180, UTF-8). Lines end with a line feed
    /// alone, which every reader takes. A cell is quoted where it holds a comma, a quote or a line end, and
    /// where it is an empty text.
    Csv,
    /// The same between tabs, quoted by the same rule.
    Tsv,
    /// Apache Parquet, compressed with snappy.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A name that is no format of outputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputFormatError {
    /// No format has this name.
    #[error("`{0}` is no format of outputs: there are jsonl, csv, tsv and parquet")]
    Unknown(String),
    /// The name of the file asks for no format.
    #[error(
        "cannot tell the output's format by the name {}: end it with .jsonl, .csv, .tsv or .parquet, or say --output-format",
        .0.display()
    )]
    UnknownName(PathBuf),
    /// This build does not write it.
    #[error("this build writes no Parquet: build it with the feature `parquet`, or write jsonl, csv or tsv")]
    WithoutParquet,
}

impl OutputFormat {
    /// What the name's extension asks for: `.jsonl`, `.ndjson`, `.csv`, `.tsv` or `.parquet`, in small or
    /// capital letters; JSON Lines without one.
    ///
    /// # Errors
    /// Another extension; Parquet, if it is not built in.
    pub fn of(path: &Path) -> Result<Self, OutputFormatError> {
        let Some(extension) = path.extension() else { return Ok(Self::JsonLines) };
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        extension.parse().map_err(|error| match error {
            OutputFormatError::Unknown(_) => OutputFormatError::UnknownName(path.into()),
            error => error,
        })
    }
}

impl FromStr for OutputFormat {
    type Err = OutputFormatError;

    fn from_str(name: &str) -> Result<Self, OutputFormatError> {
        match name {
            "jsonl" | "ndjson" => Ok(Self::JsonLines),
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            #[cfg(feature = "parquet")]
            "parquet" => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            "parquet" => Err(OutputFormatError::WithoutParquet),
            _ => Err(OutputFormatError::Unknown(name.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_ask_for_a_format() {
        for (name, format) in [
            ("a.jsonl", OutputFormat::JsonLines),
            ("folder.csv/a.b.NDJSON", OutputFormat::JsonLines),
            ("a.Csv", OutputFormat::Csv),
            ("a.tsv", OutputFormat::Tsv),
        ] {
            assert_eq!(OutputFormat::of(Path::new(name)), Ok(format), "{name}");
        }
        for name in ["csv", ".csv", "-", "/", "a.csv/b"] {
            assert_eq!(OutputFormat::of(Path::new(name)), Ok(OutputFormat::JsonLines), "{name}");
        }
        for name in ["a.json", "a.jsonl.gz", "a."] {
            let error = OutputFormat::of(Path::new(name)).unwrap_err();
            assert_eq!(error, OutputFormatError::UnknownName(name.into()));
        }
        assert!("CSV".parse::<OutputFormat>().is_err());
    }

    #[test]
    fn parquet_is_there_or_said_to_be_missing() {
        let format = OutputFormat::of(Path::new("a.parquet"));
        #[cfg(feature = "parquet")]
        assert_eq!(format, Ok(OutputFormat::Parquet));
        #[cfg(not(feature = "parquet"))]
        assert_eq!(format, Err(OutputFormatError::WithoutParquet));
    }
}
