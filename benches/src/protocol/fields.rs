//! Fields of a benchmark's row. In a table every cell is a string, so numbers and labels may be strings.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use veridic::corpus::{Fields, field_text, from_json};
use veridic_models::store::quoting::{kind_of, listed_names, without_values};

/// Refuses a row that lacks any of the fields, naming the missing ones.
pub(crate) fn require(fields: &Fields, names: &[&str]) -> Result<(), String> {
    let missing: Vec<&str> = names.iter().copied().filter(|name| fields.get(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (word, missing) = (if missing.len() == 1 { "field" } else { "fields" }, missing.join("`, `"));
    Err(format!("has no {word} `{missing}` (its fields: {})", listed_names(&fields.names())))
}

/// Takes the text of a field that may be missing or null.
pub(crate) fn optional_text(fields: &mut Fields, field: &str) -> Result<Option<String>, String> {
    match fields.get(field).map(RawValue::get) {
        None | Some("null") => Ok(None),
        Some(_) => field_text(fields, field).map(Some),
    }
}

/// Whether a field is missing, null or blank.
pub(crate) fn is_blank(fields: &Fields, field: &str) -> bool {
    match fields.get(field).map(RawValue::get) {
        None | Some("null") => true,
        Some(value) => from_json::<String>(value).is_ok_and(|text| text.trim().is_empty()),
    }
}

/// Reads a name: a string or a number, without surrounding spaces.
pub(crate) fn name(fields: &Fields, field: &str) -> Result<String, String> {
    let value = json(fields, field)?;
    let text = match value.as_bytes().first() {
        Some(b'"') => from_json(value).map_err(|_| format!("field `{field}` is not text"))?,
        Some(b'0'..=b'9' | b'-') => value.to_owned(),
        _ => return Err(format!("field `{field}` is {}, not a name", kind_of(value))),
    };
    match text.trim() {
        "" => Err(format!("field `{field}` is empty")),
        trimmed => Ok(trimmed.to_owned()),
    }
}

/// Returns the value named by a field or else by the file name, if either names one; `expected` lists the names for an
/// error.
pub(crate) fn choice<T>(
    fields: &Fields,
    field: &str,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
    of_file: Option<T>,
) -> Result<Option<T>, String> {
    if fields.get(field).is_none() {
        return Ok(of_file);
    }
    let found = name(fields, field)?;
    let unknown = || format!("field `{field}` must be {expected}");
    parse(&found).map(Some).ok_or_else(unknown)
}

/// Like [`choice`], but one of the two must name a value.
pub(crate) fn required_choice<T>(
    fields: &Fields,
    field: &str,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
    of_file: Option<T>,
) -> Result<T, String> {
    let missing =
        || format!("neither a field `{field}` nor the file's name gives the {field}: it must be {expected}");
    choice(fields, field, expected, parse, of_file)?.ok_or_else(missing)
}

pub(crate) fn label(fields: &Fields, field: &str) -> Result<bool, String> {
    let value = json(fields, field)?;
    let refusal = || format!("field `{field}` is {}: it must be 1 (consistent) or 0", kind_of(value));
    zero_or_one(value.trim_matches('"').trim()).ok_or_else(refusal)
}

pub(crate) fn number(fields: &Fields, field: &str) -> Result<f64, String> {
    let value = json(fields, field)?;
    match value.trim_matches('"').trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("field `{field}` is {}: it must be a number", kind_of(value))),
    }
}

pub(crate) fn share(fields: &Fields, field: &str) -> Result<f64, String> {
    let number = number(fields, field)?;
    if (0.0..=1.0).contains(&number) {
        return Ok(number);
    }
    Err(format!("field `{field}` must be a share, from 0 to 1"))
}

/// Parses a field as type `T`; `what` describes the type in the error.
pub(crate) fn parsed<T: DeserializeOwned>(fields: &Fields, field: &str, what: &str) -> Result<T, String> {
    from_json(json(fields, field)?)
        .map_err(|error| format!("field `{field}` is not {what} ({})", without_values(&error)))
}

