//! The edits that turn a text as given into its statements as models read them: in order, without overlap.

use std::ops::Range;

use super::marks::{leading_marks, time_stamps};
use crate::text::markers::markers;
use crate::text::{Edit, NormalizedText, Span, TextIndex, sentences};

/// Edits of a text, in order and without overlap.
pub(super) struct Edits<'t> {
    given: &'t str,
    index: TextIndex<'t>,
    list: Vec<Edit>,
}

impl<'t> Edits<'t> {
    pub(super) fn of(given: &'t str) -> Self {
        Self { given, index: TextIndex::new(given), list: Vec::new() }
    }

    pub(super) fn read(&self) -> NormalizedText<'t> {
        NormalizedText::edited(self.given, &self.list)
    }

    pub(super) fn span(&self, part: &Range<usize>) -> Span {
        Span { start: self.index.character(part.start), end: self.index.character(part.end) }
    }

    pub(super) fn spans(&self, parts: &[Range<usize>]) -> Vec<Span> {
        parts.iter().map(|part| self.span(part)).collect()
    }

    /// A part of the text as given.
    pub(super) fn slice(&self, part: &Range<usize>) -> &'t str {
        &self.given[part.clone()]
    }

    pub(super) fn add(&mut self, part: Range<usize>, text: String) {
        self.list.push(Edit { span: self.span(&part), text });
    }

    /// Removes the leading marks of each sentence, time stamps in brackets, and citation markers.
    pub(super) fn leave_out_marks(&mut self, speakers: &[String]) {
        let read = self.read();
        let text = read.text();
        let index = TextIndex::new(text);
        let mut parts: Vec<Edit> = Vec::new();
        for sentence in sentences(text) {
            let begins = index.byte(sentence.start);
            let length = leading_marks(index.slice(sentence), speakers);
            let end = index.character(begins + length);
            if end > sentence.start {
                parts.push(Edit { span: Span { start: sentence.start, end }, text: String::new() });
            }
        }
        parts.extend(markers(text, &[]).into_iter().map(|marker| marker.left_out));
        parts.extend(time_stamps(text).map(|part| Edit {
            span: Span { start: index.character(part.start), end: index.character(part.end) },
            text: String::new(),
        }));
        for part in &mut parts {
            part.span = read.given_span(part.span);
        }
        self.merge(parts);
    }

    /// Whether the mark of a list item, or of a row, ends at a character of the text as given.
    pub(super) fn begins_item(&self, at: usize) -> bool {
        self.ending_at(at).any(|edit| {
            let marks = self.index.slice(edit.span);
            let of_line = marks.rsplit('\n').next().unwrap_or("");
            of_line.ends_with(char::is_whitespace) && !of_line.trim().is_empty()
        })
    }

    /// Whether a cell's header is inserted before a character of the text as given.
    pub(super) fn begins_row(&self, at: usize) -> bool {
        self.ending_at(at).any(|edit| edit.text.ends_with(": "))
    }

    /// The edits that end at a character, once all are merged.
    fn ending_at(&self, at: usize) -> impl Iterator<Item = &Edit> {
        let first = self.list.partition_point(|edit| edit.span.end < at);
        self.list[first..].iter().take_while(move |edit| edit.span.end == at)
    }

    /// A part without the white space around it.
    pub(super) fn trimmed(&self, part: Span) -> Span {
        let text = self.index.slice(part);
        let start = part.start + text.chars().count() - text.trim_start().chars().count();
        Span { start, end: start + text.trim().chars().count() }
    }

    /// Inserts these texts before the characters at these positions.
    pub(super) fn insert(&mut self, texts: Vec<(usize, String)>) {
        let merged = self.list.len();
        for (at, text) in texts {
            // Appends to an edit that ends here.
            let place = self.list[..merged].partition_point(|edit| edit.span.end < at);
            match self.list[..merged].get_mut(place).filter(|edit| edit.span.end == at) {
                Some(edit) => edit.text += &text,
                None => self.list.push(Edit { span: Span { start: at, end: at }, text }),
            }
        }
        self.list.sort_by_key(|edit| edit.span);
    }

    /// Removes these parts; the blocks around them stay separate.
    pub(super) fn leave_out(&mut self, parts: &[Span]) {
        let edit = |span: &Span| Edit { span: *span, text: "\n\n".into() };
        self.merge(parts.iter().map(edit).collect());
    }

    /// Adds edits, merging those that overlap.
    pub(super) fn merge(&mut self, parts: Vec<Edit>) {
        self.list.extend(parts.into_iter().filter(|edit| !edit.span.is_empty()));
        self.list.sort_by_key(|edit| (edit.span.start, std::cmp::Reverse(edit.span.end)));
        let mut merged: Vec<Edit> = Vec::with_capacity(self.list.len());
        for edit in self.list.drain(..) {
            match merged.last_mut().filter(|last| edit.span.start < last.span.end) {
                Some(last) if edit.span.end > last.span.end => {
                    last.span.end = edit.span.end;
                    last.text += &edit.text;
                }
                Some(_) => {}
                None => merged.push(edit),
            }
        }
        self.list = merged;
    }
}
