//! The files to read, in order: paths and `-` as given, the matches of a pattern sorted by name. Before anything is read,
//! refuses a missing file, a folder, a pattern without matches, a name without a known format, and a file named twice.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use glob::MatchOptions;

use super::super::file_error::FileError;
use super::format::{Format, INPUT_FORMAT};

/// One file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its path; `-` is standard input.
    pub path: PathBuf,
    /// The format of its rows.
    pub format: Format,
    /// Whether it matches a pattern rather than being named itself.
    pub(crate) is_match: bool,
}

/// The files of a corpus, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    inputs: Vec<Input>,
}

impl Input {
    /// Returns its name in messages.
    #[must_use]
    pub fn name(&self) -> String {
        if self.is_standard_input() { "standard input".into() } else { self.path.display().to_string() }
    }

    pub(super) fn is_standard_input(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn of(path: &Path, format: Option<Format>) -> Result<Self, FileError> {
        let found = std::fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FileError::of(path, "does not exist"),
            _ => FileError::of_io("read", path)(error),
        })?;
        if found.is_dir() {
            let rows = path.join("*.jsonl");
            let what = format!("is a folder: give its files, such as {}", rows.display());
            return Err(FileError::of(path, &what));
        }
        let format = format.or_else(|| Format::of(path)).ok_or_else(|| {
            FileError::new(format!(
                "the name of {} does not tell its format: set `input_format` (jsonl, json, csv, tsv, parquet)",
                path.display()
            ))
            .naming(INPUT_FORMAT)
        })?;
        if format == Format::Parquet && !cfg!(feature = "parquet") {
            let what = "is Parquet, which this build does not read: build it with the feature `parquet`";
            return Err(FileError::of(path, what));
        }
        Ok(Self { path: path.into(), format, is_match: false })
    }

    fn standard_input(format: Option<Format>) -> Result<Self, FileError> {
        match format.unwrap_or(Format::JsonLines) {
            // Parquet is read from its end, which a stream does not allow.
            Format::Parquet => Err(FileError::new("Parquet cannot be read from standard input: give a file")),
            format => Ok(Self { path: "-".into(), format, is_match: false }),
        }
    }
}

impl Source {
    /// Finds the files that `arguments` name: paths, patterns with `*`, `?`, `[...]` or `**`, and `-`. A pattern that is
    /// also the name of an existing file stands for that file. `format` overrides the formats of the names; without it,
    /// standard input is JSON Lines.
    ///
    /// # Errors
    /// The first argument that does not name a file of rows, or else the first file that is named twice.
    pub fn find<P: AsRef<Path>>(arguments: &[P], format: Option<Format>) -> Result<Self, FileError> {
        let mut inputs: Vec<Input> = Vec::new();
        for path in arguments.iter().map(AsRef::as_ref) {
            if path.as_os_str() == "-" {
                if inputs.iter().any(Input::is_standard_input) {
                    return Err(FileError::new("standard input can be read only once: give `-` once"));
                }
                inputs.push(Input::standard_input(format)?);
            } else if let Some(pattern) = pattern(path) {
                for path in matches(pattern)? {
                    inputs.push(Input { is_match: true, ..Input::of(&path, format)? });
                }
            } else {
                inputs.push(Input::of(path, format)?);
            }
        }
        let mut known = HashSet::new();
        let is_known = |input: &&Input| input.path.canonicalize().is_ok_and(|path| !known.insert(path));
        match inputs.iter().find(is_known) {
            Some(twice) => Err(FileError::of(&twice.path, "is given twice: give each file once")),
            None => Ok(Self { inputs }),
        }
    }

