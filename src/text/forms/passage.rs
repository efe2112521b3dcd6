//! What a reader of a form returns: the passages of a text, and the edits that make them read as words.

use std::ops::Range;

use serde::Serialize;

use crate::text::{Edit, Span, TextIndex};

/// The form of a part of a text that is not prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Form {
    /// Turns of speakers: a meeting, a chat, subtitles.
    Transcript,
    /// Messages with senders, among them quoted older ones.
    Mail,
    /// Rows with a header: Markdown, columns, CSV, TSV.
    Table,
    /// Nested values: JSON, YAML.
    Data,
    /// Lines `key: value`.
    Records,
    /// Lines with a time or a level, and stack traces.
    Log,
    /// Commands, each with its output.
    Commands,
    /// Changes of files.
    Diff,
}

impl Form {
    /// Whether its passages are worded anew: cells with their headers, values with their paths, sentences with their senders.
    pub(crate) fn is_worded_anew(self) -> bool {
        matches!(self, Self::Table | Self::Data | Self::Mail | Self::Diff)
    }
}

/// A part of a text that its form keeps together. `R` is how its parts refer to the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Passage<R = Span> {
    /// Its form.
    pub form: Form,
    /// How people count it: the number of the turn, the message, the row of its table, the line.
    pub number: usize,
    /// Its speaker, its sender, the first cell of its row, the first value of its object, the command, the file.
    pub name: Option<String>,
    /// What is read before each premise in it: "Amira: ".
    pub label: String,
    /// Its parts in order, such as the cues of a turn. The text between two of them is not read.
    pub parts: Vec<Part<R>>,
    /// Whether it is one sentence. Otherwise it is prose, which is split into sentences.
    pub is_whole: bool,
    /// What is shown above it: the header of its table.
    pub header: Option<R>,
    /// What is shown of it, if that is more than its parts: an object with its first key, a changed line with its sign.
    pub shown: Option<R>,
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Part<R = Span> {
    /// Its place in the text.
    pub place: R,
    /// Its time as written in the text: "00:12:31".
    pub time: Option<String>,
}

/// How many times its length a reader may add to a text, and how many bytes to a short text.
const MOST_ADDED: usize = 4;
const LEAST_ADDED: usize = 100_000;

/// A text as the reader of its form reads it, in bytes of the text as given.
#[derive(Debug, Default)]
pub struct Reading {
    /// Bytes that edits and labels add.
    added: usize,
    /// What is replaced or left out, in order and without overlap. A passage is read as its parts after these edits.
    pub edits: Vec<(Range<usize>, String)>,
    /// The passages, in order and without overlap.
    pub passages: Vec<Passage<Range<usize>>>,
}

impl<R> Passage<R> {
    /// Creates a passage that is one sentence and has no label.
    pub fn whole(form: Form, number: usize, place: R) -> Self {
        let parts = vec![Part { place, time: None }];
        let (label, is_whole) = (String::new(), true);
        Self { form, number, name: None, label, parts, is_whole, header: None, shown: None }
    }

    /// The passage with its places mapped.
    pub fn map<S>(self, place: impl Fn(R) -> S) -> Passage<S> {
        let Self { form, number, name, label, parts, is_whole, header, shown } = self;
        let parts =
            parts.into_iter().map(|part| Part { place: place(part.place), time: part.time }).collect();
        let (header, shown) = (header.map(&place), shown.map(&place));
        Passage { form, number, name, label, parts, is_whole, header, shown }
    }
}

impl Passage {
    /// From its first part to its last.
    pub fn span(&self) -> Span {
        let (first, last) = (&self.parts[0].place, &self.parts[self.parts.len() - 1].place);
        Span { start: first.start, end: last.end }
    }

    /// Who says it.
    pub fn speaker(&self) -> Option<&str> {
        self.name.as_deref().filter(|_| matches!(self.form, Form::Transcript | Form::Mail))
    }
}

impl Reading {
    /// Replaces a part of `text`, the whole text; `None` if that adds too much to it. A header of a thousand words that is
    /// said again in each of a thousand rows is no table that people read, and would take all memory.
    pub fn replace(&mut self, text: &str, part: Range<usize>, by: String) -> Option<()> {
        self.says(text, &by)?;
        self.edits.push((part, by));
        Some(())
    }

    /// Counts what is said again of `text`, the whole text; `None` if it is too much.
    pub fn says(&mut self, text: &str, again: &str) -> Option<()> {
        self.added += again.len();
        (self.added <= (MOST_ADDED * text.len()).max(LEAST_ADDED)).then_some(())
    }

    /// The edits and passages in characters.
    pub fn in_characters(self, text: &str) -> (Vec<Edit>, Vec<Passage>) {
        let index = TextIndex::new(text);
        let span = |range: Range<usize>| Span {
            start: index.character(range.start),
            end: index.character(range.end),
        };
        let edits = self.edits.into_iter().map(|(range, text)| Edit { span: span(range), text }).collect();
        (edits, self.passages.into_iter().map(|passage| passage.map(span)).collect())
    }

    /// What the judge reads for each passage: its label, and its parts after the edits.
    #[cfg(test)]
    pub fn read(&self, text: &str) -> Vec<String> {
        let read = self.normalized(text);
        let (given, index) = (TextIndex::new(text), TextIndex::new(read.text()));
        let passage = |passage: &Passage<Range<usize>>| {
            let (first, last) = (&passage.parts[0].place, &passage.parts[passage.parts.len() - 1].place);
            let given = Span { start: given.character(first.start), end: given.character(last.end) };
            format!("{}{}", passage.label, index.slice(read.read_span(given)))
        };
        self.passages.iter().map(passage).collect()
    }

    /// The text after the edits.
    #[cfg(test)]
    pub fn normalized<'t>(&self, text: &'t str) -> crate::text::NormalizedText<'t> {
        let (edits, _) = Self { edits: self.edits.clone(), ..Self::default() }.in_characters(text);
        crate::text::NormalizedText::edited(text, &edits)
    }

    /// Fails unless edits and passages are in order, inside the text, and without overlap.
    #[cfg(test)]
    pub fn check(&self, text: &str) {
        let parts = self.passages.iter().flat_map(|passage| &passage.parts).map(|part| &part.place);
        for places in [self.edits.iter().map(|(place, _)| place).collect::<Vec<_>>(), parts.collect()] {
            let mut end = 0;
            for place in places {
                assert!(place.start >= end && place.end >= place.start, "{self:?}");
                assert!(text.get(place.clone()).is_some(), "{place:?} in {text:?}");
                end = place.end;
            }
        }
    }
}
