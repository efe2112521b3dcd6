//! Lists of texts as Python prints them, `['a', "it's"]`, found in tables whose cells were lists (TofuEval's key points).
//! Refuses everything else, including JSON lists with other values.

use std::iter::Peekable;
use std::str::Chars;

/// Parses the texts of a list with single quotes, double quotes or both.
pub(crate) fn python_list(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut rest = inside.chars().peekable();
    let mut texts = Vec::new();
    skip_spaces(&mut rest);
    while rest.peek().is_some() {
        texts.push(quoted(&mut rest)?);
        skip_spaces(&mut rest);
        match rest.next() {
            None => break,
            Some(',') => skip_spaces(&mut rest),
            Some(_) => return None,
        }
    }
    Some(texts)
}

fn skip_spaces(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|c| c.is_whitespace()).is_some() {}
}

fn quoted(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let quote = rest.next_if(|c| matches!(c, '\'' | '"'))?;
    let mut text = String::new();
    loop {
        match rest.next()? {
            '\\' => text.push(escaped(rest)?),
            c if c == quote => return Some(text),
            c => text.push(c),
        }
    }
}

/// Parses the character after a backslash.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let digits = match rest.next()? {
        'n' => return Some('\n'),
        'r' => return Some('\r'),
        't' => return Some('\t'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        c @ ('\\' | '\'' | '"' | '/') => return Some(c),
        _ => return None,
    };
    let digits: String = rest.by_ref().take(digits).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            ("['a' 'b']", None),
            ("['a', 1]", None),
            ("['a]", None),
            ("'a'", None),
            ("['\\ud800']", None),
            (r#"[{"text": "a"}]"#, None),
        ] {
            let expected = expected.map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(python_list(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn json_lists_of_texts_are_parsed_too_and_nothing_panics(
            texts in proptest::collection::vec("[a-z'\\\\\"\n\u{a0}é]{0,8}", 0..5),
            noise in "[\\[\\]'\",\\\\xuU0-9a ]{0,12}",
        ) {
            let json = serde_json::to_string(&texts).unwrap();
            prop_assert_eq!(python_list(&json), Some(texts));
            let _ = python_list(&noise);
            let _ = python_list(&format!("[{noise}]"));
        }
    }
}
