//! Decides what an error may quote of a file's content: the kind of a value, and the names of fields if they are short.
//! Values are never quoted, since errors go to logs and files may be confidential.

/// Maximum characters of a quoted name. In a table without a header, cells are in the place of names.
const MAX_NAME_CHARACTERS: usize = 32;
/// Maximum words of a quoted name.
const MAX_NAME_WORDS: usize = 3;
/// Maximum names of a list.
const MAX_NAMES: usize = 12;

/// Whether a text is short enough to be a name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.chars().nth(MAX_NAME_CHARACTERS).is_none() && text.split_whitespace().nth(MAX_NAME_WORDS).is_none()
}

/// A name in backquotes, or a phrase instead if it is too long.
#[must_use]
pub fn quoted_name(name: &str) -> String {
    if is_name(name) { format!("`{name}`") } else { "with a long name".to_owned() }
}

/// An id for an error; a text that is no id is not quoted.
#[must_use]
pub fn short_id(id: &str) -> &str {
    if is_name(id) { id } else { "(long)" }
}

/// The same for several ids.
#[must_use]
pub fn short_ids(ids: &[String]) -> Vec<&str> {
    ids.iter().map(|id| short_id(id)).collect()
}

/// Names as a list for an error, without those that are too long.
#[must_use]
pub fn listed_names(names: &[&str]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    let short: Vec<&str> = names.iter().copied().filter(|name| is_name(name)).take(MAX_NAMES).collect();
    match (names.len() - short.len(), short.is_empty()) {
        (0, _) => short.join(", "),
        (long, true) => format!("{long} with long names"),
        (more, false) => format!("{} and {more} more", short.join(", ")),
    }
}

/// The kind of a JSON value.
#[must_use]
pub fn kind_of(json: &str) -> &'static str {
    match json.trim_start().as_bytes().first() {
        Some(b'"') => "a text",
        Some(b'n') => "null",
        Some(b't' | b'f') => "true or false",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        Some(b'-' | b'0'..=b'9') => "a number",
        _ => "not JSON",
    }
}

/// The message of a serde error, without its position and without the value or name that it quotes.
#[must_use]
pub fn without_values(error: &impl ToString) -> String {
    let message = error.to_string();
    let is_place = |c: char| c.is_ascii_digit() || " column".contains(c);
    let message = match message.rsplit_once(" at line ") {
        Some((message, place)) if place.chars().all(is_place) => message,
        _ => message.as_str(),
    };
    // The expectation comes last and is never from the file.
    let (found, expected) = match message.rsplit_once(", expected ") {
        Some((found, expected)) => (found, format!("expected {expected}")),
        None => (message, "which is not known".to_owned()),
    };
    let found = match found.split_once(' ') {
        Some(("invalid", rest)) if ["type", "value", "length"].iter().any(|of| rest.starts_with(of)) => {
            match rest.split([' ', '`', '"']).nth(1) {
                Some("string" | "character") => "a text",
                Some("integer" | "floating") => "a number",
                Some("boolean") => "true or false",
                Some("map") => "an object",
                Some("sequence") => "a list",
                Some("null" | "unit") => "null",
                _ => "another value",
            }
        }
        Some(("unknown", rest)) if rest.starts_with("field") => "another field",
        Some(("unknown", _)) => "another value",
        _ => return message.to_owned(),
    };
    format!("found {found}, {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    const SECRET: &str = "Ms Ito, expected `never`, has \\\"a\\\" diagnosis at line 7";

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its errors are of interest")]
    struct Row {
        number: u8,
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        One,
        Two,
    }

    #[test]
    fn errors_of_serde_lose_the_value_and_keep_what_is_expected() {
        for (json, expected) in [
            (format!(r#"{{"number":"{SECRET}"}}"#), "found a text, expected u8"),
            (r#"{"number":{"secret":1}}"#.into(), "found an object, expected u8"),
            (r#"{"number":70707}"#.into(), "found a number, expected u8"),
            (format!(r#"{{"number":1,"kind":"{SECRET}"}}"#), "found another value, expected `one` or `two`"),
            (format!(r#"{{"{SECRET}":1}}"#), "found another field, expected `number` or `kind`"),
            (r#"{"number":1}"#.into(), "missing field `kind`"),
            (format!(r#"{{"number":1,"number":"{SECRET}"}}"#), "duplicate field `number`"),
            (format!("{{\"number\" {SECRET}"), "expected `:`"),
            (r#"{"number":"\x"}"#.into(), "invalid escape"),
        ] {
            let error = serde_json::from_str::<Row>(&json).unwrap_err();
            assert_eq!(without_values(&error), expected, "{json}");
        }
        let error = toml::from_str::<Row>(&format!("number = \"{SECRET}\"")).unwrap_err();
        assert_eq!(without_values(&error.message()), "found a text, expected u8");
    }

    #[test]
    fn a_cell_of_text_is_no_name() {
        let text = "Ms Ito was seen on Monday.";
        assert_eq!(quoted_name("Source Document"), "`Source Document`");
        assert_eq!(quoted_name(text), "with a long name");
        assert_eq!(listed_names(&["id", text, "model"]), "id, model and 1 more");
        assert_eq!((listed_names(&[text]), listed_names(&[])), ("1 with long names".into(), "none".into()));
        assert!(listed_names(&["x"; 20]).ends_with("x and 8 more"));
    }
}
