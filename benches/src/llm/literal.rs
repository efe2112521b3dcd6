//! Parses the lists and objects in a reply, written as JSON or as Python: single quotes, `True`, `None`, a trailing comma,
//! words before and after. Published parsers accept both, since models write both.

use serde_json::{Map, Number, Value};

use super::parsed::{Parsed, Unparsable};

/// The maximum nesting depth.
const DEEPEST: usize = 32;

/// Returns the complete lists and objects of a text, in order.
pub(crate) fn values(text: &str) -> Vec<Value> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find(['[', '{']) {
        rest = &rest[start..];
        let mut json = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let mut reader = Reader { rest };
        let (value, after) = match json.next() {
            Some(Ok(value)) => (Some(value), &rest[json.byte_offset()..]),
            _ => (reader.value(0), reader.rest),
        };
        rest = if value.is_some() { after } else { &rest[1..] };
        found.extend(value);
    }
    found
}

/// Parses a text that is a list of texts and nothing else, as Python prints lists and as tables hold them.
pub(crate) fn list_of_texts(text: &str) -> Option<Vec<String>> {
    let mut reader = Reader { rest: text };
    let list = reader.value(0)?;
    let items = list.as_array().filter(|_| reader.rest.trim().is_empty())?;
    items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Returns the items in a reply: the last list `wanted` of an object, since a draft may precede it; otherwise the last list
/// that is not a citation such as `[1]`; otherwise an object that is itself an item, having the member `own`.
pub(crate) fn items(text: &str, wanted: &str, own: &str) -> Parsed<Vec<Value>> {
    let values = values(text);
    let named = values.iter().rev().find_map(|value| member(value, wanted)?.as_array());
    let is_citation = |list: &Vec<Value>| !list.is_empty() && list.iter().all(Value::is_number);
    let bare = || values.iter().rev().filter_map(Value::as_array).find(|list| !is_citation(list));
    let only = || match &values[..] {
        [Value::Object(members)] => members.values().find_map(Value::as_array).filter(|_| members.len() == 1),
        _ => None,
    };
    if let Some(list) = named.or_else(bare).or_else(only) {
        return Ok(list.clone());
    }
    let item = values.into_iter().find(|value| member(value, own).is_some());
    item.map(|item| vec![item]).ok_or_else(|| Unparsable(format!("it has no list of {wanted}")))
}

/// Returns the texts of the items in a reply: each is a text, or an object with the text in the member `own`. Blank ones are
/// left out.
pub(crate) fn texts(text: &str, wanted: &str, own: &str) -> Parsed<Vec<String>> {
    let items = items(text, wanted, own)?;
    let of_item = |item: &Value| {
        let said = item.as_str().or_else(|| member(item, own)?.as_str());
        said.map(|said| said.trim().to_owned())
            .ok_or_else(|| Unparsable(format!("its list of {wanted} has an item without a text")))
    };
    let texts = items.iter().map(of_item).collect::<Parsed<Vec<String>>>()?;
    Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// Returns a member of an object; names match regardless of case, spaces, hyphens and underscores.
pub(crate) fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let plain = |name: &str| {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let wanted = plain(name);
    value.as_object()?.iter().find(|(name, _)| plain(name) == wanted).map(|(_, value)| value)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.skip_space();
        match self.rest.chars().next()? {
            '[' => self.array(depth),
            '{' => self.object(depth),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.take('[');
        let mut items = Vec::new();
        while !self.take(']') {
            items.push(self.value(depth + 1)?);
            if !self.take(',') {
                return self.take(']').then_some(Value::Array(items));
            }
        }
        Some(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{');
        let mut members = Map::new();
        while !self.take('}') {
            self.skip_space();
            let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let name = self.string(quote)?;
            if !self.take(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            members.insert(name, value);
            if !self.take(',') {
                return self.take('}').then_some(Value::Object(members));
            }
        }
        Some(Value::Object(members))
    }

    fn string(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                _ if c == quote => {
                    self.rest = &self.rest[1 + at + 1..];
                    return Some(text);
                }
                '\\' => {
                    let digits = match chars.next()?.1 {
                        'x' => 2,
                        'u' => 4,
                        'U' => 8,
                        letter => {
                            text.push(escaped(letter));
                            continue;
                        }
                    };
                    let code: String = chars.by_ref().take(digits).map(|(_, digit)| digit).collect();
                    let code = u32::from_str_radix(&code, 16).ok()?;
                    text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                c => text.push(c),
            }
        }
        None
    }

    /// Parses a number, a truth value or null.
    fn word(&mut self) -> Option<Value> {
        let end =
            self.rest.find(|c: char| !(c.is_alphanumeric() || "+-.".contains(c))).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "true" | "True" => Some(Value::Bool(true)),
            "false" | "False" => Some(Value::Bool(false)),
            "null" | "None" => Some(Value::Null),
            number => number
                .parse::<i64>()
                .ok()
                .map(Number::from)
                .or_else(|| number.parse().ok().and_then(Number::from_f64))
                .map(Value::Number),
        }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, mark: char) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// The character of a letter after a backslash.
fn escaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_as_models_write_them() {
        for (text, expected) in [
            (r#"[{"a": "b"}]"#, vec![json!([{"a": "b"}])]),
            ("Sure! Here it is:\n```json\n{\"a\": [1, 2.5,]}\n```\nDone [x", vec![json!({"a": [1, 2.5]})]),
            (
                r"[{'key fact': 'Anna\'s dog', 'ok': True, 'line': None}]",
                vec![json!([{"key fact": "Anna's dog", "ok": true, "line": null}])],
            ),
            ("[1] is cited: [\"a\\u00e9\\ud83d\\ude00\"]", vec![json!([1]), json!(["a\u{e9}\u{1f600}"])]),
            ("{x} [\"a\"]", vec![json!(["a"])]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
        for text in ["", "Yes", "[1, 2", "{\"a\" 1}", "['a", &"[".repeat(100)] {
            assert_eq!(values(text), Vec::<Value>::new(), "{text}");
        }
    }

    #[test]
    fn lists_that_python_prints_are_parsed() {
        for (text, expected) in [
            (r#"['1. A b.', "2. It's c."]"#, Some(vec!["1. A b.", "2. It's c."])),
            (
                r#"['a \'b\' "c"', 'd\\e\nf\xa0g\u2019h']"#,
                Some(vec!["a 'b' \"c\"", "d\\e\nf\u{a0}g\u{2019}h"]),
            ),
            (" [ ] ", Some(vec![])),
            (r#"["a", "b"]"#, Some(vec!["a", "b"])),
            ("['a'] b", None),
            ("['a' 'b']", None),
            ("['a', 1]", None),
            ("['a]", None),
            ("'a'", None),
            (r#"[{"text": "a"}]"#, None),
        ] {
            let expected = expected.map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(list_of_texts(text), expected, "{text}");
        }
    }

    #[test]
    fn items_are_the_wanted_ones() {
        let found = |text| items(text, "key facts", "response").ok();
        assert_eq!(found(r#"{"all": ["x"], "key_facts": ["a"]}"#), Some(vec![json!("a")]));
        assert_eq!(found("As in [1]: [\"a\"]"), Some(vec![json!("a")]));
        assert_eq!(found("Line [1] is fine. {\"key facts\": []}"), Some(vec![]));
        assert_eq!(found(r#"{"facts": ["a"]}"#), Some(vec![json!("a")]));
        assert_eq!(found(r#"{"a": ["x"], "b": ["y"]}"#), None);
        assert_eq!(found(r#"{"response": "Yes"}"#), Some(vec![json!({"response": "Yes"})]));
        assert_eq!(found("[1]"), None);
        // The last one counts.
        assert_eq!(found(r#"{"key facts": ["draft"]} Better: {"key facts": ["a"]}"#), Some(vec![json!("a")]));
    }

    #[test]
    fn texts_are_items_or_their_members() {
        let found = |text| texts(text, "key facts", "key fact");
        let both = r#"{"key facts": [" a ", {"key fact": "b"}, ""]}"#;
        assert_eq!(found(both), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for (text, reason) in
            [("none", "no list of key facts"), (r#"{"key facts": ["a", {"fact": "b"}]}"#, "without a text")]
        {
            assert!(found(text).unwrap_err().0.contains(reason), "{text}");
        }
    }

    #[test]
    fn members_are_found_in_their_spellings() {
        let value = json!({"Key_Fact": 1, "line number": 2});
        assert_eq!(member(&value, "key fact"), Some(&json!(1)));
        assert_eq!(member(&value, "line_number"), Some(&json!(2)));
    }

    proptest! {
        #[test]
        fn json_is_read_as_it_is(items in proptest::collection::vec("[a-zé\"'\\\\\n ]{0,8}", 0..5)) {
            let value = json!({ "items": items });
            prop_assert_eq!(values(&format!("so: {value} end")), vec![value]);
            let list = serde_json::to_string(&items).unwrap();
            prop_assert_eq!(list_of_texts(&list), Some(items));
        }

        #[test]
        fn no_text_is_too_odd(text in ".{0,60}") {
            let _ = values(&text);
            let _ = list_of_texts(&text);
            let _ = list_of_texts(&format!("['{text}"));
            let _ = list_of_texts(&format!("[{text}]"));
        }
    }
}
