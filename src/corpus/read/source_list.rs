//! Parses a document given as a JSON list: texts, or objects with a `text` and an `id` (a string or a number). In rows of files an
//! object may have a `path` in place of `text`. A source
//! without an id gets its number. Other fields of an object are ignored. Error messages say which source is wrong.

use serde_json::value::RawValue;
use veridic_models::store::quoting::{listed_names, without_values};

use super::super::text_json::from_json;
use super::paths::Paths;
use crate::input::Fields;
use crate::input::{SourceText, Sources};

/// Parses a document, which is a text or a list of sources; also returns its sources if it is a list. A text may be blank.
///
/// # Errors
/// A description of the problem, to follow the field's name.
pub fn document_of(json: &str) -> Result<(String, Option<Sources>), String> {
    document_with(json, Paths::Refused)
}

/// The same; texts may be in files.
pub(super) fn document_with(json: &str, paths: Paths<'_>) -> Result<(String, Option<Sources>), String> {
    if json.trim_start().starts_with('[') {
        let (document, sources) =
            Sources::join(&source_texts(json, paths)?).map_err(|error| error.to_string())?;
        return Ok((document, Some(sources)));
    }
    if let Some(text) = paths.text_of_value(json) {
        return Ok((text?, None));
    }
    let text = from_json(json).map_err(|_| format!("{}, nor a list of sources", not_a_text(json)))?;
    Ok((text, None))
}

/// Parses the sources of a list, before they are joined.
pub(super) fn source_texts(json: &str, paths: Paths<'_>) -> Result<Vec<SourceText>, String> {
    let items: Vec<Box<RawValue>> =
        serde_json::from_str(json).map_err(|_| "cannot be read as a list".to_owned())?;
    (1..).zip(&items).map(|(number, item)| source(number, item.get(), paths)).collect()
}

fn source(number: usize, item: &str, paths: Paths<'_>) -> Result<SourceText, String> {
    if !item.starts_with('{') {
        let text = from_json(item).map_err(|_| {
            format!("has a source {number} that {}, nor an object with `text`", not_a_text(item))
        })?;
        return Ok(SourceText::numbered(number, text));
    }
    let mut fields: Fields = serde_json::from_str(item)
        .map_err(|error| format!("has a source {number} in which {}", without_values(&error)))?;
    let (id, text) = (fields.take("id"), fields.take("text"));
    let of_field = |name: &str, value: &RawValue| {
        format!("has a source {number} whose `{name}` {}", not_a_text(value.get()))
    };
    let text = match text {
        Some(text) => from_json(text.get()).map_err(|_| of_field("text", &text))?,
        None => match paths.text(&mut fields) {
            Some(text) => text.map_err(|reason| format!("has a source {number} that {reason}"))?,
            None => {
                let names = listed_names(&fields.names());
                return Err(format!("has no `text` in source {number} (its fields: {names})"));
            }
        },
    };
    let Some(id) = id.filter(|id| id.get() != "null") else { return Ok(SourceText::numbered(number, text)) };
    // A number keeps its original digits.
    let is_number = id.get().starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let id = if is_number {
        id.get().to_owned()
    } else {
        from_json(id.get()).map_err(|_| format!("{}, nor a number", of_field("id", &id)))?
    };
    Ok(SourceText { id, text })
}

/// Describes a value that is not a text.
pub(super) fn not_a_text(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "cannot be read as text",
        Some(b'n') => "is null, not a string",
        Some(b't' | b'f') => "is a boolean, not a string",
        Some(b'[') => "is a list, not a string",
        Some(b'{') => "is an object, not a string",
        _ => "is a number, not a string",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_texts_or_lists_of_sources() {
        let read = |json: &str| {
            let (document, sources) = document_of(json).unwrap();
            let ids =
                |sources: Sources| sources.list().iter().map(|source| source.id.clone()).collect::<Vec<_>>();
            (document, sources.map(ids))
        };
        let ids = |ids: &[&str]| Some(ids.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(read(r#""a\ud800""#), ("a\u{fffd}".into(), None));
        assert_eq!(read("[]"), ("".into(), ids(&[])));
        assert_eq!(read(r#"["a","b"]"#), ("a\n\nb".into(), ids(&["1", "2"])));
        assert_eq!(
            read(
                r#" [{"id":"doc-7","text":"a"}, "b", {"text":"c","score":0.5}, {"text":"d","id":null}, {"id":12,"text":"e"}]"#
            ),
            ("a\n\nb\n\nc\n\nd\n\ne".into(), ids(&["doc-7", "2", "3", "4", "12"]))
        );
    }

    #[test]
    fn what_is_not_a_document_is_refused_with_its_place() {
        let table = include_str!("tests/refused_documents.tsv").lines();
        for (json, expected) in table.filter_map(|line| line.split_once('\t')) {
            let error = document_of(json).unwrap_err();
            assert!(error.contains(expected), "{json}: {error}");
        }
    }
}
