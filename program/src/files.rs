//! Reads whole files; errors name the file and the remedy.

use std::io::{self, Read};
use std::path::Path;
use std::{fs, str};

use anyhow::{Context, Result, bail, ensure};
use veridic::corpus::read::{Format, Rows, Source};
use veridic::corpus::write::OutputFormat;

/// Reads the unmodified text of a file, or of standard input for `-`.
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
