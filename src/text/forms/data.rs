//! JSON and YAML. A passage is an object's own values, read in words: "crossings: no: 11; ship: Astrid; cars: 38; 60". An array
//! of objects has a passage for each. Parsed by `saphyr-parser`, since JSON is YAML.
//!
//! Refuses what does not parse, and YAML that could be a list or a note of prose: without an object in another.

use std::ops::Range;

use saphyr_parser::{Event, Parser};

use super::lines::lines;
use super::passage::{Form, Passage, Reading};

/// Deeper values are not data that people read.
const MAX_DEPTH: usize = 64;

/// Reads data; nothing for any other text.
pub(super) fn read(text: &str) -> Option<Reading> {
    let mut reading = Reading::default();
    for part in parts(text)? {
        let mut values = Values::new(text, part.clone(), reading);
        values.read()?;
        reading = values.finish();
    }
    (!reading.passages.is_empty()).then_some(reading)
}

/// The documents in a text: each line of JSON lines, or the JSON between the first line that begins with a bracket and the last
/// bracket, or a whole text of YAML.
fn parts(text: &str) -> Option<Vec<Range<usize>>> {
    let lines = lines(text);
    let mut visible = lines.iter().filter(|line| !text[(*line).clone()].trim().is_empty()).peekable();
    let is_object = |line: &&Range<usize>| {
        let line = text[(*line).clone()].trim();
        line.starts_with('{') && line.ends_with('}')
    };
    if visible.clone().count() > 1 && visible.clone().all(|line| is_object(&line)) {
        return Some(visible.cloned().collect());
    }
    let is_open = |line: &Range<usize>| text[line.clone()].starts_with(['{', '[']);
    if let Some(first) = visible.clone().find(|line| is_open(line)) {
        let end = text.rfind(['}', ']'])? + 1;
        let closes = if text[first.start..].starts_with('{') { '}' } else { ']' };
        let json = first.start..end.max(first.start);
        let part = &text[json.clone()];
        return (part.ends_with(closes) && part.contains([':', ','])).then(|| vec![json]);
    }
    let whole = 0..text.len();
    let first = &text[visible.peek()?.start..];
    let is_nested = visible.clone().zip(visible.clone().skip(1)).any(|(line, next)| {
        let indent = |line: &Range<usize>| text[line.clone()].len() - text[line.clone()].trim_start().len();
        let next_text = text[next.clone()].trim_start();
        text[line.clone()].ends_with(':')
            && (indent(next) > indent(line) || next_text.starts_with("- "))
            && next_text.contains(": ")
    });
    (first.starts_with("---") || is_nested).then(|| vec![whole])
}

/// What contains a value.
enum Container {
    /// An object, with the key of the value that comes next.
    Object { key: Option<String> },
    /// An array, with the key that it is a value of.
    Array,
}

/// Turns the values of a document into passages.
struct Values<'t> {
    text: &'t str,
    part: Range<usize>,
    /// The byte of each character of the part.
    bytes: Vec<usize>,
    open: Vec<Container>,
    reading: Reading,
    /// Whether the next value begins a passage.
    is_closed: bool,
    /// The key of the last value of the open passage, if it is in an array.
    array_key: Option<String>,
    /// Where the last key begins, until a value follows it.
    key_start: Option<usize>,
    cursor: usize,
    objects: usize,
}

impl<'t> Values<'t> {
    fn new(text: &'t str, part: Range<usize>, reading: Reading) -> Self {
        let cursor = part.start;
        let ends = std::iter::once(part.end);
        let bytes = text[part.clone()].char_indices().map(|(at, _)| part.start + at).chain(ends).collect();
        let (open, is_closed, array_key, key_start) = (Vec::new(), true, None, None);
        Self { text, part, bytes, open, reading, is_closed, array_key, key_start, cursor, objects: 0 }
    }

    /// Reads all values; `None` if the part is no data.
    fn read(&mut self) -> Option<()> {
        let is_json = self.text[self.part.clone()].trim_start().starts_with(['{', '[']);
        for event in Parser::new_from_str(&self.text[self.part.clone()]) {
            let (event, span) = event.ok()?;
            match event {
                Event::MappingStart(..) => self.open(Container::Object { key: None })?,
                Event::SequenceStart(..) => self.open(Container::Array)?,
                Event::MappingEnd | Event::SequenceEnd => {
                    let closed = self.open.pop();
                    self.is_closed |= matches!(closed, Some(Container::Object { .. }));
                    self.value_ends();
                }
                Event::Scalar(value, ..) => {
                    let place = self.bytes.get(span.start.index())..self.bytes.get(span.end.index());
                    self.scalar(&value, *place.start?..*place.end?)?;
                }
                _ => {}
            }
        }
        (is_json && self.objects > 0 || self.objects > 1).then_some(())
    }

    fn open(&mut self, container: Container) -> Option<()> {
        if matches!(container, Container::Object { .. }) {
            self.is_closed = true;
            self.objects += 1;
        }
        self.open.push(container);
        (self.open.len() <= MAX_DEPTH).then_some(())
    }

