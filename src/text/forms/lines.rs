//! The lines of a text, for the readers of forms.

use std::ops::Range;

/// The lines of a text without their ends, in bytes.
pub(super) fn lines(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let line = |line: &str| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A line without the white space around it.
pub(super) fn trimmed(text: &str, line: &Range<usize>) -> Range<usize> {
    let inside = &text[line.clone()];
    let start = line.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}