    /// Excludes the files of these `names` if they match a pattern.
    ///
    /// # Errors
    /// If one of them was named itself.
    pub fn without(mut self, names: &[&Path]) -> Result<Self, FileError> {
        let names: Vec<PathBuf> = names.iter().filter_map(|name| name.canonicalize().ok()).collect();
        let is_one = |input: &Input| input.path.canonicalize().is_ok_and(|path| names.contains(&path));
        if let Some(named) = self.inputs.iter().find(|input| !input.is_match && is_one(input)) {
            return Err(FileError::of(&named.path, "is the output: give it another name"));
        }
        self.inputs.retain(|input| !is_one(input));
        Ok(self)
    }

    /// Returns the files in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}

/// Returns the path as a pattern; `None` if it has no wildcard or names an existing file.
fn pattern(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    (text.contains(['*', '?', '[']) && !path.exists()).then_some(text)
}

/// Returns the matching files, sorted by name; no folders and, as in a shell, no hidden files for `*`.
fn matches(pattern: &str) -> Result<Vec<PathBuf>, FileError> {
    let like_a_shell = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = glob::glob_with(pattern, like_a_shell).map_err(|error| {
        FileError::new(format!("{pattern} is not a valid pattern of file names ({})", error.msg))
    })?;
    let mut paths = Vec::new();
    for path in found {
        let path = path.map_err(|error| FileError::of_io("read", error.path())(error.into()))?;
        if !path.is_dir() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(FileError::new(format!("{pattern} matches no file")));
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.jsonl", "a.jsonl", "c.csv", ".hidden.jsonl", "[x].jsonl", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("z.jsonl")).unwrap();
        folder
    }

    fn find(folder: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
        let arguments: Vec<PathBuf> = arguments
            .iter()
            .map(|argument| if *argument == "-" { "-".into() } else { folder.join(argument) })
            .collect();
        let source = Source::find(&arguments, None).map_err(|error| error.to_string())?;
        let name = |input: &Input| input.path.file_name().unwrap().to_string_lossy().into_owned();
        Ok(source.inputs().iter().map(name).collect())
    }

    #[test]
    fn order_is_as_given_and_matches_are_sorted_by_name() {
        let folder = folder();
        let found = find(folder.path(), &["c.csv", "-", "*.jsonl"]).unwrap();
        assert_eq!(found, ["c.csv", "-", "[x].jsonl", "a.jsonl", "b.jsonl"]);
        assert_eq!(find(folder.path(), &["[x].jsonl"]).unwrap(), ["[x].jsonl"], "a file of that name");
        assert_eq!(find(folder.path(), &["[ab].jsonl"]).unwrap(), ["a.jsonl", "b.jsonl"]);
    }

    #[test]
    fn arguments_without_rows_are_refused() {
        let folder = folder();
        for (arguments, expected) in [
            (&["missing.jsonl"][..], "missing.jsonl does not exist"),
            (&["a.jsonl/b.jsonl"], "a.jsonl/b.jsonl"),
            (&["z.jsonl"], "is a folder"),
            (&["*.tsv"], "matches no file"),
            (&["z*.jsonl"], "matches no file"),
            (&["a***.jsonl"], "not a valid pattern"),
            (&["notes.txt"], "`input_format`"),
            (&["a.jsonl", "*.txt"], "`input_format`"),
            (&["-", "-"], "only once"),
            (&["c.csv", "a.jsonl", "c.csv"], "c.csv is given twice"),
            (&["./a.jsonl", "*.jsonl"], "a.jsonl is given twice"),
        ] {
            let error = find(folder.path(), arguments).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_given_format_overrides_names() {
        let folder = folder();
        let paths = [folder.path().join("notes.txt"), "-".into()];
        let source = Source::find(&paths, Some(Format::Tsv)).unwrap();
        assert!(source.inputs().iter().all(|input| input.format == Format::Tsv));
        assert_eq!(Source::find(&["-"], None).unwrap().inputs()[0].format, Format::JsonLines);
        let error = Source::find(&["-"], Some(Format::Parquet)).unwrap_err();
        assert!(error.to_string().contains("Parquet cannot be read from standard input"), "{error}");
    }
}
