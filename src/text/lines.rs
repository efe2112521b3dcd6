//! Splits a text into blocks by its layout, without looking at its words.
//!
//! A line end is a break at blank lines and form feeds, before a list item, and after a line that was ended early (a
//! heading, a line of a dialogue): the first word of the next line would have fitted on it, and that next line looks like
//! a start. Line ends of wrapped text are ordinary white space.

use std::ops::Range;

use super::style::Style;

/// Text with narrower lines is never regarded as wrapped.
const NARROWEST_WRAP: usize = 40;

/// A line.
struct Line {
    /// Its bytes without the line end and the white space around it.
    bytes: Range<usize>,
    /// Columns from the start of the line to its last visible character, capped.
    width: usize,
}

/// The blocks of a text as byte ranges, in order. No sentence crosses from one to the next; every visible character is
/// in one of them.
pub(super) fn blocks(text: &str, style: Style) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut paragraph = Vec::new();
    for (line, hard) in lines(text) {
        let blank = line.bytes.is_empty();
        if !blank {
            paragraph.push(line);
        }
        if blank || hard {
            split_paragraph(text, style, &paragraph, &mut found);
            paragraph.clear();
        }
    }
    split_paragraph(text, style, &paragraph, &mut found);
    found
}

/// The lines of a text; the flag says whether a line's end is always a break.
fn lines(text: &str) -> impl Iterator<Item = (Line, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let start = text.len() - rest.len();
        let end = rest.find(is_line_end).unwrap_or(rest.len());
        let (inside, after) = rest.split_at(end);
        let mark = after.chars().next();
        let two = if after.starts_with("\r\n") { 2 } else { 0 };
        rest = &after[mark.map_or(0, char::len_utf8).max(two)..];
        let left = start + inside.len() - inside.trim_start().len();
        let visible = inside.trim();
        let width = inside.trim_end().chars().count();
        let hard = matches!(mark, Some('\u{c}' | '\u{2029}'));
        Some((Line { bytes: left..left + visible.len(), width }, hard))
    })
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Adds the blocks of one paragraph, which is lines without a blank one between them.
fn split_paragraph(text: &str, style: Style, lines: &[Line], found: &mut Vec<Range<usize>>) {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return;
    };
    let wrapped_at = wrap_width(text, lines);
    let mut start = first.bytes.start;
    for pair in lines.windows(2) {
        let (line, next) = (&text[pair[0].bytes.clone()], &text[pair[1].bytes.clone()]);
        let short = wrapped_at.is_none_or(|width| has_room(&pair[0], next, width));
        let item = begins_with(next, is_bullet)
            || (begins_with(next, is_item_number) && (short || line.ends_with(['.', ':', ';'])));
        if item || (short && ends_on_purpose(line) && looks_like_start(next, style)) {
            found.push(start..pair[0].bytes.end);
            start = pair[1].bytes.start;
        }
    }
    found.push(start..last.bytes.end);
}

/// The width that a paragraph was wrapped at: that of its longest line, if at least half of its line ends agree.
fn wrap_width(text: &str, lines: &[Line]) -> Option<usize> {
    let width = lines.iter().map(|line| line.width).max()?;
    let full = lines.windows(2).filter(|pair| !has_room(&pair[0], &text[pair[1].bytes.clone()], width));
    (width >= NARROWEST_WRAP && full.count() * 2 >= lines.len() - 1).then_some(width)
}

/// Whether the first word of `next` would have fitted on `line`.
fn has_room(line: &Line, next: &str, width: usize) -> bool {
    let room = width.saturating_sub(line.width);
    let word = next.chars().take(room).take_while(|letter| !letter.is_whitespace());
    word.count() < room
}

/// Whether a heading or a full line can end like this line: not with a comma or a dash.
fn ends_on_purpose(line: &str) -> bool {
    !line.ends_with([',', ';', '-', '–', '—', '(', '[', '&', '/'])
}

/// Whether a line begins like a sentence or a heading.
fn looks_like_start(line: &str, style: Style) -> bool {
    let lead = line.chars().find(|letter| letter.is_alphanumeric());
    lead.is_some_and(|letter| style.lower_cased || !letter.is_lowercase())
}

/// Whether a line begins with such a mark and has words after it.
fn begins_with(line: &str, is_mark: fn(&str) -> bool) -> bool {
    let mark = line.split(char::is_whitespace).next().unwrap_or("");
    mark.len() < line.len() && is_mark(mark)
}

/// Whether a sentence is only marks of a list, in quotation marks or not: "2.", "- b)".
#[must_use]
pub fn is_only_marks(sentence: &str) -> bool {
    sentence.split_whitespace().all(|word| {
        let word = word.trim_matches(['"', '“', '”', '„', '«', '»', '‘', '’', '\'', '`']);
        word.is_empty() || is_bullet(word) || is_item_number(word)
    })
}

/// Whether a word is a bullet.
pub(super) fn is_bullet(mark: &str) -> bool {
    ["-", "*", "+", "–", "—", "•", "·", "▪", "●", "◦", "‣", "■", "➢", "✓"].contains(&mark)
}

/// Whether a word is a list number or letter: "3.", "3)", "(3)", "b)", "b.", "(iv)", "IV.".
pub(super) fn is_item_number(mark: &str) -> bool {
    let Some(label) = mark.strip_suffix(['.', ')']) else {
        return false;
    };
    let label = label.strip_prefix('(').unwrap_or(label);
    let number = label.len() <= 3 && label.bytes().all(|digit| digit.is_ascii_digit());
    // "A. Smith" is a name.
    let letter = |letter: u8| letter.is_ascii_lowercase() || (letter.is_ascii() && mark.ends_with(')'));
    let lettered = label.len() == 1 && label.bytes().all(letter);
    let roman = |letters: &[u8]| label.len() <= 4 && label.bytes().all(|letter| letters.contains(&letter));
    // "I. Newton" is a name too.
    let roman = roman(b"ivx") || label.len() > 1 && roman(b"IVX");
    !label.is_empty() && (number || lettered || roman)
}

#[cfg(test)]
mod tests {
    use super::is_only_marks;

    #[test]
    fn list_marks_alone_are_told_from_statements() {
        for marks in [" 3. ", "- b)", "\"2.\"", "* (iv)", ""] {
            assert!(is_only_marks(marks), "{marks}");
        }
        for sentence in ["b. It rained.", "1980", "-5 degrees", "A. Smith left.", "2. ..."] {
            assert!(!is_only_marks(sentence), "{sentence}");
        }
    }
}
