//! Marks around a statement that are not part of it: bullets, list numbers, quotation marks.
//!
//! Decides where the statement in a sentence begins and ends. Refuses a quotation that is only part of the sentence:
//! "'No', he said".

use std::ops::Range;

use super::super::lines::{is_bullet, is_item_number};

/// Opening and closing quotation marks, and whether the mark may be an apostrophe.
const PAIRS: [(&str, &str, bool); 7] = [
    ("``", "''", false),
    ("“", "”", false),
    ("\"", "\"", false),
    ("„", "“", false),
    ("«", "»", false),
    ("‘", "’", true),
    ("'", "'", true),
];

/// The byte range of the statement in `sentence`; empty if the sentence is all marks.
pub(super) fn statement(sentence: &str) -> Range<usize> {
    let mut range = 0..sentence.len();
    loop {
        let text = &sentence[range.clone()];
        let start = range.start + text.len() - text.trim_start().len();
        let inner = inside(text.trim());
        let next = start + inner.start..start + inner.end;
        if next == range {
            return range;
        }
        range = next;
    }
}

/// The byte range of `text` after a bullet or an item number, or between quotation marks.
fn inside(text: &str) -> Range<usize> {
    let mark = text.split(char::is_whitespace).next().unwrap_or("");
    if is_bullet(mark) || is_item_number(mark) { mark.len()..text.len() } else { unquoted(text) }
}

/// The byte range of `text` without the quotation marks around it, and without an unpaired one.
fn unquoted(text: &str) -> Range<usize> {
    let unstopped = text.trim_end_matches(['.', '!', '?']);
    for (open, close, apostrophe) in PAIRS {
        let closed = unstopped.strip_suffix(close);
        if let Some(inner) = text.strip_prefix(open) {
            let body = closed.and_then(|closed| closed.get(open.len()..));
            match body.filter(|body| is_one(body, open, close)) {
                Some(body) => return open.len()..open.len() + body.len(),
                None if !apostrophe && !inner.contains(close) => return open.len()..text.len(),
                None => {}
            }
        } else if let Some(body) = closed.filter(|body| !apostrophe && !body.contains(open)) {
            return 0..body.len();
        }
    }
    0..text.len()
}

/// Whether a quotation that opens before `body` stays open to its end.
fn is_one(body: &str, open: &str, close: &str) -> bool {
    let mut depth = 1;
    let mut place = 0;
    while let Some(letter) = body[place..].chars().next() {
        let (before, rest) = body.split_at(place);
        let word_before = before.ends_with(char::is_alphanumeric);
        let after = rest.strip_prefix(close).or_else(|| rest.strip_prefix(open)).unwrap_or(rest);
        let inside_word = word_before && after.starts_with(char::is_alphanumeric);
        let opens = rest.starts_with(open)
            && (open != close || before.is_empty() || before.ends_with(char::is_whitespace));
        if opens {
            depth += 1;
        } else if rest.starts_with(close) && !inside_word {
            depth -= 1;
        }
        if depth == 0 {
            return false;
        }
        place += if after.len() < rest.len() { rest.len() - after.len() } else { letter.len_utf8() };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[test]
    fn marks_around_a_statement_are_removed() {
        for (sentence, bare) in [
            ("- - The delay was long.", "The delay was long."),
            ("* “It rained.”", "It rained."),
            ("(iv) 'It's late.'", "It's late."),
            ("b. It rained.", "It rained."),
            ("2) \"It rained\".", "It rained"),
            ("\"They guess \"baker\" and \"cook\".\"", "They guess \"baker\" and \"cook\"."),
            ("``It rained.", "It rained."),
            ("It rained.\"", "It rained."),
            (" 3. ", ""),
        ] {
            assert_eq!(&sentence[statement(sentence)], bare);
        }
        for sentence in [
            "\"No\", he said, \"not me\".",
            "“Up” and “Down” are films.",
            "A. Smith left.",
            "-5 degrees were measured.",
            "1980 was cold.",
            "'Up' and 'Down' are the boys' films.",
        ] {
            assert_eq!(&sentence[statement(sentence)], sentence);
        }
    }
}
