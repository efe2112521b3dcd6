//! Reads whole files; errors name the file and what to do.

use std::io::{self, Read};
use std::path::Path;
use std::{fs, str};

use anyhow::{Context, Result, bail, ensure};
use veridic::corpus::read::{Rows, Source, SourceError};

/// The text of a file as it is, or of standard input for `-`.
pub fn read_text(path: &Path) -> Result<String> {
    let name = name(path);
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    }
    .with_context(|| format!("cannot read {name}"))?;
    let text = match str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = &bytes[..error.valid_up_to()];
            let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
            bail!("{name}: line {line} is not UTF-8 text (byte {}): convert it to UTF-8 first", valid.len())
        }
    };
    let is_empty = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
    ensure!(!is_empty, "{name} is empty: a text with words is needed");
    Ok(text.to_owned())
}

/// The lines of a file, trimmed, without empty ones.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let text = read_text(path)?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// The rows of a file of scores; its extension decides the format.
pub fn score_rows(path: &Path) -> Result<Rows> {
    match Source::find(&[path], None) {
        Ok(source) => Ok(source.rows()),
        Err(SourceError::UnknownFormat(path)) => {
            bail!(
                "cannot tell the format of {}: name it .jsonl, .json, .csv, .tsv or .parquet",
                path.display()
            )
        }
        Err(error) => Err(error.into()),
    }
}

/// The name of an input in messages.
pub fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// The name of an output in messages.
pub fn output_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard output".into() } else { path.display().to_string() }
}

/// A file's name without its folders, which mean nothing on another machine.
pub fn short_name(path: &Path) -> String {
    path.file_name().map_or_else(|| name(path), |name| name.to_string_lossy().into_owned())
}