    /// After a value of an object comes a key.
    fn value_ends(&mut self) {
        if let Some(Container::Object { key }) = self.open.last_mut() {
            *key = None;
        }
    }

    fn scalar(&mut self, value: &str, place: Range<usize>) -> Option<()> {
        if let Some(Container::Object { key: key @ None }) = self.open.last_mut() {
            *key = Some(value.replace(['_', '-'], " "));
            self.key_start = Some(place.start);
            return Some(());
        }
        let shown = place.start..place.start + self.text[place.clone()].trim_end().len();
        let place = unquoted(self.text, shown.clone());
        if !place.is_empty() {
            self.add(place, shown)?;
        }
        self.value_ends();
        Some(())
    }

    /// Adds a value to the open passage, or begins one with it. `shown`: the value with its quotation marks.
    fn add(&mut self, place: Range<usize>, shown: Range<usize>) -> Option<()> {
        let keys: Vec<&str> = self
            .open
            .iter()
            .filter_map(|container| match container {
                Container::Object { key } => key.as_deref(),
                Container::Array => None,
            })
            .collect();
        let (path, key) = match (&keys[..], self.open.last()) {
            ([path @ .., key], _) => (path.join(" "), (*key).to_owned()),
            ([], _) => (String::new(), String::new()),
        };
        let said = if key.is_empty() { String::new() } else { format!("{key}: ") };
        let is_item = matches!(self.open.last(), Some(Container::Array));
        let array_key = is_item.then_some(key);
        let continues = is_item && array_key == self.array_key;
        let shown = self.key_start.take().unwrap_or(shown.start)..shown.end;
        match self.reading.passages.last_mut().filter(|_| !self.is_closed) {
            Some(passage) => {
                passage.parts[0].place.end = place.end;
                passage.shown = passage.shown.take().map(|before| before.start..shown.end);
                // A comma would make one number of two.
                let before = if continues { "; ".to_owned() } else { format!("; {said}") };
                self.reading.replace(self.text, self.cursor..place.start, before)?;
            }
            None => {
                let label = if path.is_empty() { said.clone() } else { format!("{path}: {said}") };
                self.reading.replace(self.text, self.cursor..place.start, format!("\n{label}"))?;
                let number = self.reading.passages.len() + 1;
                let name = Some(format!("{said}{}", &self.text[place.clone()]));
                self.reading.passages.push(Passage {
                    name,
                    label,
                    shown: Some(shown),
                    ..Passage::whole(Form::Data, number, place.clone())
                });
            }
        }
        (self.is_closed, self.array_key, self.cursor) = (false, array_key, place.end);
        Some(())
    }

    fn finish(mut self) -> Reading {
        self.reading.edits.push((self.cursor..self.part.end, String::new()));
        self.reading
    }
}

/// A value without its quotation marks.
fn unquoted(text: &str, place: Range<usize>) -> Range<usize> {
    let value = &text[place.clone()];
    let inside = ['"', '\''].into_iter().find_map(|mark| value.strip_prefix(mark)?.strip_suffix(mark));
    match inside {
        Some(inside) => place.start + 1..place.start + 1 + inside.len(),
        None => place,
    }
}

#[cfg(test)]
mod tests {
    fn passages(text: &str) -> Vec<String> {
        super::read(text).map_or_else(Vec::new, |data| data.read(text))
    }

    #[test]
    fn an_object_is_a_passage_with_its_path() {
        let text = "GET /fleet\n{\"port\": \"Hallin\",\n \"crossings\": [\n  {\"no\": 11, \"ship_name\": \"Astrid\", \"cars\": [38, 60], \"code\": null},\n  {\"no\": 12, \"ship_name\": \"\", \"late\": {\"minutes\": 48}}\n ]}";
        assert_eq!(
            passages(text),
            [
                "port: Hallin",
                "crossings: no: 11; ship name: Astrid; cars: 38; 60; code: null",
                "crossings: no: 12",
                "crossings late: minutes: 48"
            ]
        );
    }

    #[test]
    fn lines_of_json_and_yaml_are_read() {
        let lines = "{\"a\": 1, \"b\": \"x y\"}\n{\"a\": 2, \"b\": \"z\"}\n";
        assert_eq!(passages(lines), ["a: 1; b: x y", "a: 2; b: z"]);
        let yaml = "site: Nord\ntanks:\n  - id: 4\n    level: 2.5 m   # high\n  - id: 5\n    level: '3 m'\n";
        assert_eq!(passages(yaml), ["site: Nord", "tanks: id: 4; level: 2.5 m", "tanks: id: 5; level: 3 m"]);
    }

    #[test]
    fn notes_and_lists_are_no_data() {
        for text in [
            "Agenda:\n- budget\n- date",
            "Note: we met.\nBen: yes",
            "[1] A source.\n[2] Another.",
            "{ not json",
            "[x] done\n[ ] open",
        ] {
            assert_eq!(passages(text), [""; 0], "{text}");
        }
    }
}
