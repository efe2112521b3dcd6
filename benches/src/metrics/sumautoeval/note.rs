//! A note: its sections and their sentences.

use super::check_task::SourceText;
use super::entity::Entity;
use super::sections::{Section, sections};
use crate::metrics::row::has_words;
use veridic::Span;
use veridic::text::{TextIndex, sentences};

/// A sentence of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
    /// The index of its section.
    pub(super) section: usize,
}

/// A note and its parts.
pub(super) struct Note<'t> {
    pub(super) index: TextIndex<'t>,
    pub(super) sections: Vec<Section<'t>>,
    pub(super) sentences: Vec<Sentence<'t>>,
}

/// The text of a section.
pub(super) struct Body<'t> {
    pub(super) text: &'t str,
    /// The index of its first character in the note.
    pub(super) start: usize,
}

impl<'t> Note<'t> {
    /// Splits a text.
    pub(super) fn of(text: &'t str) -> Self {
        let mut note = Self { index: TextIndex::new(text), sections: sections(text), sentences: Vec::new() };
        let mut found = Vec::new();
        for (section, body) in note.bodies().enumerate() {
            for span in sentences(body.text) {
                let span = Span { start: span.start + body.start, end: span.end + body.start };
                let text = note.index.slice(span);
                if has_words(text) {
                    found.push(Sentence { text, span, section });
                }
            }
        }
        note.sentences = found;
        note
    }

    /// The whole note as an entity.
    pub(super) fn as_entity(&self) -> Entity {
        let span = Span { start: 0, end: self.index.characters() };
        Entity { text: self.index.text().trim().to_owned(), spans: vec![span], section: 0 }
    }

    /// The texts of its sections.
    pub(super) fn bodies(&self) -> impl Iterator<Item = Body<'t>> + '_ {
        let text: &'t str = self.index.text();
        self.sections.iter().map(move |section| Body {
            text: &text[section.body.clone()],
            start: self.index.character(section.body.start),
        })
    }

    /// The texts of its sentences.
    pub(super) fn sentence_texts(&self) -> Vec<&'t str> {
        self.sentences.iter().map(|sentence| sentence.text).collect()
    }

    /// Returns the note as a text that entities are checked against.
    pub(super) fn source_text(&self) -> SourceText<'t> {
        SourceText { text: self.index.text().into(), sentences: self.sentence_texts() }
    }

    /// Whether it has headers.
    pub(super) fn has_sections(&self) -> bool {
        self.sections.iter().any(|section| section.header.is_some())
    }
}