/// Returns the texts of a field that holds a list of texts, or its JSON; `None` for any other value.
pub(crate) fn texts(fields: &Fields, field: &str) -> Option<Vec<String>> {
    let value = fields.get(field)?.get();
    let of_table = || from_json::<String>(value).ok().and_then(|json| from_json(&json).ok());
    from_json(value).ok().or_else(of_table)
}

/// Parses 1 and 0 in any spelling of the number, and `true` and `false` in lower or upper case.
pub(crate) fn zero_or_one(text: &str) -> Option<bool> {
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

/// Returns a file's name without folders, extensions and the authors' prefix.
pub(crate) fn file_stem(path: &str, prefix: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_prefix(prefix).unwrap_or(name);
    name.split('.').next().unwrap_or(name).to_owned()
}

fn json<'f>(fields: &'f Fields, field: &str) -> Result<&'f str, String> {
    require(fields, &[field])?;
    Ok(fields.get(field).map_or("null", RawValue::get))
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
            ("1e0", true),
            ("-0", false),
        ] {
            assert_eq!(label(&fields(&format!(r#"{{"label":{value}}}"#)), "label"), Ok(expected));
        }
        for value in ["2", "-1", "0.5", "null", "\"yes\"", "[1]", "\"\"", "\"nan\"", "\"\\ud800\""] {
            let error = label(&fields(&format!(r#"{{"label":{value}}}"#)), "label").unwrap_err();
            assert!(error.contains("`label` is ") && error.ends_with("1 (consistent) or 0"), "{error}");
        }
    }

    #[test]
    fn shares_are_numbers_from_zero_to_one() {
        let row = fields(r#"{"a":0.25,"b":"1","c":1.5,"d":"high","e":null,"f":[{"x":1}]}"#);
        assert_eq!((share(&row, "a"), share(&row, "b")), (Ok(0.25), Ok(1.0)));
        for field in ["c", "d", "e", "f", "g"] {
            assert!(share(&row, field).unwrap_err().contains(&format!("`{field}`")));
        }
        assert_eq!(number(&row, "c"), Ok(1.5));
        let error = parsed::<Vec<String>>(&row, "f", "a list of texts").unwrap_err();
        assert!(error.contains("`f` is not a list of texts") && !error.contains("line"), "{error}");
    }

    #[test]
    fn texts_are_a_list_or_its_json() {
        let row = fields(r#"{"a":["x","y"],"b":"[\"x\", \"y\"]","c":"x","d":[1],"e":null,"f":[]}"#);
        assert_eq!(texts(&row, "a"), Some(vec!["x".into(), "y".into()]));
        assert_eq!(texts(&row, "b"), texts(&row, "a"));
        assert_eq!(texts(&row, "f"), Some(Vec::new()));
        for field in ["c", "d", "e", "g"] {
            assert_eq!(texts(&row, field), None, "{field}");
        }
    }

    #[test]
    fn all_missing_fields_are_named() {
        let error = require(&fields(r#"{"a":1,"b":2}"#), &["a", "c", "d"]).unwrap_err();
        assert_eq!(error, "has no fields `c`, `d` (its fields: a, b)");
    }

    #[test]
    fn file_stem_has_no_folder_extension_or_prefix() {
        for (path, expected) in [
            ("data/summedits_sales_call.json", "sales_call"),
            ("C:\\x\\news.json.gz", "news"),
            ("standard input", "standard input"),
        ] {
            assert_eq!(file_stem(path, "summedits_"), expected);
        }
    }

    #[test]
    fn names_are_strings_or_numbers() {
        let row = fields(r#"{"a":" x ","b":7,"c":"","d":null,"e":[]}"#);
        assert_eq!((name(&row, "a"), name(&row, "b")), (Ok("x".into()), Ok("7".into())));
        for field in ["c", "d", "e", "f"] {
            assert!(name(&row, field).unwrap_err().contains(&format!("`{field}`")));
        }
    }
}
