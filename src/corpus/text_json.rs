//! Parses JSON whose strings may escape one half of a surrogate pair (`"\ud83d"` alone), which serde_json refuses. Such
//! halves are read as U+FFFD.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// The length of `\u` and four digits.
const ESCAPE_BYTES: usize = 6;

/// Parses a value.
///
/// # Errors
/// Those of `serde_json`.
pub fn from_json<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(&replace_unpaired(json))
}

/// Replaces every unpaired surrogate by an escaped U+FFFD.
fn replace_unpaired(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let (mut mended, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(found) = json.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match (unit(json, at), unit(json, at + ESCAPE_BYTES)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE_BYTES,
            (Some(0xd800..=0xdfff), _) => {
                mended += &json[kept..at];
                mended += "\\ufffd";
                kept = at + ESCAPE_BYTES;
                ESCAPE_BYTES
            }
            (Some(_), _) => ESCAPE_BYTES,
            // Another escape; the escaped character may be a backslash.
            (None, _) => 2,
        };
    }
    mended += &json[kept..];
    Cow::Owned(mended)
}

/// Returns the code unit of the escape at `at`.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE_BYTES)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_unpaired_surrogate_becomes_a_replacement_character() {
        for (json, text) in [
            (r#""a\ud83d b""#, "a\u{fffd} b"),
            (r#""\uDE00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00\ud83d\u0041""#, "😀\u{fffd}A"),
            (r#""\\ud83d \\\ud83d""#, "\\ud83d \\\u{fffd}"),
            (r#""\n\ud8ffé\"""#, "\n\u{fffd}é\""),
        ] {
            assert_eq!(from_json::<String>(json).unwrap(), text, "{json}");
        }
        assert_eq!(from_json::<Vec<String>>(r#"["\udead", "b"]"#).unwrap(), ["\u{fffd}", "b"]);
        for bad in [r#""\ud8"#, r#""\ud83d"#, r#""\ud83é""#, "\\", "\\ud"] {
            assert!(from_json::<String>(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn other_json_is_parsed_unchanged(text in any::<String>()) {
            prop_assert_eq!(from_json::<String>(&serde_json::to_string(&text).unwrap()).unwrap(), text);
        }

        #[test]
        fn any_text_is_json_or_an_error(json in "[\\\\uUdDé0-9a-f\"]{0,40}") {
            let _ = from_json::<String>(&format!("\"{json}\""));
        }
    }
}
