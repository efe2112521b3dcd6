//! A document as models read it: its normalised text, and how it is divided.

use crate::text::{IndexedText, NormalizedText, Span, TextIndex};

use super::{Division, Sources};

/// A document as models read it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Document {
    text: IndexedText,
    division: Division,
}

impl Document {
    /// Reads a document, and returns also what maps its spans to the document as given. If it is `as_given`, no turns
    /// are detected.
    pub(crate) fn read<'t>(
        given: &'t str,
        sources: Option<&Sources>,
        as_given: bool,
    ) -> (NormalizedText<'t>, Self) {
        let (read, division) = Division::read(given, sources, as_given);
        let text = IndexedText::new(read.text().to_owned());
        (read, Self { text, division })
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        self.text.text()
    }

    /// Its text, for conversions between characters and bytes.
    pub(crate) fn index(&self) -> TextIndex<'_> {
        self.text.index()
    }

    /// Its sources and turns.
    pub(crate) fn division(&self) -> &Division {
        &self.division
    }

    /// Its prose and speech, of which the language can be detected.
    pub(crate) fn prose(&self) -> String {
        self.division.prose(&self.index())
    }

    /// The words of these sentences of a transcript, with the labels between them; `None` if it has no turns.
    pub(crate) fn quotation(&self, sentences: &[Span]) -> Option<String> {
        self.division.quotation(&self.index(), sentences)
    }
}
