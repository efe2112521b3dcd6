//! Marks before and in sentences that are no part of what they state: list numbers and letters, bullets, checkboxes, time
//! stamps, and labels of writers. The label of a speaker of the document is part of the statement.

use std::ops::Range;

use crate::text::forms::{Stamp, label, time_stamp};
use crate::text::lines::{is_bullet, is_item_number};

/// Labels of writers of answers, and of their parts, rather than of people in the text.
const ROLES: [&str; 11] =
    ["ai", "answer", "assistant", "bot", "chatbot", "human", "p.s.", "ps", "summary", "system", "user"];

/// The label of a summary's summary, which no name has the letters of.
const IN_SHORT: &str = "tl;dr:";

/// The length in bytes of a sentence's leading marks: list numbers and letters, bullets, checkboxes, time stamps, and
/// labels of speakers other than these.
pub(super) fn leading_marks(sentence: &str, speakers: &[String]) -> usize {
    let (mut at, mut is_timed) = (0, false);
    loop {
        let rest = &sentence[at..];
        let next = rest.split(char::is_whitespace).next().unwrap_or("");
        let is_mark = is_bullet(next) || is_checkbox(rest) || is_item_number(next);
        let length = match time_stamp(rest) {
            _ if rest.starts_with('[') && is_checkbox(rest) => "[ ]".len(),
            _ if is_mark || next.eq_ignore_ascii_case(IN_SHORT) => next.len(),
            Some(Stamp { end, .. }) if is_whole_stamp(&rest[..end]) => {
                is_timed = true;
                end
            }
            _ => match label(rest) {
                Some(label) if is_writer(label.name, is_timed, speakers) => label.end,
                _ => return at,
            },
        };
        let after =
            rest[length..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | ':'));
        if !after.contains(char::is_alphanumeric) {
            return at;
        }
        at = sentence.len() - after.len();
    }
}

fn is_checkbox(text: &str) -> bool {
    let boxed = ["[ ]", "[x]", "[X]"].iter().any(|mark| text.starts_with(mark));
    boxed || text.starts_with(['☐', '☑', '☒', '✓', '✔', '✅'])
}

/// Whether a time stamp is more than a time of day: in brackets, or with seconds.
fn is_whole_stamp(stamp: &str) -> bool {
    stamp.starts_with(['[', '(']) || stamp.matches(':').count() > 1
}

/// Whether a label names the writer of the line: a writer of answers, or after a time stamp a person other than these
/// speakers. Without a time, "Ruben Navarrette: It is a myth." attributes a statement.
fn is_writer(label: &str, is_timed: bool, speakers: &[String]) -> bool {
    let first = label.split_whitespace().next().unwrap_or("");
    let is_role = ROLES.contains(&&*label.to_lowercase()) || label.to_lowercase().starts_with("speaker ");
    is_role || is_timed && !speakers.iter().any(|speaker| speaker.split_whitespace().next() == Some(first))
}

/// Time stamps in square brackets, with the white space before them.
pub(super) fn time_stamps(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('[').filter_map(|(at, _)| {
        let end = at + time_stamp(&text[at..])?.end;
        let before = text[..at].trim_end_matches(' ');
        let is_first = before.is_empty() || before.ends_with('\n');
        Some(if is_first { at..end } else { before.len()..end })
    })
}
