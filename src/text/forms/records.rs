//! Records: lines `key: value`, `key = value` or `key .... value`, and checklists. A passage is a record, the lines up to the
//! next blank one, read with its heading: "Invoice 17: Date: 3 May; Total: 40". The boxes of a checklist are read as "done"
//! and "not done".
//!
//! Refuses fewer than three such lines in a row, and lines whose values are sentences.

use std::ops::Range;

use super::lines::{lines, trimmed};
use super::passage::{Form, Passage, Reading};

/// Minimum lines of a record, or of records with one heading.
const MIN_LINES: usize = 3;

/// Maximum lines of a passage: a longer record is several passages with one heading.
const MAX_LINES: usize = 8;

/// Maximum characters and words of a key.
const MAX_KEY: (usize, usize) = (40, 5);

/// A line of a record, in bytes.
struct Entry {
    line: Range<usize>,
    /// Its box, if it is of a checklist, with what the box means.
    mark: Option<(Range<usize>, &'static str)>,
    /// The dots or other filling between key and value.
    filling: Option<Range<usize>>,
}

/// Finds the records of a text.
pub(super) fn read(text: &str) -> Vec<Reading> {
    let mut found = Vec::new();
    let mut block: Vec<Range<usize>> = Vec::new();
    for line in lines(text) {
        if text[line.clone()].trim().is_empty() {
            found.extend(record(text, &block, found.len() + 1));
            block.clear();
        } else {
            block.push(line);
        }
    }
    found.extend(record(text, &block, found.len() + 1));
    found
}

/// The record that is these lines, if they are one; `number` is its number in the text.
fn record(text: &str, block: &[Range<usize>], number: usize) -> Option<Reading> {
    let entries: Vec<Option<Entry>> = block.iter().map(|line| entry(text, line)).collect();
    // A first line without a value is the heading.
    let is_heading = |line: &Range<usize>| text[line.clone()].trim_end().ends_with(':');
    let first = if is_heading(block.first()?) { 1 } else { entries.iter().position(Option::is_some)? };
    let heading = (first > 0).then(|| trimmed(text, &block[0]));
    let entries: Vec<Entry> = entries.into_iter().skip(first).collect::<Option<_>>()?;
    if first > 1 || entries.len() < MIN_LINES {
        return None;
    }
    let heading =
        heading.map(|line| text[line].trim_end_matches(':').trim_matches(['#', '*', ' ']).to_owned());
    let label = heading.as_ref().map_or_else(String::new, |heading| format!("{heading}: "));
    let mut reading = Reading::default();
    let mut cursor = block[0].start;
    for lines in entries.chunks(MAX_LINES) {
        let begin = lines[0].words().start;
        for (place, entry) in lines.iter().enumerate() {
            let said = entry.mark.as_ref().map_or("", |(_, said)| said);
            let before = if place > 0 { "; ".to_owned() } else { format!("\n{label}") };
            reading.replace(text, cursor..entry.words().start, format!("{before}{said}"))?;
            reading.edits.extend(entry.filling.clone().map(|filling| (filling, ": ".to_owned())));
            cursor = entry.line.end;
        }
        let said = lines[0].mark.as_ref().map_or("", |(_, said)| said);
        reading.passages.push(Passage {
            name: heading.clone(),
            label: format!("{label}{said}"),
            shown: Some(lines[0].line.start..cursor),
            ..Passage::whole(Form::Records, number, begin..cursor)
        });
    }
    Some(reading)
}

impl Entry {
    /// The line after its box.
    fn words(&self) -> Range<usize> {
        self.mark.as_ref().map_or(self.line.start, |(mark, _)| mark.end)..self.line.end
    }
}

/// Parses a line of a record.
fn entry(text: &str, line: &Range<usize>) -> Option<Entry> {
    let line = trimmed(text, line);
    let content = &text[line.clone()];
    if let Some((length, said)) = check(content) {
        let rest = &content[length..];
        let end = line.start + length + rest.len() - rest.trim_start().len();
        return Some(Entry { mark: Some((line.start..end, said)), filling: None, line });
    }
    let bullet = content.len() - content.trim_start_matches(['-', '*', '•', ' ']).len();
    let line = line.start + bullet..line.end;
    let content = &text[line.clone()];
    let (key, value, filling) = split(content)?;
    let is_key = key.chars().count() <= MAX_KEY.0
        && (1..=MAX_KEY.1).contains(&key.split_whitespace().count())
        && key.contains(char::is_alphabetic);
    let is_sentence = value.ends_with(['.', '!', '?']) && value.split_whitespace().count() > MAX_KEY.1;
    let filling = (!filling.is_empty()).then(|| line.start + filling.start..line.start + filling.end);
    (is_key && !is_sentence).then_some(Entry { line, mark: None, filling })
}

/// The box that begins a line of a checklist, and what it means.
fn check(line: &str) -> Option<(usize, &'static str)> {
    let bare = line.trim_start_matches(['-', '*', ' ']);
    let boxes = [
        ("[x]", "done: "),
        ("[X]", "done: "),
        ("[ ]", "not done: "),
        ("[]", "not done: "),
        ("☑", "done: "),
        ("☒", "not done: "),
        ("☐", "not done: "),
        ("✅", "done: "),
        ("✔", "done: "),
        ("❌", "not done: "),
    ];
    let (mark, said) = boxes.into_iter().find(|(mark, _)| bare.starts_with(mark))?;
    Some((line.len() - bare.len() + mark.len(), said))
}

/// A line as key and value, and the filling that is read as a colon.
fn split(line: &str) -> Option<(&str, &str, Range<usize>)> {
    if let Some((key, value)) = line
        .split_once(": ")
        .or_else(|| line.split_once(":\t"))
        .or_else(|| line.strip_suffix(':').map(|key| (key, "")))
    {
        return Some((key.trim(), value.trim(), 0..0));
    }
    let filled = line.find("...").or_else(|| line.find(" = ")).or_else(|| line.find('\t'))?;
    let key = line[..filled].trim_end();
    let value = line[filled..].trim_start_matches(['.', ' ', '=', '\t']);
    (!value.is_empty()).then(|| (key, value, key.len()..line.len() - value.len()))
}

#[cfg(test)]
mod tests {
    fn records(text: &str) -> Vec<String> {
        super::read(text).iter().flat_map(|record| record.read(text)).collect()
    }

    #[test]
    fn a_record_is_read_with_its_heading() {
        let text =
            "We met at noon.\n\nINVOICE 17\nDate: 3 May\nRoom ...... 12\nTotal = 40.50\n\nIt was paid.";
        assert_eq!(records(text), ["INVOICE 17: Date: 3 May; Room: 12; Total: 40.50"]);
    }

    #[test]
    fn boxes_say_what_is_done() {
        let text = "To do:\n- [x] book the hall\n- [ ] ask Helen\n- [X] pay";
        assert_eq!(records(text), ["To do: done: book the hall; not done: ask Helen; done: pay"]);
    }

    #[test]
    fn a_long_record_is_several_passages() {
        let text: String = (1..=10).map(|n| format!("Item {n}: {n}\n")).collect();
        let read = records(&text);
        assert_eq!((read.len(), read[1].as_str()), (2, "Item 9: 9; Item 10: 10"));
    }

    #[test]
    fn speech_and_notes_are_no_records() {
        for text in [
            "Anna: I went there on Monday and saw it.\nBen: You did not go there at all.\nAnna: I did go, believe me.",
            "Note: one",
            "a\nb\nc: 1",
        ] {
            assert_eq!(records(text), [""; 0], "{text}");
        }
    }
}
