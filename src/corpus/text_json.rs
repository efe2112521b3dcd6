//! JSON of texts as it is found. It can write half of a surrogate pair (`"\ud83d"` alone), which is no character: in
//! what is read, U+FFFD stands in its place.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// `\u` and four digits.
const ESCAPE_BYTES: usize = 6;

/// Reads a value.
///
/// # Errors
/// Those of `serde_json`.
pub fn from_json<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(&whole_pairs(json))
}

/// The JSON with U+FFFD for every half of a pair.
fn whole_pairs(json: &str) -> Cow<'_, str> {
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
            // Another escape; what is escaped may be a backslash.
            (None, _) => 2,
        };
    }
    mended += &json[kept..];
    Cow::Owned(mended)
}

/// The code unit that is escaped there.
fn unit(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE_BYTES)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_a_pair_is_a_replacement_character() {
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
        fn other_json_is_read_as_it_is(text in any::<String>()) {
            prop_assert_eq!(from_json::<String>(&serde_json::to_string(&text).unwrap()).unwrap(), text);
        }

        #[test]
        fn any_text_is_json_or_an_error(json in "[\\\\uUdDé0-9a-f\"]{0,40}") {
            let _ = from_json::<String>(&format!("\"{json}\""));
        }
    }
}
