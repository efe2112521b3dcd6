//! Rows of a JSONL text: one JSON object per line. Refuses lines that are not objects, repeated fields, and fields of the
//! wrong type; blank lines are skipped.

use serde::de::DeserializeOwned;
use veridic_models::store::quoting::{listed_names, without_values};

use super::text_json::from_json;
use crate::input::Fields;

/// Reads every row with `read`, which gets its fields. Each result comes with its line number, from 1. A line that is not an
/// object gives an error; reading continues after it.
pub fn each_row<R>(
    text: &str,
    mut read: impl FnMut(Fields) -> Result<R, String>,
) -> impl Iterator<Item = (usize, Result<R, String>)> {
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate();
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    rows.map(move |(index, line)| {
        let fields = serde_json::from_str::<Fields>(line).map_err(|error| reason(&error));
        (index + 1, fields.and_then(&mut read))
    })
}

/// Returns the reason of a JSON error in one line of input, without the line number, which the caller adds.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let reason = without_values(error);
    match error.classify() {
        serde_json::error::Category::Data => format!("{reason}: correct the row or remove it"),
        _ => format!("is not valid JSON ({reason}, column {}): correct the row or remove it", error.column()),
    }
}

/// Removes a field of a row and returns its text.
///
/// # Errors
/// If the field is missing or not a string.
pub fn field_text(fields: &mut Fields, name: &str) -> Result<String, String> {
    field(fields, name, "a string")
}

/// Removes a field of a row and returns its texts.
///
/// # Errors
/// If the field is missing or not a list of strings.
pub fn field_texts(fields: &mut Fields, name: &str) -> Result<Vec<String>, String> {
    field(fields, name, "a list of strings")
}

fn field<T: DeserializeOwned>(fields: &mut Fields, name: &str, expected: &str) -> Result<T, String> {
    let Some(value) = fields.take(name) else {
        return Err(format!("has no field `{name}` (its fields: {})", listed_names(&fields.names())));
    };
    from_json(value.get()).map_err(|_| format!("field `{name}` is not {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(text: &str) -> Vec<(usize, Result<String, String>)> {
        each_row(text, |mut fields| field_text(&mut fields, "document")).collect()
    }

    #[test]
    fn blank_lines_count_as_lines() {
        let rows = documents("{\"document\":\"a\"}\r\n\n{\"document\":\"b\\u00e9\\n\"}\n");
        assert_eq!(rows, [(1, Ok("a".to_owned())), (3, Ok("bé\n".to_owned()))]);
        assert_eq!(documents("{\"document\":\"a\\ud800\"}"), [(1, Ok("a\u{fffd}".to_owned()))]);
    }

    #[test]
    fn a_bad_row_is_an_error_in_its_place_and_the_others_are_read() {
        for (bad, expected) in [
            ("{\"document\":\"x\"", "not valid JSON"),
            ("[1]", "a JSON object"),
            ("{\"document\":1}", "not a string"),
            ("{\"doc\":\"x\"}", "no field `document` (its fields: doc)"),
            ("{\"document\":\"x\",\"document\":\"y\"}", "given twice"),
        ] {
            let rows = documents(&format!("{{\"document\":\"a\"}}\n{bad}\n{{\"document\":\"b\"}}\n"));
            let [(1, Ok(_)), (2, Err(message)), (3, Ok(_))] = &rows[..] else { panic!("{rows:?}") };
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn fields_that_pass_through_keep_every_digit() {
        let line = r#"{"id":12345678901234567890123,"x":1.10,"y":{"b":1,"a":2}}"#;
        let fields: Fields = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&fields).unwrap(), line);
    }
}
