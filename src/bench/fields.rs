//! Fields of a benchmark's row. In a table every cell is a string, so a number or label may be one.

use serde_json::value::RawValue;

use crate::corpus::Fields;

/// Refuses a row that lacks fields, naming all of them.
pub(super) fn require(fields: &Fields, names: &[&str]) -> Result<(), String> {
    let missing: Vec<&str> = names.iter().copied().filter(|name| fields.get(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (word, missing) = (if missing.len() == 1 { "field" } else { "fields" }, missing.join("`, `"));
    Err(format!("has no {word} `{missing}` (its fields: {})", fields.names().join(", ")))
}

/// A field that holds a name: a string or a number, without spaces around it.
pub(super) fn name(fields: &Fields, field: &str) -> Result<String, String> {
    let value = json(fields, field)?;
    let text = match value.as_bytes().first() {
        Some(b'"') => serde_json::from_str(value).map_err(|_| format!("field `{field}` is not text"))?,
        Some(b'0'..=b'9' | b'-') => value.to_owned(),
        _ => return Err(format!("field `{field}` is {}, not a name", short(value))),
    };
    match text.trim() {
        "" => Err(format!("field `{field}` is empty")),
        trimmed => Ok(trimmed.to_owned()),
    }
}

/// A field that holds a label: 1 (consistent) or 0.
pub(super) fn label(fields: &Fields, field: &str) -> Result<bool, String> {
    let value = json(fields, field)?;
    let refusal = || format!("field `{field}` is {}: it must be 1 (consistent) or 0", short(value));
    zero_or_one(value.trim_matches('"').trim()).ok_or_else(refusal)
}

/// 1 and 0 in any spelling of the number, `true` and `false` in small and capital letters.
pub(super) fn zero_or_one(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        number => match number.parse::<f64>() {
            Ok(1.0) => Some(true),
            Ok(0.0) => Some(false),
            _ => None,
        },
    }
}

/// What a file's name says of its rows: the name without folders, extensions, and the authors' prefix.
pub(super) fn file_stem(path: &str, prefix: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_prefix(prefix).unwrap_or(name);
    name.split('.').next().unwrap_or(name).to_owned()
}

fn json<'f>(fields: &'f Fields, field: &str) -> Result<&'f str, String> {
    require(fields, &[field])?;
    Ok(fields.get(field).map_or("null", RawValue::get))
}

/// A value that an error quotes.
pub(super) fn short(value: &str) -> String {
    const KEPT: usize = 60;
    match value.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}...", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(row: &str) -> Fields {
        serde_json::from_str(row).unwrap()
    }

    #[test]
    fn labels_are_zero_and_one_in_any_spelling() {
        for (value, expected) in [
            ("1", true),
            ("\"1\"", true),
            ("\"0\"", false),
            ("1.00", true),
            ("false", false),
            ("\"TRUE\"", true),
        ] {
            assert_eq!(label(&fields(&format!(r#"{{"label":{value}}}"#)), "label"), Ok(expected));
        }
        for value in ["2", "-1", "0.5", "null", "\"yes\"", "[1]", "\"\""] {
            let error = label(&fields(&format!(r#"{{"label":{value}}}"#)), "label").unwrap_err();
            assert!(error.contains("`label`") && error.contains(value), "{error}");
        }
    }

    #[test]
    fn all_missing_fields_are_named() {
        let error = require(&fields(r#"{"a":1,"b":2}"#), &["a", "c", "d"]).unwrap_err();
        assert_eq!(error, "has no fields `c`, `d` (its fields: a, b)");
    }

    #[test]
    fn a_file_is_named_by_its_stem() {
        for (path, expected) in [
            ("data/summedits_sales_call.json", "sales_call"),
            ("C:\\x\\news.json.gz", "news"),
            ("standard input", "standard input"),
        ] {
            assert_eq!(file_stem(path, "summedits_"), expected);
        }
    }

    #[test]
    fn names_are_texts_or_numbers() {
        let row = fields(r#"{"a":" x ","b":7,"c":"","d":null,"e":"\ud800"}"#);
        assert_eq!((name(&row, "a"), name(&row, "b")), (Ok("x".into()), Ok("7".into())));
        for field in ["c", "d", "e", "f"] {
            assert!(name(&row, field).unwrap_err().contains(&format!("`{field}`")));
        }
    }
}
