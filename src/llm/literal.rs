//! The first list or object in a reply, as JSON or as Python writes it: single quotes, `True`, `None`, a comma after the last
//! item, words before and after it. Published parsers read both, since models write both.

use serde_json::{Map, Number, Value};

/// Deepest nesting.
const DEEPEST: usize = 32;

/// The first list or object of a text that is complete.
pub(crate) fn first(text: &str) -> Option<Value> {
    let starts = text.char_indices().filter(|(_, c)| matches!(c, '[' | '{'));
    starts.map(|(at, _)| Reader { rest: &text[at..] }.value(0)).find(Option::is_some)?
}

/// The items of a list: of the value itself, or of the first list that an object holds.
pub(crate) fn list(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) => Some(items),
        Value::Object(members) => members.into_iter().find_map(|(_, value)| match value {
            Value::Array(items) => Some(items),
            _ => None,
        }),
        _ => None,
    }
}

/// A member of an object, its name compared without case, spaces, hyphens and underscores.
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
                '\\' => match chars.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'u' => {
                        let code: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let code = u32::from_str_radix(&code, 16).ok()?;
                        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    other => text.push(other),
                },
                c => text.push(c),
            }
        }
        None
    }

    /// A number, a truth value or nothing.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_are_found_as_models_write_them() {
        for (text, value) in [
            (r#"[{"a": "b"}]"#, json!([{"a": "b"}])),
            ("Sure! Here it is:\n```json\n{\"a\": [1, 2.5,]}\n```\nDone [x", json!({"a": [1, 2.5]})),
            (
                r"[{'key fact': 'Anna\'s dog', 'ok': True, 'line': None}]",
                json!([{"key fact": "Anna's dog", "ok": true, "line": null}]),
            ),
            ("[1] is cited: [\"a\\u00e9\\n\"]", json!([1])),
            ("{x} [\"a\"]", json!(["a"])),
        ] {
            assert_eq!(first(text), Some(value), "{text}");
        }
        for text in ["", "Yes", "[1, 2", "{\"a\" 1}", "['a", &"[".repeat(100)] {
            assert_eq!(first(text), None, "{text}");
        }
    }

    #[test]
    fn members_are_found_in_their_spellings() {
        let value = json!({"Key_Fact": 1, "line number": 2});
        assert_eq!(member(&value, "key fact"), Some(&json!(1)));
        assert_eq!(member(&value, "line_number"), Some(&json!(2)));
        assert_eq!(list(json!({"a": 1, "b": [2]})), Some(vec![json!(2)]));
        assert_eq!(list(json!({"a": 1})), None);
    }

    proptest! {
        #[test]
        fn json_is_read_as_it_is(items in proptest::collection::vec("[a-zé\"'\\\\\n ]{0,8}", 0..5)) {
            let value = json!({ "items": items });
            prop_assert_eq!(first(&format!("so: {value} end")), Some(value));
        }

        #[test]
        fn no_text_is_too_odd(text in ".{0,60}") {
            let _ = first(&text);
        }
    }
}
