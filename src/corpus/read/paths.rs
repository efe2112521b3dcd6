//! Texts that a row gives by the path of a file, as `{"path": "report.pdf"}`. Paths start at the folder of the rows' file. Only rows of
//! files may name files: what comes over a network may not.

use std::fs;
use std::path::Path;

use serde_json::value::RawValue;
use veridic_files::{ReadAs, read};
use veridic_models::store::quoting::quoted_name;

use super::super::text_json::from_json;
use super::fault::Origin;
use crate::input::Fields;

/// The field with the path.
const PATH: &str = "path";

/// Whether paths are read, and where they start.
#[derive(Debug, Clone, Copy)]
pub(super) enum Paths<'p> {
    Refused,
    From(&'p Path),
}

impl<'p> Paths<'p> {
    /// Paths of a row, which start where its file is.
    pub(super) fn of(origin: &'p Origin) -> Self {
        Self::From(Path::new(&*origin.file).parent().unwrap_or(Path::new("")))
    }

    /// Reads the file of an object with a path; `None` if it has none, or if paths are refused.
    pub(super) fn text(self, fields: &mut Fields) -> Option<Result<String, String>> {
        let Self::From(folder) = self else { return None };
        fields.take(PATH).map(|path| text_of(&path, folder))
    }

    /// The same of a value, if it is an object.
    pub(super) fn text_of_value(self, json: &str) -> Option<Result<String, String>> {
        let mut fields: Fields =
            serde_json::from_str(json).ok().filter(|_| json.trim_start().starts_with('{'))?;
        self.text(&mut fields)
    }
}

/// Reads a file; an error is to follow the name of the text's field.
fn text_of(path: &RawValue, folder: &Path) -> Result<String, String> {
    let path: String = from_json(path.get()).map_err(|_| format!("has a `{PATH}` that is no string"))?;
    let file = folder.join(&path);
    let name = Path::new(&path).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let name = format!("is the file {}, which", quoted_name(&name));
    let bytes = fs::read(&file).map_err(|error| format!("{name} cannot be read ({error})"))?;
    match read(&bytes, ReadAs::Auto) {
        Ok(text) => Ok(text.text),
        Err(error) => Err(error.of(&name)),
    }
}
