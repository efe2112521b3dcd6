//! The formats of outputs, and the format of a file by its name. Refuses unknown extensions, those of compressed files
//! included, and Parquet where it is not built in.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// One JSON object a line.
    JsonLines,
    /// Cells separated by commas, with a header row (RFC 4180, UTF-8). Lines end with a line feed alone, which every reader
    /// accepts. A cell is quoted if it contains a comma, a quote or a line end, or is an empty text.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// Apache Parquet, compressed with snappy.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The output's format is unknown or not built in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputFormatError {
    /// No format has this name.
    #[error("`{0}` is not a format of outputs: known are jsonl, csv, tsv and parquet")]
    Unknown(String),
    /// The name of the file has an unknown extension.
    #[error(
        "the name {} does not tell the output's format: end it with .jsonl, .csv, .tsv or .parquet, or set `output_format`",
        .0.display()
    )]
    UnknownName(PathBuf),
    /// The build has no Parquet.
    #[error(
        "this build does not write Parquet: build it with the feature `parquet`, or write jsonl, csv or tsv"
    )]
    WithoutParquet,
}

impl OutputFormat {
    /// The format by the name's extension: `.jsonl`, `.ndjson`, `.csv`, `.tsv` or `.parquet`, in lower or upper case; JSON
    /// Lines without an extension.
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
    fn the_extension_determines_the_format() {
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
    fn parquet_is_built_in_or_an_error() {
        let format = OutputFormat::of(Path::new("a.parquet"));
        #[cfg(feature = "parquet")]
        assert_eq!(format, Ok(OutputFormat::Parquet));
        #[cfg(not(feature = "parquet"))]
        assert_eq!(format, Err(OutputFormatError::WithoutParquet));
    }
}
