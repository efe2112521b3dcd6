//! The formats of rows, and how a file's name determines its format. Compression is detected from the bytes, not from the
//! name.

use std::path::Path;
use std::str::FromStr;

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    JsonLines,
    /// An array of JSON objects; a file that begins with anything but `[` is read as JSON Lines.
    Json,
    /// Cells separated by commas, with a header row (RFC 4180).
    Csv,
    /// Cells separated by tabs, otherwise like CSV.
    Tsv,
    /// Apache Parquet.
    Parquet,
}

/// The argument of a run that sets the format of its inputs, as messages name it.
pub(super) const INPUT_FORMAT: &str = "input_format";

/// The name does not determine a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("known formats are jsonl, json, csv, tsv and parquet")]
pub struct UnknownFormat;

impl Format {
    /// Returns the format for the name's extension: `.jsonl`, `.ndjson`, `.json`, `.csv`, `.tsv` (each also with `.gz` or
    /// `.zst`) or `.parquet`, in lower or upper case.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let text = without_compression(&name);
        let (_, extension) = text.unwrap_or(&name).rsplit_once('.')?;
        let format = extension.parse().ok()?;
        if format == Self::Parquet && text.is_some() { None } else { Some(format) }
    }

    /// Whether the name is that of a compressed text file.
    pub(super) fn is_compressed(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        without_compression(&name).is_some()
    }
}

fn without_compression(name: &str) -> Option<&str> {
    name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"))
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "jsonl" | "ndjson" => Ok(Self::JsonLines),
            "json" => Ok(Self::Json),
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            "parquet" => Ok(Self::Parquet),
            _ => Err(UnknownFormat),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_determines_the_format() {
        for (name, format) in [
            ("a.jsonl", Some(Format::JsonLines)),
            ("folder.csv/a.ndjson.zst", Some(Format::JsonLines)),
            ("a.b.JSON.GZ", Some(Format::Json)),
            ("a.csv.gz", Some(Format::Csv)),
            ("a.tsv", Some(Format::Tsv)),
            ("a.parquet", Some(Format::Parquet)),
            ("a.parquet.gz", None),
            ("a.gz", None),
            ("csv", None),
            ("a.txt", None),
            ("/", None),
        ] {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
