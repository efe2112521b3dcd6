//! The sections of a note: the text under each header.
//!
//! Headers are lines marked as such (`# Plan`, `**Plan**`) and, if a text has two or more of them, short lines that end with
//! a colon and short beginnings of lines before a colon ("Plan: rest"). A text without headers is one section. Capitals or
//! blank lines alone do not make a header.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::metrics::row::has_words;
use veridic::text::words;

/// The maximum number of words in a header on a separate line, and in one before its text.
const MAX_LINE_WORDS: usize = 8;
const MAX_LEAD_WORDS: usize = 4;

/// A part of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section<'t> {
    /// The header without its markup; `None` for the text before the first header.
    pub(super) header: Option<&'t str>,
    /// Its text, in bytes.
    pub(super) body: Range<usize>,
}

/// A header, and the offsets of it and its body, in bytes.
struct Header<'t> {
    name: &'t str,
    start: usize,
    body: usize,
    is_marked: bool,
}

/// The sections of a text, in order; at least one.
pub(super) fn sections(text: &str) -> Vec<Section<'_>> {
    let mut headers: Vec<Header<'_>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        headers.extend(header(line, start));
        start += line.len();
    }
    if headers.len() < 2 {
        headers.retain(|header| header.is_marked);
    }
    let first = headers.first().map_or(text.len(), |header| header.start);
    let mut found = Vec::new();
    if headers.is_empty() || has_words(&text[..first]) {
        found.push(Section { header: None, body: 0..first });
    }
    for (place, header) in headers.iter().enumerate() {
        let end = headers.get(place + 1).map_or(text.len(), |next| next.start);
        found.push(Section { header: Some(header.name), body: header.body..end });
    }
    found
}

/// Whether two headers name the same section, by their words.
pub(super) fn is_same(first: &str, second: &str) -> bool {
    let forms = |header| words(header).into_iter().map(|word| word.form).collect::<BTreeSet<_>>();
    forms(first) == forms(second)
}

fn header(line: &str, start: usize) -> Option<Header<'_>> {
    let shown = line.trim();
    let end = start + line.len();
    let lies_at = start + (line.len() - line.trim_start().len());
    let make = |name, body, is_marked| Some(Header { name, start: lies_at, body, is_marked });
    if let Some(name) = marked(shown) {
        return make(name, end, true);
    }
    let (name, rest) = shown.split_once(':')?;
    let longest = if rest.trim().is_empty() { MAX_LINE_WORDS } else { MAX_LEAD_WORDS };
    let is_plain = |c: char| c.is_alphanumeric() || c == ' ' || "/&()-'’,".contains(c);
    let count = name.split_whitespace().count();
    let opens = name.starts_with(char::is_uppercase) && name.chars().all(is_plain);
    let is_header = opens && count <= longest && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    is_header.then(|| make(name.trim(), lies_at + name.len() + 1, false))?
}

/// The name in a line that is marked as a header.
fn marked(line: &str) -> Option<&str> {
    let hashes = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
    let name = match hashes {
        Some(rest) => rest.starts_with(char::is_whitespace).then_some(rest)?,
        None => {
            let inside = line.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**")?;
            (!inside.contains("**")).then_some(inside)?
        }
    };
    let name = name.trim().trim_end_matches([':', '#']).trim();
    has_words(name).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(text: &str) -> Vec<(Option<&str>, &str)> {
        sections(text).into_iter().map(|section| (section.header, text[section.body].trim())).collect()
    }

    #[test]
    fn headers_have_marks_or_colons() {
        let text = "Seen today.\n# Plan #\nRest.\n**Labs:**\nNone.\nMedical history:\nAsthma.\nAllergies: nuts, eggs\n";
        let expected = [
            (None, "Seen today."),
            (Some("Plan"), "Rest."),
            (Some("Labs"), "None."),
            (Some("Medical history"), "Asthma."),
            (Some("Allergies"), "nuts, eggs"),
        ];
        assert_eq!(split(text), expected);
    }

    #[test]
    fn one_colon_does_not_make_sections() {
        assert_eq!(
            split("Police: the road is shut.\nRain fell."),
            [(None, "Police: the road is shut.\nRain fell.")]
        );
        assert_eq!(split("#tag\nIt rained at 10:30."), [(None, "#tag\nIt rained at 10:30.")]);
        assert_eq!(split("# Plan\nRest."), [(Some("Plan"), "Rest.")]);
    }

    #[test]
    fn headers_are_the_same_by_their_words() {
        assert!(is_same("Labs / Tests", "tests, labs") && !is_same("Plan", "Plan of care"));
    }

    proptest! {
        #[test]
        fn every_body_is_a_slice_in_order(text in "[a-zA-Z#*: é\n.]{0,80}") {
            let found = sections(&text);
            prop_assert!(!found.is_empty());
            let mut from = 0;
            for section in found {
                prop_assert!(section.body.start >= from && text.get(section.body.clone()).is_some());
                from = section.body.end;
            }
        }
    }
}
