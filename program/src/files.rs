//! Reads whole files: configuration as text, and texts to judge in the forms in which people have them. Errors name the file and the
//! remedy.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use veridic::corpus::read::{Format, Rows, Source};
use veridic::corpus::write::OutputFormat;
use veridic::files::{Kind, ReadAs, Text, read};

use crate::output::note_unless;

/// A text to judge, and where it comes from.
#[derive(Debug, Clone)]
pub struct TextFile {
    /// The file's name for messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// What the file was read as.
    pub kind: Kind,
}

impl TextFile {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// If it cannot be read, or has no text.
    pub fn read(path: &Path, read_as: ReadAs) -> Result<Self> {
        let name = name(path);
        let Text { kind, text } =
            read(&read_bytes(path)?, read_as).map_err(|error| anyhow!(error.of(&name)))?;
        let is_empty = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
        ensure!(!is_empty, "{name} is empty: a text with words is needed");
        Ok(Self { name, text, kind })
    }

    /// Whether the text is that of a file with another content.
    pub fn is_extracted(&self) -> bool {
        self.kind != Kind::Plain
    }

    /// Says on stderr what the file was read as, if that is not plain to see.
    pub fn note_kind(&self, quiet: bool) {
        if self.is_extracted() {
            note_unless(quiet, &format!("{} is read as {}", self.name, self.kind));
        }
    }
}

/// Reads the unmodified text of a file, or of standard input for `-`.
pub fn read_text(path: &Path) -> Result<String> {
    Ok(TextFile::read(path, ReadAs::Text)?.text)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.with_context(|| format!("cannot read {}", name(path)))
}

/// Reads the lines of a file, trimmed, without empty ones.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let text = read_text(path)?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// Opens the rows of a file of scores; its extension determines the format.
pub fn score_rows(path: &Path) -> Result<Rows> {
    match Source::find(&[path], None) {
        Ok(source) => Ok(source.rows()),
        Err(_) if path.is_file() && Format::of(path).is_none() => {
            bail!(
                "cannot tell the format of {}: name it .jsonl, .json, .csv, .tsv or .parquet",
                path.display()
            )
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the format of an output file: the chosen one, or the one of its extension.
///
/// # Errors
/// If the extension names no format.
pub fn output_format(choice: Option<OutputFormat>, output: &Path) -> Result<OutputFormat> {
    Ok(choice.map_or_else(|| OutputFormat::of(output), Ok)?)
}

/// Returns the name of an input for messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// Returns the name of an output for messages.
pub fn output_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard output".into() } else { path.display().to_string() }
}

/// Returns a file's name without its folders, which mean nothing on another machine.
pub fn short_name(path: &Path) -> String {
    path.file_name().map_or_else(|| name(path), |name| name.to_string_lossy().into_owned())
}
