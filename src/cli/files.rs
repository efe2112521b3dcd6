//! Reading and writing whole files, with errors that name the file and say what to do.

use std::io::{self, Read, Write};
use std::path::Path;
use std::{fs, str};

use anyhow::{Context, Result, bail, ensure};

/// The text of a file as it is, or of standard input for `-`.
pub(super) fn read_text(path: &Path) -> Result<String> {
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
    let nothing = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
    ensure!(!nothing, "{name} is empty: a text with words is needed");
    Ok(text.to_owned())
}

/// What errors call a path.
pub(super) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// A file that appears under its name only when it is complete.
pub(super) struct NewFile {
    file: io::BufWriter<tempfile::NamedTempFile>,
    path: std::path::PathBuf,
}

impl NewFile {
    /// Refuses to replace an existing file.
    pub(super) fn create(path: &Path) -> Result<Self> {
        ensure!(path.as_os_str() != "-", "the output must be a file: `-` is not supported");
        ensure!(
            fs::symlink_metadata(path).is_err(),
            "{} exists: remove it or choose another output",
            path.display()
        );
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".veridic-");
        #[cfg(unix)]
        builder.permissions(ordinary_permissions());
        let file = builder
            .tempfile_in(folder)
            .with_context(|| format!("cannot write into the folder of {}", path.display()))?;
        Ok(Self { file: io::BufWriter::new(file), path: path.to_owned() })
    }

    pub(super) fn write_line(&mut self, line: &str) -> Result<()> {
        writeln!(self.file, "{line}").with_context(|| format!("cannot write {}", self.path.display()))
    }

    pub(super) fn finish(self) -> Result<()> {
        let path = &self.path;
        let told = || format!("cannot write {}", path.display());
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error).with_context(told)?;
        file.as_file().sync_all().with_context(told)?;
        file.persist_noclobber(path).map_err(|e| e.error).with_context(told)?;
        Ok(())
    }
}

/// What the user's umask makes of an ordinary new file.
#[cfg(unix)]
fn ordinary_permissions() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o666)
}
