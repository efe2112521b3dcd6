//! The values of a row's fields as texts and lists. Refuses values that are missing, of another type or empty; errors name
//! the field. In a table, whose cells are strings, a list is given as JSON.

use serde_json::value::RawValue;
use veridic_models::store::quoting::listed_names;

use super::super::text_json::from_json;
use super::paths::Paths;
use super::source_list::{document_with, not_a_text, source_texts};
use crate::input::Fields;
use crate::input::{SourceText, Sources};

/// The separator of texts joined into one document without separate sources.
const TEXT_SEPARATOR: &str = "\n\n";

/// Reads a text, or a list of sources joined into one, with its sources if it is a list. The text may be blank; with
/// `blank`, sources may be as well, and are then not kept apart.
pub(super) fn document(
    fields: &Fields,
    name: &str,
    blank: bool,
    paths: Paths<'_>,
) -> Result<(String, Option<Sources>), String> {
    let value = value(fields, name)?;
    document_with(value, paths).or_else(|reason| {
        let texts = if blank { source_texts(value, paths).ok() } else { None };
        let joined = |texts: Vec<SourceText>| {
            texts.into_iter().map(|source| source.text).collect::<Vec<_>>().join(TEXT_SEPARATOR)
        };
        texts.map(|texts| (joined(texts), None)).ok_or_else(|| format!("field `{name}` {reason}"))
    })
}

/// Reads a list of texts.
pub(super) fn texts_of(fields: &Fields, name: &str) -> Result<Vec<String>, String> {
    from_json(&list_json(fields, name)?).map_err(|_| format!("field `{name}` is not a list of strings"))
}

/// Returns the JSON of a list; in a table, the content of the cell.
fn list_json(fields: &Fields, name: &str) -> Result<String, String> {
    let value = value(fields, name)?;
    if value.starts_with('"') { text(value, name) } else { Ok(value.to_owned()) }
}

pub(super) fn has_value(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| value.get() != "null")
}

/// Returns the JSON of a required field.
pub(super) fn value<'f>(fields: &'f Fields, name: &str) -> Result<&'f str, String> {
    let names = || format!("has no field `{name}` (its fields: {})", listed_names(&fields.names()));
    fields.get(name).map(RawValue::get).ok_or_else(names)
}

pub(super) fn text(value: &str, name: &str) -> Result<String, String> {
    with_words(any_text(value, name)?, name)
}

/// Reads a text, which may be blank, or in a file.
pub(super) fn any_text_or_file(value: &str, name: &str, paths: Paths<'_>) -> Result<String, String> {
    let in_file =
        paths.text_of_value(value).map(|text| text.map_err(|reason| format!("field `{name}` {reason}")));
    in_file.unwrap_or_else(|| any_text(value, name))
}

/// Reads a text, which may be blank.
fn any_text(value: &str, name: &str) -> Result<String, String> {
    from_json(value).map_err(|_| format!("field `{name}` {}", not_a_text(value)))
}

pub(super) fn with_words(text: String, name: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err(format!("field `{name}` is empty")) } else { Ok(text) }
}
